// How components listen to a form's store.
import { useCallback, useSyncExternalStore } from 'react';
import type { FormStore } from './store.ts';

/** Draws the component again when a channel of the store changes; see FormStore.subscribe for the channels. */
export function useChannel(store: FormStore, channel: string): number {
  const subscribe = useCallback((listener: () => void) => store.subscribe(channel, listener), [store, channel]);
  return useSyncExternalStore(subscribe, () => store.stamp(channel));
}

/** Whether a section or card is open, and a way to change it. */
export function useOpen(store: FormStore, key: string, byDefault: boolean): [boolean, (open: boolean) => void] {
  useChannel(store, `open:${key}`);
  return [store.isOpen(key, byDefault), useCallback((open: boolean) => store.setOpen(key, open), [store, key])];
}
