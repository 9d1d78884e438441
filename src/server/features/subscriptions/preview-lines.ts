// The products of a subscription that a change touches: each as it is and as it would be, with picture and price.
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { type LineRow, nameOf } from '../../engine/index.ts';

/**
 * What is shown of a line on either side; `price` is for one piece in the next charge, `basePrice` the same without its plan's discount.
 */
const side = (line: LineRow, currency: string): JsonObject => ({
  name: nameOf(line),
  image: line.image,
  quantity: line.quantity,
  price: toDecimal(line.price, currency),
  basePrice: toDecimal(line.base_price, currency),
});

const isSame = (a: LineRow, b: LineRow): boolean =>
  a.variant_id === b.variant_id && a.quantity === b.quantity && a.price === b.price && a.base_price === b.base_price;

/**
 * One entry for each line that a change makes, alters or removes, in their order; `before` or `after` is null where the line is only on
 * the other side. A product that takes the place of another for one order stands beside that one. `currency` is the contract's.
 */
export function changedLines(before: readonly LineRow[], after: readonly LineRow[], currency: string): JsonObject[] {
  const was = new Map(before.map(line => [line.id, line]));
  const now = new Map(after.map(line => [line.id, line]));
  const entry = (a: LineRow | undefined, b: LineRow | undefined): JsonObject => ({
    before: a ? side(a, currency) : null,
    after: b ? side(b, currency) : null,
    ...(b?.one_time_added ? { isOnce: true } : {}),
  });
  const gone = before.filter(line => !now.has(line.id)).map(line => entry(line, undefined));
  return [
    ...gone,
    ...after.flatMap(line => {
      const old = was.get(line.id);
      if (old) return isSame(old, line) ? [] : [entry(old, line)];
      const replaced = after.find(
        other =>
          line.one_time_added &&
          !other.one_time_added &&
          other.position === line.position &&
          other.one_time_removed_cycle !== was.get(other.id)?.one_time_removed_cycle,
      );
      return [entry(replaced, line)];
    }),
  ];
}
