// What a person typed and did not save: it stays in this tab for them alone, over a reload and over a session that ends.
import { storageOwner } from './storage-owner.ts';

export interface DraftStorage<T> {
  read: () => T | undefined;
  write: (draft: T) => void;
  clear: () => void;
}

/** The place of one form's draft, "form/setting/general". A storage that is full or shut off holds nothing; the form works all the same. */
export function draftStorage<T>(name: string): DraftStorage<T> {
  const key = `perennial.draft:${storageOwner()}/${name}`;
  const trying = <R>(work: (storage: Storage) => R): R | undefined => {
    try {
      return work(window.sessionStorage);
    } catch {
      return undefined;
    }
  };
  return {
    read: () => trying(storage => JSON.parse(storage.getItem(key) ?? 'null') as T | null) ?? undefined,
    write: draft => trying(storage => storage.setItem(key, JSON.stringify(draft))),
    clear: () => trying(storage => storage.removeItem(key)),
  };
}
