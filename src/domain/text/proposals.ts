// What a form proposes for a field from the fields beside it, so that people name a thing once.
import { INTERVAL_UNITS, intervalLabel, type IntervalUnit } from '../calendar/interval.ts';
import { fold } from './fold.ts';
import type { Proposal } from '../../contract/types.ts';

/** "Morning ritual, weekly" -> "morning-ritual-weekly": lower case, joined by hyphens, accents dropped; vowels of Thai or Hindi stay. */
const slug = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0;
const isUnit = (value: unknown): value is IntervalUnit => INTERVAL_UNITS.includes(value as IntervalUnit);

/**
 * The text that is proposed: `slug` of a name, `delivered` ("Delivered every 2 weeks") and `interval` ("2 weeks", "1 month") of a
 * count and its unit. Empty where what it is made of says nothing yet.
 */
export function propose(as: Proposal, [first, second]: readonly unknown[]): string {
  if (as === 'slug') return typeof first === 'string' ? slug(first) : '';
  if (!isCount(first) || !isUnit(second)) return '';
  const interval = { interval: second, intervalCount: first };
  return as === 'delivered'
    ? `Delivered every ${intervalLabel(interval)}`
    : first === 1
      ? `1 ${intervalLabel(interval)}`
      : intervalLabel(interval);
}
