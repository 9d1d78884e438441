// Credit that comes off monthly bills, the oldest bill first.

/** An amount of a month, "2026-11", in whole cents. */
export interface OfMonth {
  month: string;
  cents: number;
}

/**
 * How much credit each bill uses: what was earned by the end of its month and no earlier bill took, at most the whole bill.
 * @returns month -> cents, of bills that use some
 */
export function creditsUsed(bills: readonly OfMonth[], earned: readonly OfMonth[]): Map<string, number> {
  const used = new Map<string, number>();
  const first = bills.reduce((least, { month }) => (month < least ? month : least), '9999-99');
  let spent = 0;
  for (const { month, cents } of bills.toSorted((a, b) => a.month.localeCompare(b.month))) {
    const had = earned.reduce((sum, one) => (one.month >= first && one.month <= month ? sum + one.cents : sum), 0);
    const now = Math.min(cents, had - spent);
    if (now > 0) used.set(month, now);
    spent += Math.max(0, now);
  }
  return used;
}
