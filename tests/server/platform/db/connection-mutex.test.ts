// The turns at the single connection of the embedded database: calls before work in the background, but never for long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseBusy } from '../../../../src/server/platform/db/errors.ts';
import { ConnectionMutex } from '../../../../src/server/platform/db/embedded/connection-mutex.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets everybody in, one after the other; gives the names in that order. */
async function order(turn: ConnectionMutex, went: string[]): Promise<string[]> {
  for (;;) {
    turn.leave();
    const before = went.length;
    await Promise.resolve();
    await Promise.resolve();
    if (went.length === before) return went;
  }
}

async function queue(...asks: (readonly [name: string, isPatient: boolean] | number)[]): Promise<string[]> {
  const turn = new ConnectionMutex();
  const went: string[] = [];
  await turn.enter(1000);
  for (const ask of asks) {
    if (typeof ask === 'number') vi.advanceTimersByTime(ask);
    else void turn.enter(60_000, ask[1]).then(() => went.push(ask[0]));
  }
  return order(turn, went);
}

test('those of a kind go in the order of asking', async () => {
  expect(await queue(['a', false], ['b', false], 5, ['c', false])).toEqual(['a', 'b', 'c']);
  expect(await queue(['a', true], ['b', true], 5, ['c', true])).toEqual(['a', 'b', 'c']);
});

test('a call goes before work in the background that has just asked', async () => {
  expect(await queue(['work', true], ['call', false], ['more work', true], 100, ['another call', false])).toEqual([
    'call',
    'another call',
    'work',
    'more work',
  ]);
});

test('work in the background that has waited long enough goes before later calls, however many come', async () => {
  expect(await queue(['work', true], 400, ['early', false], 101, ['late', false], ['latest', false])).toEqual([
    'early',
    'work',
    'late',
    'latest',
  ]);
  expect(await queue(['work', true], 501, ['first', false], ['more work', true], ['second', false])).toEqual([
    'work',
    'first',
    'second',
    'more work',
  ]);
});

test('who waits too long gets an error, and keeps no other caller waiting', async () => {
  const turn = new ConnectionMutex();
  await turn.enter(1000);
  const work = turn.enter(5000, true);
  const call = turn.enter(2000);
  const refused = expect(call).rejects.toThrow(DatabaseBusy);
  vi.advanceTimersByTime(2000);
  await refused;
  turn.leave();
  await work;
  expect(turn.idle).toBe(false);
  turn.leave();
  expect(turn.idle).toBe(true);
});
