// What the reading calls show without a right: their bodies beside those with every right, field by field, for every area. The matrix of rights looks
// at 403 alone; a call that is allowed may still show what belongs to another area.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Looks, type Shown } from '../../../support/shown.ts';
import { MARKS, setScene } from './shown-scene.ts';
import { MAY_DIFFER } from './shown-places.ts';

describe('without READ of an area', () => {
  let server: TestServer;
  let looks: Looks;
  let token: string;
  let whole: Map<string, Shown>;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 60, stores: 1 }, jobs: true, config: { workers: 0 } });
    looks = new Looks(server, await setScene(server));
    token = await server.signIn('readOnly');
    whole = await looks.whole(token);
  }, 120_000);
  afterAll(() => server?.close());

  it('the scene shows every call, and each mark to who may see it', () => {
    expect(looks.unasked).toEqual([]);
    const refused = [...whole].filter(([, { status }]) => status !== 200).map(([name, { text }]) => `${name} ${text}`);
    expect(refused.filter(one => !one.startsWith('clock.run '))).toEqual([]);
    for (const mark of Object.keys(MARKS))
      expect({ mark, isShown: [...whole.values()].some(({ text }) => text.includes(mark)) }).toEqual({ mark, isShown: true });
  });

  it('calls show the same as with it, but for what is listed, and nothing that is marked as its own', async () => {
    const found: Record<string, Record<string, string[]>> = {};
    const leaks: string[] = [];
    for (const area of looks.areas) {
      await looks.grant(area);
      for (const call of looks.calls) {
        const shown = await looks.ask(call, token);
        const marks = Object.entries(MARKS).filter(([, of]) => of === area);
        for (const [mark] of marks) if (shown.text.includes(mark)) leaks.push(`${area}: ${call.name} shows ${mark}`);
        if (call.permission === area) continue; // the matrix of rights says that it is refused
        const before = whole.get(call.name) as Shown;
        const differing = shown.status === before.status ? looks.differing(call, before, shown) : [String(shown.status)];
        if (differing.length) (found[area] ??= {})[call.name] = differing;
      }
    }
    expect(leaks).toEqual([]);
    expect(found).toEqual(MAY_DIFFER);
  }, 300_000);
});
