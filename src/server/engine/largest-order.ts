// The most that one order may come to: quantities and prices within their own bounds multiply to amounts beyond all
// sense, and beyond what is counted exactly.
import { AmountTooLarge, minorDigits } from '../../domain/money/money.ts';
import { invalid } from '../platform/context.ts';
import type { Aggregate } from './aggregate.ts';
import { nextCharge } from './charging/next-charge.ts';
import { refreshContract } from './price.ts';
import { type UnitOfWork } from './unit-of-work.ts';
import { touchesFacts } from './changes.ts';
import { t } from '../../domain/text/t.ts';

/** Highest total of an order, in units of its currency. */
export const LARGEST_ORDER = 1_000_000_000;

/** After a change by a person, whichever way. What was above the bound before may still be brought down. @throws Refusal 422 */
export function mustStayChargeable(work: UnitOfWork, subscription: Aggregate): void {
  if (!touchesFacts(subscription)) return;
  const { prepaidShippingCharge } = work.settings;
  const was = subscription.before.contract;
  try {
    refreshContract(subscription, prepaidShippingCharge);
    const most = Math.max(subscription.contract.total, nextCharge(subscription, work.zone, prepaidShippingCharge) ?? 0);
    if (
      most <= LARGEST_ORDER * 10 ** minorDigits(subscription.contract.currency_code) ||
      most <= Math.max(was?.total ?? 0, was?.next_charge ?? 0)
    )
      return;
  } catch (error) {
    if (!(error instanceof AmountTooLarge)) throw error;
  }
  throw invalid([
    { pointer: '', rule: 'maximum', message: t`One order would cost more than 1,000,000,000. Enter a smaller quantity or a lower price.` },
  ]);
}
