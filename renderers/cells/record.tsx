// The number of another record, which leads to its page: the entity is the one that the field points to (`x-ui.of`).
import { Link } from 'react-router-dom';
import { definitions } from '../../src/admin/platform/definitions.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { routeTo } from '../../src/contract/find.ts';

export const looks: Partial<CellHints> = { width: 96 };

export default function RecordCell({ value, schema }: CellProps) {
  if (typeof value !== 'number' && typeof value !== 'string') return <span className="l-none">–</span>;
  const of = schema?.['x-ui']?.of;
  const screen = Object.values(definitions.resources).find(resource => resource.of === of && resource.has.includes('record'));
  return screen ? (
    <Link className="p-tabular" to={routeTo(screen.route.replace(/\[\w+\]$/, '[id]'), { id: value })}>
      #{value}
    </Link>
  ) : (
    <span className="p-tabular">#{value}</span>
  );
}
