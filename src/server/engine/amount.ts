// Amounts as people type them.
import { toMinor } from '../../domain/money/money.ts';
import { invalid } from '../platform/context.ts';

/** Minor units of a typed amount. @throws Refusal 422 */
export function amountOf(value: string | number, currency: string, pointer: string): number {
  try {
    return toMinor(value, currency);
  } catch (error) {
    if (error instanceof RangeError) throw invalid([{ pointer, rule: 'format', message: error.message }]);
    throw error;
  }
}
