// Changes how many deliveries are paid ahead.
import * as details from '../../edits/details.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ credits: number; type?: 'ADDED' | 'ADJUSTED' | 'REFUNDED'; reason: string }> = {
  apply: details.adjustCredits,
};
