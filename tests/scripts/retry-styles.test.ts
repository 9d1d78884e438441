// The change to Vite's helper finds its places, or the build stops.
import { expect, it } from 'vitest';
import { retryStyles } from '../../scripts/retry-styles-plugin.ts';

const helper =
  'then(() => { seen[href] = void 0; }, (err) => { seen[href] = void 0;\n\tthrow err; }); if (e.type === "error") rej(err); else res(e);';

it('forgets a stylesheet that failed, and only that', () => {
  expect(retryStyles(helper)).toBe(
    'then(() => { seen[href] = void 0; }, (err) => { delete seen[href];\n\tthrow err; }); if (e.type === "error") link.remove(), rej(err); else res(e);',
  );
});

it('says so where the helper is another one', () => {
  for (const other of ['', helper.replace('throw err', 'throw error'), helper.replace('e.type', 'event.type')])
    expect(() => retryStyles(other)).toThrow(/The helper by which Vite loads styles has changed/);
});
