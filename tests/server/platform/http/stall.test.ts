// One request that was made to be expensive holds nobody up: measured is the longest gap between two turns of the event loop while it is answered.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const COMMAS = 5_200_000;
/** A header, and commas as far as a file may go. */
const commas = (header: string, line: number): string => `${header}\n${`${','.repeat(line)}\n`.repeat(Math.floor(COMMAS / (line + 1)))}`;

describe('a request that was made to be expensive', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 4, stores: 1 }, tables: ['sign-in', 'bulk-actions', 'product-import'] });
  });
  afterAll(() => server?.close());
  /** The longest gap (ms) while `work` goes on. */
  const longestGap = async (work: () => Promise<unknown>): Promise<number> => {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await work();
    delays.disable();
    return delays.max / 1e6;
  };
  const atOnce = (text: string): number => {
    const begun = performance.now();
    parse(text, { relax_column_count: true, skip_records_with_empty_values: true });
    return performance.now() - begun;
  };

  it.each<[string, string, (content: string) => JsonObject, string]>([
    [
      'bulk-actions.entityCount',
      'subscription_id',
      content => ({ selection: { mode: 'CSV', fileName: 'a.csv', content } }),
      'more than 1,000,000 cells',
    ],
    ['product-import.preview', `handle,title${','.repeat(98)}`, content => ({ fileName: 'a.csv', content }), 'more than'],
  ])('%s reads a file of commas in steps, and no further than it may go', async (call, header, input, sentence) => {
    const content = commas(header, 99);
    const whole = atOnce(content);
    const given = input(content);
    let told = '';
    const gap = await longestGap(async () => {
      told = JSON.stringify((await server.call(call, given)).body);
    });
    expect({ gap, whole, isShort: gap < whole / 3 }).toMatchObject({ isShort: true });
    expect(told).toContain(sentence);
  });

  it('refuses more names than anything has, from strangers too, and answers with no more than fifty fields', async () => {
    const names = (n: number): JsonObject => ({
      email: 'nobody@nowhere.example',
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`unknown${i}`, 1])),
    });
    const many = await server.call('sign-in.requestLink', names(19_000), { as: null });
    expect([many.status, many.body.message]).toEqual([400, 'An object of the body has more than 1,000 members.']);
    const some = await server.call('sign-in.requestLink', names(950), { as: null });
    expect([some.status, some.body.errors?.length]).toEqual([422, 50]);
    expect(some.body.message).toBe('"unknown0" is not a field of “Send a sign-in link”. And 949 more fields are not valid.');
    expect(JSON.stringify(some.body).length).toBeLessThan(JSON.stringify(names(950)).length);
  });
});
