// Charges no other method where the first one fails.
import { removeBackup } from '../../edits/payment-methods.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  apply: removeBackup,
};
