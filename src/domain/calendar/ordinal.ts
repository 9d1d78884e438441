/** The place of a day in its month. */
import { language } from '../text/t.ts';

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });
const SUFFIX: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

/** 1 is "1st", in German "1." */
export function ordinal(n: number): string {
  if (language() !== 'en') return `${n}.`;
  return `${n}${SUFFIX[ordinals.select(n)] ?? 'th'}`;
}
