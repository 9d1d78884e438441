// A language by its name; nothing means that of the store.
import { language } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 136 };

export default function LanguageCell({ value }: CellProps) {
  return typeof value === 'string' && value ? language(value) : 'Language of the store';
}
