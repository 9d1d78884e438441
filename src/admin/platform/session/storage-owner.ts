// Whose the things are that this browser keeps (drafts): another person who signs in here gets none of them.

let name = '';
/** "store:user" of the person who is signed in; "" before. */
export const storageOwner = (): string => name;
export function setStorageOwner(storeId: number, userId: number): void {
  name = `${storeId}:${userId}`;
}
