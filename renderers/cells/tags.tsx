// Tags or several options as quiet chips; two in view, the rest counted.
import { optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 180 };

export default function TagsCell({ value, schema }: CellProps) {
  const options = optionsOf(schema);
  const titles = (Array.isArray(value) ? value : []).map(item => options.find(option => option.value === item)?.title ?? String(item));
  if (titles.length === 0) return <span className="l-none">–</span>;
  return (
    <span className="p-row l-tags" {...(titles.length > 2 ? { 'data-tip': titles.join(', ') } : {})}>
      {titles.slice(0, 2).map(title => (
        <span key={title} className="p-tag">
          {title}
        </span>
      ))}
      {titles.length > 2 && <span className="p-hint">+{titles.length - 2}</span>}
    </span>
  );
}
