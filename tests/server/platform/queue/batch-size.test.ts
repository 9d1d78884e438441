// How many rows the next step in the background takes on the embedded database: pages get their turn in between, on fast and on slow
// machines.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextAskedSize, nextBatchSize, BatchSize } from '../../../../src/server/platform/queue/batch-size.ts';

test('steps grow while they are short, shrink when they are long, and stay within their bounds', () => {
  expect([20, 40, 80, 160, 200].map(size => nextBatchSize(size, 200, 10))).toEqual([40, 80, 160, 200, 200]);
  expect([200, 100, 50, 25, 20].map(size => nextBatchSize(size, 200, 900))).toEqual([100, 50, 25, 20, 20]);
  expect(nextBatchSize(120, 200, 80)).toBe(120);
  // Charges are few at a time, whatever the batch size.
  expect([nextBatchSize(25, 25, 10), nextBatchSize(10, 10, 900)]).toEqual([25, 10]);
  expect([nextBatchSize(400, 5000, 900, 200), nextBatchSize(300, 5000, 900, 200)]).toEqual([200, 200]);
});

test('while calls come in, steps are as large as takes a short time, at most twice or half as large as the last, and within their bounds', () => {
  expect([nextAskedSize(20, 200, 15), nextAskedSize(40, 200, 30), nextAskedSize(40, 200, 12), nextAskedSize(40, 200, 1)]).toEqual([
    20, 20, 50, 80,
  ]);
  expect([nextAskedSize(150, 200, 1), nextAskedSize(20, 200, 900), nextAskedSize(10, 200, 900)]).toEqual([200, 10, 10]);
  expect([nextAskedSize(3, 4, 900), nextAskedSize(4, 4, 1), nextAskedSize(1, 1, 900)]).toEqual([2, 4, 1]);
});

const quiet = { kind: 'embedded', isAsked: false } as const;

describe('the batch size of a piece of work', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const took = async (batchSize: BatchSize, ...ms: number[]): Promise<number> => {
    for (const one of ms)
      await batchSize.timed(async () => {
        vi.advanceTimersByTime(one);
      });
    return batchSize.next();
  };

  test('begins small, and follows the longest transaction of each step', async () => {
    const batchSize = new BatchSize(quiet, 100);
    expect(batchSize.next()).toBe(20);
    expect([await took(batchSize, 10), await took(batchSize, 10, 20), await took(batchSize, 5)]).toEqual([40, 80, 100]);
    // A short answer after a long step makes the next one no larger.
    expect([await took(batchSize, 500, 5), await took(batchSize, 5, 400), await took(batchSize, 80)]).toEqual([50, 25, 25]);
    // Nothing was done since: nothing is known.
    expect(batchSize.next()).toBe(25);
  });

  test('counts a transaction that failed, and hands its error on', async () => {
    const batchSize = new BatchSize(quiet, 100, { min: 80 });
    batchSize.next();
    await expect(
      batchSize.timed(async () => {
        vi.advanceTimersByTime(900);
        throw new Error('No.');
      }),
    ).rejects.toThrow('No.');
    expect(batchSize.next()).toBe(80);
    expect([await took(batchSize, 1), await took(batchSize, 900)]).toEqual([100, 80]);
  });

  test('is short as soon as calls come in and goes on with what it was as soon as none do', async () => {
    const db = { kind: 'embedded' as const, isAsked: false };
    const batchSize = new BatchSize(db, 200);
    batchSize.next();
    expect([await took(batchSize, 5), await took(batchSize, 5), await took(batchSize, 5)]).toEqual([40, 80, 160]);
    db.isAsked = true;
    // The step of 160 was short for one that no call waits for; the first beside a call is small nevertheless.
    expect(await took(batchSize, 30)).toBe(20);
    expect([await took(batchSize, 10), await took(batchSize, 20), await took(batchSize, 900), await took(batchSize, 900)]).toEqual([
      30, 23, 12, 10,
    ]);
    db.isAsked = false;
    expect([await took(batchSize, 10), await took(batchSize, 10)]).toEqual([200, 200]);
    db.isAsked = true;
    expect(await took(batchSize, 10)).toBe(15);
  });

  test('does not count what a step waited for its turn', async () => {
    const batchSize = new BatchSize(quiet, 100);
    batchSize.next();
    await batchSize.timed(async begun => {
      vi.advanceTimersByTime(400);
      begun();
      vi.advanceTimersByTime(10);
    });
    expect(batchSize.next()).toBe(40);
  });

  test('takes a quarter at once where others have connections of their own and this process is asked', async () => {
    const db = { kind: 'postgres' as const, isAsked: false };
    const batchSize = new BatchSize(db, 200);
    expect(batchSize.next()).toBe(200);
    db.isAsked = true;
    expect([batchSize.next(), await took(batchSize, 900), await took(batchSize, 1)]).toEqual([50, 50, 50]);
    db.isAsked = false;
    expect(batchSize.next()).toBe(200);
    const few = { kind: 'postgres', isAsked: true } as const;
    expect([new BatchSize(few, 200, { exactly: 3 }).next(), new BatchSize(few, 25).next(), new BatchSize(few, 8).next()]).toEqual([
      3, 20, 8,
    ]);
  });

  test('is no matter where others have connections of their own, or where a test says how many', async () => {
    for (const batchSize of [new BatchSize({ kind: 'postgres', isAsked: false }, 100), new BatchSize(quiet, 200, { exactly: 100 })])
      expect([batchSize.next(), await took(batchSize, 900), await took(batchSize, 1)]).toEqual([100, 100, 100]);
  });
});
