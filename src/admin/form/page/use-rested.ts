// What is typed, once it rests: a preview asks the server then, not at every keystroke.
import { useEffect, useState } from 'react';

/** The value as it was when nothing else came for `ms`; the first one at once. Compared by its JSON. */
export function useRested<V>(value: V, ms = 350): V {
  const [rested, setRested] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as V), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return rested;
}
