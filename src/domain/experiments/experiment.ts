// Experiments with two variants: who sees which, and which of them won.
export type Variant = 'A' | 'B';
export type Verdict = 'CONTROL' | 'VARIANT' | 'NONE';
export interface Tally {
  attempts: number;
  saves: number;
}

/** FNV-1a: spreads short texts evenly over 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  // The last bits of short texts follow their last letter: mixed once more.
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** The variant of a customer: the same for as long as the experiment is there, and independent of every other experiment. */
export const variantOf = (experimentId: string, customerId: number, variantPercent: number): Variant =>
  hash(`${experimentId}:${customerId}`) % 100 < variantPercent ? 'B' : 'A';

/** Saved ones of those who saw it, in percent with one digit; null where it was not shown. */
export const saveRate = ({ attempts, saves }: Tally): number | null => (attempts === 0 ? null : Math.round((saves / attempts) * 1000) / 10);

/**
 * The variant whose save rate is better than that of the other by at least `criteria` percent of it. Against a rate of zero any other wins.
 * Compared as fractions, so that a difference of exactly so much counts.
 */
export function winnerOf(control: Tally, variant: Tally, criteria: number): Verdict {
  if (control.attempts === 0 || variant.attempts === 0) return 'NONE';
  const a = control.saves * variant.attempts;
  const b = variant.saves * control.attempts;
  const beats = (one: number, other: number): boolean => one > other && one * 100 >= other * (100 + criteria);
  return beats(b, a) ? 'VARIANT' : beats(a, b) ? 'CONTROL' : 'NONE';
}
