// A customer cancels in the portal: an attempt is kept, with the reason, and ends at once.
import { invalidState } from '../../platform/context.ts';
import { act } from '../subscriptions/engine/act.ts';
import type { EngineContext } from '../subscriptions/engine/context.ts';
import * as status from '../subscriptions/engine/status.ts';
import { writeAnswer } from './attempts.ts';
import { start, titleOf } from './calls/cancellation-attempts.ts';
import type { Flow } from './flow.ts';
import { t } from '../../../domain/text/t.ts';

/**
 * @throws Refusal 409 where the button of the portal does not cancel, the reason is not shown any more, or the subscription's state
 * does not allow it
 */
export async function cancelAsCustomer(
  context: EngineContext & Parameters<typeof start>[0],
  contractId: number,
  reasonId: number | null,
): Promise<void> {
  const attempt = (await start(context, { subscriptionId: contractId })) as unknown as Flow & { id: number };
  if (reasonId !== null && !attempt.reasons.some(one => one.id === reasonId))
    throw invalidState(t`This reason is not there any more. Choose another one.`);
  const reason = reasonId === null ? null : await titleOf(context, reasonId);
  await act(context, contractId, { action: 'cancel' }, (work, a) =>
    status.cancel(work, a, { reason, comment: null, source: 'CUSTOMER', notifyCustomer: true }),
  );
  const because = reasonId === null ? {} : { reason_id: reasonId, reason };
  await writeAnswer(context, attempt.id, { outcome: 'CANCELLED', ...because });
}
