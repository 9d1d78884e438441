/** A text in one language, as the verb texts answers it. */
export type TextRecord = {
  key: string;
  entityId: string | null;
  categoryId: string;
  label: string;
  group: string;
  defaultValue: string;
  source: string;
  value: string | null;
  draft: string | null;
  /** Counts the changes of the value: a write that names it does not overwrite what another person wrote. */
  version: number;
  updatedBy: string;
  updatedAt: string | null;
  state: 'MISSING' | 'DRAFT' | 'DONE';
  componentUI: string;
  maxLength: number;
  variables: string[];
  samples: Record<string, string>;
  /** Words in Liquid: what is wrong with them the server says. */
  isTemplate: boolean;
};
