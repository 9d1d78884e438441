// C239: a bundle is left out of one order of a subscription; another order brings it again.
import type { Handler } from '../../../platform/context.ts';
import { canBeTried, edit } from '../../subscriptions/action-calls.ts';
import { deleteOnce as leaveOut } from '../on-subscription.ts';

export const deleteOnce: Handler = edit<{ id: number; bundleTransactionId: string; orderId?: number }>('deleteOnce', leaveOut);

canBeTried('bundles-main', { deleteOnce });
