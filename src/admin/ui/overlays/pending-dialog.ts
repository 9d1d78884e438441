// A dialog that is asked for counts as open before its code is there, so that nothing else opens over it in the meantime.
import { useLayoutEffect } from 'react';

let held = 0;
/** Whether a dialog is on its way. */
export const isDialogPending = (): boolean => held > 0;
/** Holds the place of a dialog while the component stands, drawn or not yet. */
export function usePendingDialog(): void {
  useLayoutEffect(() => {
    held += 1;
    return () => {
      held -= 1;
    };
  }, []);
}
