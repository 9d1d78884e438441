// How many rows the next step in the background takes on the embedded database: pages get their turn in between, on fast and on slow machines.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextSize, Pace } from '../../../src/server/store/pace.ts';

test('steps grow while they are short, shrink when they are long, and stay within their bounds', () => {
  expect([20, 40, 80, 160, 200].map(size => nextSize(size, 200, 10))).toEqual([40, 80, 160, 200, 200]);
  expect([200, 100, 50, 25, 20].map(size => nextSize(size, 200, 900))).toEqual([100, 50, 25, 20, 20]);
  expect(nextSize(120, 200, 80)).toBe(120);
  // Charges are few at a time, whatever the pace.
  expect([nextSize(25, 25, 10), nextSize(10, 10, 900)]).toEqual([25, 10]);
  expect([nextSize(400, 5000, 900, 200), nextSize(300, 5000, 900, 200)]).toEqual([200, 200]);
});

describe('the pace of a piece of work', () => {
  beforeEach(() => { vi.useFakeTimers({ toFake: ['performance'] }); });
  afterEach(() => { vi.useRealTimers(); });
  const took = async (pace: Pace, ...ms: number[]): Promise<number> => {
    for (const one of ms) await pace.timed(async () => { vi.advanceTimersByTime(one); });
    return pace.next();
  };

  test('begins small, and follows the longest transaction of each step', async () => {
    const pace = new Pace('embedded', 100);
    expect(pace.next()).toBe(20);
    expect([await took(pace, 10), await took(pace, 10, 20), await took(pace, 5)]).toEqual([40, 80, 100]);
    // A short answer after a long step makes the next one no larger.
    expect([await took(pace, 500, 5), await took(pace, 5, 400), await took(pace, 80)]).toEqual([50, 25, 25]);
    // Nothing was done since: nothing is known.
    expect(pace.next()).toBe(25);
  });

  test('counts a transaction that failed, and hands its error on', async () => {
    const pace = new Pace('embedded', 100, { fewest: 80 });
    pace.next();
    await expect(pace.timed(async () => { vi.advanceTimersByTime(900); throw new Error('No.'); })).rejects.toThrow('No.');
    expect(pace.next()).toBe(80);
    expect([await took(pace, 1), await took(pace, 900)]).toEqual([100, 80]);
  });

  test('is no matter where others have connections of their own, or where a test says how many', async () => {
    for (const pace of [new Pace('postgres', 100), new Pace('embedded', 200, { exactly: 100 })]) expect([pace.next(), await took(pace, 900), await took(pace, 1)]).toEqual([100, 100, 100]);
  });
});
