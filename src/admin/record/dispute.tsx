// What an order says of a dispute of its payment.
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { t } from '../../domain/text/t.ts';
import { dayTime } from '../platform/format.ts';

/** A payment that its customer disputes at their bank: how that stands, and until when the store may answer. */
export function Dispute({ order, title, cash }: { order: JsonObject; title: string; cash: (value: JsonValue | undefined) => string }) {
  if (typeof order.disputeStatus !== 'string') return null;
  const amount = cash(order.disputeAmount);
  const reason = String(order.disputeReason ?? '').replaceAll('_', ' ');
  const due = typeof order.disputeDueEpoch === 'number' ? dayTime(new Date(order.disputeDueEpoch * 1000).toISOString()) : null;
  return (
    <div>
      <h3>{title}</h3>
      <p>{t`The customer disputes ${amount} of this payment at their bank.`}</p>
      {order.disputeStatus === 'NEEDS_RESPONSE' && due && (
        <p>{t`Answer at your payment provider until ${due}. “Evidence” has what speaks for you.`}</p>
      )}
      {reason && <p className="p-muted">{t`Reason: ${reason}.`}</p>}
    </div>
  );
}
