// Code that arrives later, and stays: a chunk's module is kept in a variable once loaded and then drawn at once.
// (React.lazy holds the reveal back by 300 ms even when the code is already there.)
import { useSyncExternalStore } from 'react';
import { isReachable, watchConnection } from './transport/transport.ts';

export interface Chunk<T> {
  /** The module, once it is there. */
  get(): T | undefined;
  /** Loads it (once); a failed load is tried again by the next call. */
  load(): Promise<T>;
  watch(then: () => void): () => void;
  error(): unknown;
  /** Forgets that loading failed, so that it is tried again. */
  forgive(): void;
}

/** What can be loaded ahead: a chunk, or several as one. */
export type Loadable = Pick<Chunk<unknown>, 'get' | 'load'>;

const failed = new Set<Chunk<unknown>>();
/** Lets everything that could not be loaded be tried again: the "Try again" of a page that failed. */
export function retryChunks(): void {
  for (const one of failed) one.forgive();
  failed.clear();
}

/** A chunk from a dynamic import: `const form = chunk(() => import('./form/form.tsx'))`. */
export function chunk<T>(fetchIt: () => Promise<T>): Chunk<T> {
  let value: T | undefined;
  let loading: Promise<T> | undefined;
  let failure: unknown;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const self: Chunk<T> = {
    get: () => value,
    error: () => failure,
    forgive: () => {
      failure = undefined;
    },
    load: () =>
      (loading ??= fetchIt().then(
        module => {
          value = module;
          failure = undefined;
          tell();
          return module;
        },
        (error: unknown) => {
          loading = undefined;
          failure = error;
          failed.add(self);
          tell();
          throw error;
        },
      )),
    watch: then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
  };
  return self;
}

const still = (): (() => void) => () => undefined;
const none = (): undefined => undefined;
/**
 * A chunk's module, or undefined while it loads (or while no chunk is given). Throws to the page's error boundary when it can't be loaded.
 */
export function useChunk<T>(one: Chunk<T> | undefined): T | undefined {
  const value = useSyncExternalStore(one?.watch ?? still, one?.get ?? none);
  const failure = useSyncExternalStore(one?.watch ?? still, one?.error ?? none);
  if (value === undefined && failure !== undefined) throw failure;
  if (one && value === undefined) void one.load().catch(() => undefined);
  return value;
}

const waiting: Loadable[] = [];
/**
 * Loads chunks, one after another, as soon as the browser has nothing better to do: call it when the first page is shown. While the
 * server can't be reached nothing is tried: a chunk that failed ahead of time would show its failure when it is opened later.
 */
export function warm(...chunks: (Loadable | undefined)[]): void {
  for (const one of chunks) if (one && one.get() === undefined && !waiting.includes(one)) waiting.push(one);
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  const next = (): void => {
    if (!isReachable()) {
      const stop = watchConnection(() => {
        stop();
        idle(next);
      });
      return;
    }
    const one = waiting.shift();
    if (one)
      void one
        .load()
        .catch(() => undefined)
        .then(() => idle(next));
  };
  idle(next);
}
