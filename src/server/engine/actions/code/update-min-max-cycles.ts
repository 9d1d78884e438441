// Sets the least and the most orders of a subscription.
import { updateCycles } from '../../edits/frequency.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ minCycles?: number | null; maxCycles?: number | null; onlyIfEmpty?: boolean }> = {
  apply: (work, subscription, { minCycles = null, maxCycles = null, onlyIfEmpty = false }) => {
    const { min_cycles, max_cycles } = subscription.contract;
    updateCycles(work, subscription, {
      minCycles: onlyIfEmpty && min_cycles !== null ? undefined : minCycles,
      maxCycles: onlyIfEmpty && max_cycles !== null ? undefined : maxCycles,
    });
  },
};
