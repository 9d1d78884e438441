// Tags or several options as quiet chips: as many as the column holds whole, the rest counted.
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 180 };

/** What the usual width of the column holds, in characters: a chip's own, and what its frame and the gap take. */
const ROOM = 24,
  FRAME = 3;

/** How many of the titles stand whole beside the number of the rest: at least one. */
function fitting(titles: readonly string[]): number {
  let used = 0;
  const first = titles.findIndex(title => (used += title.length + FRAME) > ROOM);
  return Math.max(1, first < 0 ? titles.length : first);
}

export default function TagsCell({ value, schema }: CellProps) {
  const options = optionsOf(schema);
  const titles = (Array.isArray(value) ? value : []).map(item => options.find(option => option.value === item)?.title ?? String(item));
  if (titles.length === 0) return <span className="l-none">–</span>;
  const shown = fitting(titles);
  return (
    <span className="p-row l-tags" data-tip={titles.join(', ')}>
      {titles.slice(0, shown).map(title => (
        <span key={title} className="p-tag">
          {title}
        </span>
      ))}
      {titles.length > shown && <span className="p-hint">+{titles.length - shown}</span>}
    </span>
  );
}
