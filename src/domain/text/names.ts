// Names as people take them for the same: letters in another case or composition, or with other spaces, are the same name.

/** A name in composed letters, with one plain space where there were several or others, and none around it. */
export const cleanName = (name: string): string => name.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** What two names are compared by; in the database it is `nameKeySql` (`src/server/platform/records/name-key.ts`). */
export const nameKey = (name: string): string => cleanName(name).toLowerCase().normalize('NFC');
