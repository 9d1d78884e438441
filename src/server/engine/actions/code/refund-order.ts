// Gives back what was paid for an order, or a part of it.
import { beginRefund } from '../../charging/refund.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ orderId: number; amount: string; reason?: string }> = {
  refunds: true,
  apply: beginRefund,
};
