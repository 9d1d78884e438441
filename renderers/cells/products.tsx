// The products of a record: a picture of the first, its title, and how many more. Reads lists of lines ({ title, image, quantity }) and
// plain text. Options: { "lines": "lines", "image": "productImage" } name the fields beside the value.
import { at } from '../../src/contract/paths.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { Thumbnail } from '../../src/admin/ui/thumbnail.tsx';

export const looks: Partial<CellHints> = { width: 180, flexible: true };

interface Line {
  title: string;
  image?: string;
  quantity?: number;
}
function lineOf(value: JsonValue): Line | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const title = value.productTitle ?? value.title ?? value.name;
  if (typeof title !== 'string') return undefined;
  return {
    title,
    ...(typeof value.image === 'string' ? { image: value.image } : {}),
    ...(typeof value.quantity === 'number' ? { quantity: value.quantity } : {}),
  };
}

export default function ProductsCell({ value, record, options }: CellProps) {
  const given = at(record, typeof options.lines === 'string' ? options.lines : 'lines');
  const lines = (Array.isArray(given) ? given : Array.isArray(value) ? value : []).flatMap(item => lineOf(item) ?? []);
  const picture = lines[0]?.image ?? at(record, typeof options.image === 'string' ? options.image : 'productImage');
  const text = lines.length || typeof value !== 'string' ? '' : value;
  if (!lines.length && !text) return <span className="l-none">–</span>;
  const image = typeof picture === 'string' && picture !== '' && <Thumbnail src={picture} />;
  if (text)
    return (
      <>
        {image}
        {text}
      </>
    );
  const all = lines.map(line => (line.quantity && line.quantity > 1 ? `${line.title} × ${line.quantity}` : line.title));
  return (
    <span className="p-row l-products" {...(lines.length > 1 ? { 'data-tip': all.join(', ') } : {})}>
      {image}
      <span className="p-cut">{all[0]}</span>
      {lines.length > 1 && <span className="p-count">+{lines.length - 1}</span>}
    </span>
  );
}
