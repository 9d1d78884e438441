// What is said while something is asked again whose skeleton is on the page.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryObserver } from '@tanstack/react-query';
import { queryClient } from '../../../src/admin/platform/transport/query-client.ts';
import { isRetried } from '../../../src/admin/platform/transport/use-retrying.ts';
import { CallError } from '../../../src/admin/platform/transport/transport.ts';

const broken = new CallError(500, {});
let answers: (() => Promise<number>)[] = [];
const show = (): (() => void) =>
  new QueryObserver(queryClient, {
    queryKey: ['shown'],
    queryFn: () => (answers.shift() ?? (() => Promise.reject(broken)))(),
    staleTime: 0,
  }).subscribe(() => undefined);

beforeEach(() => {
  answers = [];
  queryClient.clear();
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

describe('a skeleton that stays', () => {
  it('D287 D288 is explained from the first failure on, until what it stands for is there', async () => {
    answers = [() => Promise.reject(broken), () => Promise.resolve(1)];
    const stop = show();
    expect(isRetried()).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(isRetried()).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(queryClient.getQueryData(['shown'])).toBe(1);
    expect(isRetried()).toBe(false);
    stop();
  });
  it('D288 is explained for seven seconds at most: then the page says itself what failed', async () => {
    const stop = show();
    await vi.advanceTimersByTimeAsync(6990);
    expect(isRetried()).toBe(true);
    await vi.advanceTimersByTimeAsync(20);
    expect(isRetried()).toBe(false);
    stop();
  });
  it('is not explained where a refusal is an answer, where rows are on screen, or where no page is shown', async () => {
    answers = [() => Promise.reject(new CallError(403, {}))];
    show()();
    await vi.advanceTimersByTimeAsync(10);
    expect(isRetried()).toBe(false);
    queryClient.clear();
    answers = [() => Promise.resolve(1)];
    const stop = show();
    await vi.advanceTimersByTimeAsync(10);
    void queryClient.refetchQueries({ queryKey: ['shown'] });
    await vi.advanceTimersByTimeAsync(10);
    expect(queryClient.getQueryState(['shown'])?.fetchFailureCount).toBe(1);
    expect(isRetried()).toBe(false);
    stop();
    queryClient.clear();
    const leave = show();
    await vi.advanceTimersByTimeAsync(10);
    expect(isRetried()).toBe(true);
    leave();
    expect(isRetried()).toBe(false);
  });
});
