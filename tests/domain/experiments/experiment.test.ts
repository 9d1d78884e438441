// Which variant won, and that customers are spread over both as was asked.
import { expect, test } from 'vitest';
import { variantOf, winnerOf } from '../../../src/domain/experiments/experiment.ts';

test.each([
  [1000, 100, 1000, 120, 20, 'VARIANT'],
  [1000, 100, 1000, 110, 20, 'NONE'],
  [1000, 120, 1000, 100, 20, 'CONTROL'],
  [1000, 0, 1000, 5, 20, 'VARIANT'],
  [1000, 0, 1000, 0, 20, 'NONE'],
  [0, 0, 0, 0, 20, 'NONE'],
  [10, 5, 0, 0, 1, 'NONE'],
  [300, 30, 700, 84, 20, 'VARIANT'],
])('A %i/%i, B %i/%i, criteria %i %%: %s', (a, savedA, b, savedB, criteria, winner) => {
  expect(winnerOf({ attempts: a, saves: savedA }, { attempts: b, saves: savedB }, criteria)).toBe(winner);
});

test('a customer sees the same variant each time, the parts are those asked for, and experiments do not depend on one another', () => {
  const customers = Array.from({ length: 4000 }, (_, i) => i + 1);
  const of = (experiment: string, percent: number) => customers.map(id => variantOf(experiment, id, percent));
  expect(of('x', 30)).toEqual(of('x', 30));
  for (const percent of [1, 30, 50, 99]) {
    const part = (of(`e${percent}`, percent).filter(one => one === 'B').length / customers.length) * 100;
    expect(Math.abs(part - percent)).toBeLessThan(3);
  }
  const two = of('two', 50);
  const both = of('one', 50).filter((one, i) => one === 'B' && two[i] === 'B');
  expect(both.length / customers.length).toBeCloseTo(0.25, 1);
});
