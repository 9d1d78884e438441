// An import of all or nothing on the embedded database, which has one connection: tried in steps, then written in steps, with turns for everybody in between.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { failImport, IMPORT_KIND, runImport } from '../../../../src/server/features/products/import/product-import.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { file, soap } from './files.ts';

const SIZE = 130;

describe('importing products in steps', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine: 'embedded', seed: { contracts: 20, stores: 1 }, tables: ['product-import'] });
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const tiles = async (name: string): Promise<number> =>
    (
      await query<{ n: number }>('select count(*) as n from products where store_id = 1 and handle like $1 and deleted_at is null', [
        `${name}-%`,
      ])
    )[0]?.n ?? 0;
  const content = (name: string, over: Record<string, string> = {}): string =>
    file(...Array.from({ length: SIZE }, (_, i) => soap({ Handle: `${name}-${i}`, Title: `${name} ${i}`, ...over })));
  const begin = async (text: string): Promise<number> => {
    const {
      data: { fileId },
    } = await server.call('product-import.preview', { fileName: 'x.csv', content: text });
    const [run] = await query<{ id: number }>('insert into runs (store_id, kind, input) values (1, $1, $2) returning id', [
      IMPORT_KIND,
      JSON.stringify({ fileId, mode: 'ALL_OR_NOTHING' }),
    ]);
    return Number(run?.id);
  };
  /** Runs it, and asks something after each of its transactions, as a page would. */
  const run = async (runId: number, between: () => Promise<void>, signal = new AbortController().signal): Promise<void> => {
    const { db } = server.services;
    const asked: typeof db = {
      ...db,
      kind: db.kind,
      inStore: async (storeId, work, options) => {
        try {
          return await db.inStore(storeId, work, options);
        } finally {
          await between();
        }
      },
    };
    await runImport({ db: asked, definitions: server.services.definitions }, { storeId: 1, runId }, async () => undefined, signal);
  };
  const told = async (runId: number): Promise<JsonObject> => (await server.call('product-import.progress', { runId })).data;

  test('others get their turn between the steps, and see none of the try', async () => {
    const runId = await begin(content('slate'));
    const seen: number[] = [];
    await run(runId, async () => {
      seen.push(await tiles('slate'));
    });
    const first = seen.findIndex(n => n > 0);
    // Read, tried and written in several steps each.
    expect(first).toBeGreaterThan(4);
    expect(new Set(seen.slice(first)).size).toBeGreaterThan(2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await tiles('slate')).toBe(SIZE);
    expect(await told(runId)).toMatchObject({
      status: 'COMPLETED',
      total: SIZE,
      processed: SIZE,
      succeeded: SIZE,
      result: { created: SIZE, changed: 0, unchanged: 0 },
    });
    expect(
      await query(
        "select count(*) as n from variants v join products p on p.store_id = v.store_id and p.id = v.product_id where p.store_id = 1 and p.handle like 'slate-%'",
      ),
    ).toEqual([{ n: SIZE }]);
  });

  test('what is as the file says is not written at all', async () => {
    await run(await begin(content('slate')), async () => undefined);
    const before = await query(
      "select xmin::text as x, ctid::text as c from products where store_id = 1 and handle like 'slate-%' order by id",
    );
    const runId = await begin(content('slate'));
    await run(runId, async () => undefined);
    expect(
      await query("select xmin::text as x, ctid::text as c from products where store_id = 1 and handle like 'slate-%' order by id"),
    ).toEqual(before);
    expect(await told(runId)).toMatchObject({ status: 'COMPLETED', result: { created: 0, changed: 0, unchanged: SIZE } });
  });

  test('one that was interrupted while it wrote goes on, and counts each product once', async () => {
    const stop = new AbortController();
    const runId = await begin(content('chalk'));
    await expect(
      run(
        runId,
        async () => {
          if ((await tiles('chalk')) > 0) stop.abort();
        },
        stop.signal,
      ),
    ).rejects.toThrow();
    const half = await tiles('chalk');
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(SIZE);
    expect(await told(runId)).toMatchObject({ status: 'IN_PROGRESS', processed: half });
    const seen: number[] = [];
    await run(runId, async () => {
      seen.push(await tiles('chalk'));
    });
    expect(await told(runId)).toMatchObject({ status: 'COMPLETED', processed: SIZE, result: { created: SIZE, changed: 0, unchanged: 0 } });
    expect(await tiles('chalk')).toBe(SIZE);
  });

  test('one that gives up says truly whether something came in', async () => {
    const untouched = await begin(content('marl'));
    await failImport(server.services.db, { storeId: 1, runId: untouched });
    expect(await told(untouched)).toMatchObject({
      status: 'FAILED',
      error: 'The import stopped because of an error on our side. Nothing was imported; try it again.',
    });
    const stop = new AbortController();
    const begun = await begin(content('marl'));
    await expect(
      run(
        begun,
        async () => {
          if ((await tiles('marl')) > 0) stop.abort();
        },
        stop.signal,
      ),
    ).rejects.toThrow();
    await failImport(server.services.db, { storeId: 1, runId: begun });
    expect(await told(begun)).toMatchObject({
      status: 'FAILED',
      error: 'The import stopped because of an error on our side. Products that came in stay; import the file again for the rest.',
    });
  });
});
