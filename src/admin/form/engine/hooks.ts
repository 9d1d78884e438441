// How components listen to a form's store.
import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { RefObject } from 'react';
import type { FormStore } from './store.ts';

/**
 * Draws the component again when a channel of the store changes (or one of several, a line each); see FormStore.subscribe for the channels.
 */
export function useChannel(store: FormStore, channel: string): number {
  const several = channel.includes('\n') ? channel.split('\n') : undefined;
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = (channel.includes('\n') ? channel.split('\n') : [channel]).map(one => store.subscribe(one, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, channel],
  );
  return useSyncExternalStore(subscribe, () => (several ? several.reduce((sum, one) => sum + store.stamp(one), 0) : store.stamp(channel)));
}

/** What is true of the whole form as it stands, such as whether a condition holds: drawn again when the answer is another one. */
export function useAnswer<T extends boolean | string | number>(store: FormStore, ask: () => T): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe('/**', listener), [store]);
  return useSyncExternalStore(subscribe, ask);
}

/** The newest value of something, for handlers that are made once. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Whether a section or card is open, and a way to change it. */
export function useOpen(store: FormStore, key: string, byDefault: boolean): [boolean, (open: boolean) => void] {
  useChannel(store, `open:${key}`);
  return [store.opened.isOpen(key, byDefault), useCallback((open: boolean) => store.opened.setOpen(key, open), [store, key])];
}
