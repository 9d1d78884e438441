// C239: a bundle is left out of one order of a subscription; another order brings it again.
import type { Handler } from '../../../platform/context.ts';
import { callOfAction } from '../../../engine/index.ts';
import { deleteOnce as leaveOut } from '../on-subscription.ts';

export const deleteOnce: Handler = callOfAction<{ id: number; bundleTransactionId: string; orderId?: number }>('SKIP_BUNDLE', leaveOut);
