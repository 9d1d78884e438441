// Leaving a page never loses what was typed.
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import type { FormStore } from '../engine/store.ts';
import { t } from '../../../domain/text/t.ts';

/**
 * Guards a form. `isLeaving` may say that leaving is meant (after something was created, for example); `onGivenUp` follows when the person
 * chose to leave without saving.
 */
export function useGuard(store: FormStore, isLeaving: () => boolean = () => false, onGivenUp?: () => void): void {
  useLeaveGuard(() => {
    // A text that a field still keeps for itself counts, and a draft of it is kept.
    store.flush();
    const count = store.changeCount();
    return count === 0 || isLeaving()
      ? undefined
      : {
          title: t`Leave without saving?`,
          tone: 'critical',
          submit: t`Leave without saving`,
          cancel: t`Keep editing`,
          text:
            count === 1
              ? t`You have 1 change that is not saved. If you leave, it is lost.`
              : t`You have ${count} changes that are not saved. If you leave, they are lost.`,
        };
  }, onGivenUp);
}
