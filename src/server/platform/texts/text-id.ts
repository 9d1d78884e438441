// What names a text of a store within a language.

/** Which text it is: whose, and its key there (`TextSource` says more). */
export interface Owned {
  /** "store", "theme", "widget", or an entity. */
  ownerKind: string;
  /** Empty for the store. */
  ownerId: string;
  key: string;
  /** The English standard text of the product that it is, as long as the store has no words of its own (`standardOf`). */
  usual?: string | undefined;
}

/** Which text it is, within a language of a store. */
export const textId = ({ ownerKind, ownerId, key }: Owned): string => `${ownerKind}|${ownerId}|${key}`;
