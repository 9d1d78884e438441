// A value that follows the address but answers a click at once: the address takes a moment to come round.
import { useState } from 'react';

/** [what to show, how to change it]; `tell` hands the change on, and what comes back from there wins. */
export function useOptimisticValue<T extends string>(given: T, tell: (value: T) => void): [T, (value: T) => void] {
  const [state, setState] = useState({ own: given, given });
  if (state.given !== given) setState({ own: given, given });
  return [
    state.given === given ? state.own : given,
    value => {
      setState({ own: value, given });
      tell(value);
    },
  ];
}
