// How the monthly value of a subscription is split among its products, so that the parts always add up to the whole.
import { scaled } from './money.ts';

/** What a share follows from; in the order in which the lines stand. */
export interface SharedLine {
  /** Minor units of one piece in one delivery. */
  price: number;
  quantity: number;
}

/**
 * The share of each line of an amount, by what the lines cost. The running sum is rounded, half up, and not each share, so that
 * nothing is lost or added: 1.00 among three equal lines is 0.33, 0.34, 0.33. Where all lines are free, the first has everything.
 * The function fill_movements of the database does the same.
 */
export function lineShares(amount: number, lines: readonly SharedLine[]): number[] {
  const whole = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  if (whole === 0) return lines.map((_, i) => (i === 0 ? amount : 0));
  let [cost, given] = [0, 0];
  return lines.map(({ price, quantity }) => {
    cost += price * quantity;
    const upTo = cost === whole ? amount : scaled(amount, [cost], [whole]);
    const share = upTo - given;
    given = upTo;
    return share;
  });
}
