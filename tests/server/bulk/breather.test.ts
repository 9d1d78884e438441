// Long work in this process lets others have their turn.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { breather } from '../../../src/server/breather.ts';

const busy = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms;);
};

test('others have their turn in the middle of long work', async () => {
  const breathe = breather();
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
    await breathe();
  }
  isOver = true;
  await other;
  expect(others).toBeGreaterThanOrEqual(5);
});
