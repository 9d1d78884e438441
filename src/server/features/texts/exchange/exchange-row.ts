// A text in a file, and what is read of one.

/** A text with its translation, as it stands in a file. */
export type ExchangeRow = {
  categoryId: string;
  entityId: string | null;
  key: string;
  label: string;
  source: string;
  value: string | null;
  /** Of the words in the store: what is changed since the file was written is known by it. */
  version: number;
};
/** A translation that a file holds, and its line there. */
export interface Found {
  line: number;
  categoryId: string;
  entityId: string;
  key: string;
  value: string;
  /** Undefined where the file does not say it. */
  version: number | undefined;
}
