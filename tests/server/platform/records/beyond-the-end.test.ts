// A page beyond the end has no rows, and still says how many there are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../../src/server/features/alerts/catalogue.ts';
import { runCheck, scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('a page beyond the end on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 150 } });
  });
  afterAll(() => server.close());

  const first = async <R>(text: string): Promise<R | undefined> => (await server.services.db.ownerQuery<R & object>(text, [])).rows[0];
  const pages = async (call: string, input: Record<string, unknown>): Promise<{ total: unknown; rows: number }[]> => {
    const found = [];
    for (const page of [1, 1000]) {
      const answer = await server.call(call, { ...input, page, pageSize: 1 });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      found.push({ total: answer.body.pageInfo?.total, rows: (answer.data as unknown[]).length });
    }
    return found;
  };
  const same = async (call: string, input: Record<string, unknown>): Promise<void> => {
    const [inside, beyond] = await pages(call, input);
    expect(inside?.rows, call).toBe(1);
    expect(Number(inside?.total), call).toBeGreaterThan(0);
    expect(beyond, call).toEqual({ total: inside?.total, rows: 0 });
  };

  it('of the records that an alert is about, whatever they are', async () => {
    const { db, definitions } = server.services;
    await db.ownerQuery(
      "update variants set inventory_management = 'shopify', inventory_policy = 'deny', inventory_quantity = 0 where store_id = 1",
      [],
    );
    await db.ownerQuery("update collections set sync_status = 'FAILED' where store_id = 1", []);
    await db.ownerQuery(
      'delete from plan_products where store_id = 1 and group_id = (select min(id) from records where store_id = 1 and entity = $1 and data ->> $2 = $3)',
      ['selling-plan-group', 'status', 'ACTIVE'],
    );
    for (const check of CHECKS) {
      await db.inStore(1, async trx =>
        runCheck(
          scopeOf(
            trx,
            await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
            new Date(),
            definitions.plans,
          ),
          check,
        ),
      );
    }
    const kinds = new Set<string>();
    for (const alert of (await server.call('alerts.unresolved')).data as { id: number; entityType: string }[]) {
      await same('alerts.data', { id: alert.id });
      kinds.add(alert.entityType);
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['subscription', 'variant', 'collection', 'selling-plan-group']));
  });

  it('of collections and groups that are mapped to each other, and of their products', async () => {
    const member = await first<{ id: number }>('select collection_id as id from collection_products where store_id = 1 limit 1');
    await same('collections.products', { collectionId: member?.id ?? 0 });
    const group = await first<{ id: number }>('select group_id as id from plan_products where store_id = 1 limit 1');
    await same('selling-plan-groups.products', { lspgId: group?.id ?? 0 });
    const mapped = await first<{ id: number }>('select group_id as id from plan_collections where store_id = 1 limit 1');
    await same('selling-plan-groups.mappedCollections', { lspgId: mapped?.id ?? 0 });
  });
});
