// How data is loaded and kept, by the query client that the whole admin uses.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focusManager, MutationObserver, QueryObserver } from '@tanstack/react-query';
import { queryClient, retryDelay, worthRetrying } from '../../../src/admin/platform/transport/query-client.ts';
import { CallError } from '../../../src/admin/platform/transport/transport.ts';

const unreachable = new CallError(0, {});
let asked: number[] = [];
/** A read that fails as told and notes when it was asked, in ms from its beginning. */
const failing = (error: CallError) => {
  const from = Date.now();
  return () => {
    asked.push(Date.now() - from);
    return Promise.reject(error);
  };
};
const ask = (error: CallError): Promise<unknown> =>
  queryClient
    .fetchQuery({ queryKey: ['thing'], queryFn: failing(error), retry: queryClient.getDefaultOptions().queries?.retry ?? false })
    .catch((failure: unknown) => failure);

beforeEach(() => {
  asked = [];
  queryClient.clear();
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

describe('a read that fails', () => {
  it.each([
    ['is not reached', 0],
    ['is too busy', 503],
    ['has too many at once', 429],
    ['breaks', 500],
  ])('D287 D288 is tried three times more, after 1, 2 and 4 seconds, when the server %s', async (_what, status) => {
    const done = ask(new CallError(status, {}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await done).toBeInstanceOf(CallError);
    expect(asked).toEqual([0, 1000, 3000, 7000]);
  });
  it.each([400, 401, 403, 404, 409, 413, 422])('is not tried again when it was refused with %i', async status => {
    const done = ask(new CallError(status, {}));
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(asked).toEqual([0]);
  });
  it('D288 D289 the delay doubles from one second and never exceeds thirty, nor what the server asks for within them', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map(tries => retryDelay(tries))).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect([
      retryDelay(0, new CallError(429, {}, 5)),
      retryDelay(0, new CallError(503, {}, 900)),
      retryDelay(3, new CallError(503, {}, 1)),
    ]).toEqual([5000, 30_000, 8000]);
  });
  it('is asked again when the server is worth it, and only then', () => {
    expect([0, 429, 500, 502, 503, 504].map(status => worthRetrying(new CallError(status, {})))).toEqual(Array(6).fill(true));
    expect([200, 400, 401, 403, 404, 409, 422].map(status => worthRetrying(new CallError(status, {})))).toEqual(Array(7).fill(false));
    expect([worthRetrying(new Error('ours')), worthRetrying(undefined)]).toEqual([false, false]);
  });
});

describe('a write that fails', () => {
  it.each([0, 429, 500, 503])('is never tried again by itself (%i)', async status => {
    const write = new MutationObserver(queryClient, { mutationFn: failing(new CallError(status, {})) });
    const done = write.mutate().catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await done).toBeInstanceOf(CallError);
    expect(asked).toEqual([0]);
  });
});

describe('what was loaded', () => {
  const load = (): (() => void) =>
    new QueryObserver(queryClient, {
      queryKey: ['thing'],
      queryFn: () => {
        asked.push(1);
        return Promise.resolve(1);
      },
    }).subscribe(() => undefined);
  it('S321 D286 is not fetched again because the window has the focus', async () => {
    const stop = load();
    await vi.advanceTimersByTimeAsync(60_000);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([1]);
    stop();
  });
  it('D290 is kept for five minutes after it was last shown, and then forgotten', async () => {
    const stop = load();
    await vi.advanceTimersByTimeAsync(10_000);
    stop();
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
    expect(queryClient.getQueryData(['thing'])).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(queryClient.getQueryData(['thing'])).toBeUndefined();
  });
  it('a failure is not kept as if it were data', async () => {
    const done = ask(unreachable);
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(queryClient.getQueryData(['thing'])).toBeUndefined();
  });
});
