// Long work in this process lets others have their turn.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../../../src/server/platform/queue/yield-to-event-loop.ts';

const busy = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms;);
};

test('others have their turn in the middle of long work', async () => {
  const yieldTurn = yieldToEventLoop();
  let others = 0,
    isOver = false;
  const other = (async () => {
    while (!isOver) {
      await turn();
      others++;
    }
  })();
  for (let step = 0; step < 10; step++) {
    busy(6);
    await yieldTurn();
  }
  isOver = true;
  await other;
  expect(others).toBeGreaterThanOrEqual(5);
});

test('however much long work there is, one stretch of it is done in a turn', async () => {
  let stretches = 0,
    most = 0,
    isOver = false;
  const other = (async () => {
    while (!isOver) {
      const before = stretches;
      await turn();
      most = Math.max(most, stretches - before);
    }
  })();
  const work = async (): Promise<void> => {
    const yieldTurn = yieldToEventLoop();
    for (let step = 0; step < 15; step++) {
      busy(4);
      stretches++;
      await yieldTurn();
    }
  };
  const works: Promise<void>[] = [];
  for (let i = 0; i < 12; i++) {
    works.push(work());
    await turn();
  }
  await Promise.all(works);
  isOver = true;
  await other;
  // One that goes on, one that begins.
  expect(most).toBeLessThanOrEqual(2);
});
