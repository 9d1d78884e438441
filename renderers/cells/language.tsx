// A language by its name; nothing means that of the store.
import { language } from '../../src/admin/platform/format.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { t } from '../../src/domain/text/t.ts';

export const looks: Partial<CellHints> = { width: 136 };

export default function LanguageCell({ value }: CellProps) {
  return typeof value === 'string' && value ? language(value) : t`Language of the store`;
}
