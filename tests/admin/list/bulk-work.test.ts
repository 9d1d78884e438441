// Work on many rows: how many at once, stopping, what became of each.
import { describe, expect, it } from 'vitest';
import { byReason, workThrough } from '../../../src/admin/list/actions/bulk-work.ts';

const rows = Array.from({ length: 20 }, (_, i) => i + 1);
const usual = { atOnce: 4, isFinal: () => false, onStep: () => undefined, signal: new AbortController().signal };
const turn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve);
  });

describe('work on many rows', () => {
  it('does every row once, no more than so many at a time, and tells how far it is', async () => {
    let now = 0,
      most = 0;
    const steps: number[] = [];
    const worked = await workThrough(
      rows,
      async () => {
        now++;
        most = Math.max(most, now);
        await turn();
        now--;
      },
      {
        ...usual,
        onStep: n => {
          steps.push(n);
        },
      },
    );
    expect(worked.done.sort((a, b) => a - b)).toEqual(rows);
    expect(worked).toMatchObject({ failed: [], left: [] });
    expect(most).toBe(4);
    expect(steps).toEqual(rows);
  });

  it('goes on after a row that fails, and names it with its reason', async () => {
    const worked = await workThrough(
      rows,
      async row => {
        await turn();
        if (row % 5 === 0) throw new Error(row === 20 ? 'It has ended.' : 'It is locked.');
      },
      usual,
    );
    expect(worked.done).toHaveLength(16);
    expect(byReason(worked.failed)).toEqual([
      { message: 'It is locked.', rows: [5, 10, 15] },
      { message: 'It has ended.', rows: [20] },
    ]);
  });

  it('stops when asked to, finishing what is under way; the rest is left as it is', async () => {
    const stop = new AbortController();
    const worked = await workThrough(
      rows,
      async row => {
        if (row === 6) stop.abort();
        await turn();
      },
      { ...usual, signal: stop.signal },
    );
    expect([...worked.done, ...worked.left].sort((a, b) => a - b)).toEqual(rows);
    expect(worked.done).toContain(6);
    expect(worked.left.length).toBeGreaterThan(10);
  });

  it('leaves the rest where every further row would fail the same way', async () => {
    const worked = await workThrough(
      rows,
      async row => {
        await turn();
        if (row === 3) throw new Error('Unable to connect to server.');
      },
      { ...usual, isFinal: () => true },
    );
    expect(worked.failed.map(({ row }) => row)).toEqual([3]);
    expect(worked.done.length + worked.failed.length + worked.left.length).toBe(20);
    expect(worked.left.length).toBeGreaterThan(10);
  });
});
