// Nobody loses what they typed by leaving.
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import type { FormStore } from '../engine/store.ts';

/** Guards a form. `isLeaving` may say that leaving is meant (after something was created, for example). */
export function useGuard(store: FormStore, isLeaving: () => boolean = () => false): void {
  useLeaveGuard(() => {
    // A text that a field still keeps for itself counts, and a draft of it is kept.
    store.flush();
    const count = store.changeCount();
    return count === 0 || isLeaving()
      ? undefined
      : {
          title: 'Leave without saving?',
          tone: 'critical',
          submit: 'Leave without saving',
          cancel: 'Keep editing',
          text:
            count === 1
              ? 'You have 1 change that is not saved. If you leave, it is lost.'
              : `You have ${count} changes that are not saved. If you leave, they are lost.`,
        };
  });
}
