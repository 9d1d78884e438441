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
