// The cancel button of the portal: whether it begins the flow, says something instead, or is not there.
import type { JsonObject } from '../../../contract/types.ts';
import type { CancellationFlow } from '../../../domain/cancellation/flow.ts';

type Button = CancellationFlow['button'];
const saying = (message: unknown): Button => ({ behavior: 'SHOW_MESSAGE', message: typeof message === 'string' ? message : '' });

/** What it does for a subscription that has had so many orders and agreed to a minimum. */
export function buttonOf(
  page: JsonObject,
  { min_cycles: least, completed_orders: done }: { min_cycles: number | null; completed_orders: number },
): Button {
  if (page.cancellationButtonBehavior === 'HIDE_BUTTON') return { behavior: 'HIDE_BUTTON', message: null };
  if (page.cancellationButtonBehavior === 'SHOW_MESSAGE') return saying(page.cancellationMessage);
  const left = (least ?? 0) - done;
  if (page.minimumOrdersBehavior !== 'BLOCK_WITH_MESSAGE' || left <= 0) return { behavior: 'ALLOW_CANCEL', message: null };
  return saying(String(page.minimumOrdersMessage ?? '').replaceAll('{{remaining_orders}}', String(left)));
}
