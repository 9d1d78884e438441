// What a subscriber is likely to bring, from how many leave in a month and what those who are there bring in it.

/** Months that are counted at most: what comes later is not known, and without a bound the sum has none where few leave. */
export const HORIZON_MONTHS = 36;
/** Whole months that are looked back on, and how many there must be. */
export const [LOOKED_BACK, LEAST_MONTHS] = [6, 3] as const;
/** Subscribers that must have been lost in them: of fewer, how many leave in a month can't be told. */
export const LEAST_LOST = 10;

/** Months that a subscriber is there, of the first 36, where this part leaves in each of them. */
export const monthsThere = (churn: number): number => (churn <= 0 ? HORIZON_MONTHS : (1 - (1 - churn) ** HORIZON_MONTHS) / churn);

/** Between which two rates the true one lies in 95 of 100 cases (Wilson), where `some` of `all` were counted. */
export function rateBetween(some: number, all: number): [low: number, high: number] {
  const z = 1.96;
  const rate = some / all;
  const middle = rate + (z * z) / (2 * all);
  const span = z * Math.sqrt((rate * (1 - rate)) / all + (z * z) / (4 * all * all));
  return [Math.max(0, (middle - span) / (1 + (z * z) / all)), Math.min(1, (middle + span) / (1 + (z * z) / all))];
}
