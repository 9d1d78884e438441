// One of a field's options as a badge in its tone; quietly in other words where the schema gives some for this record (`says`).
import { displayTextOf } from '../../src/contract/validation/condition.ts';
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 108 };

export default function BadgeCell({ value, record, schema }: CellProps) {
  const option = optionsOf(schema).find(one => one.value === (value ?? null));
  const text = displayTextOf(schema, record)?.brief;
  if (text) return <span className="p-muted">{text}</span>;
  if (!option && (value === null || value === undefined)) return <span className="l-none">–</span>;
  if (value === null || value === undefined) return <span className="p-muted">{option?.title}</span>;
  return (
    <span className="p-badge" data-tone={option?.tone ?? 'neutral'}>
      {option?.title ?? String(value)}
    </span>
  );
}
