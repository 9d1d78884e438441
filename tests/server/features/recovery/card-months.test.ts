// A card is good until the last day of its month ends in the store: the same for the list of payments ahead, the customer's methods, the opportunities and the alert.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { withExpiredMethod } from '../../../../src/server/features/alerts/checks/payments.ts';
import { scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, stockGoods } from '../subscriptions/fixture.ts';

describe.each(oneEngine)('the month of a card on %s', engine => {
  let server: TestServer;
  let made: { id: number; customerId: number; methods: number[] };
  /** The first of a month, five in the morning in UTC: elsewhere the month before is not over. */
  const now = new Date();
  const edge = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1, 5);
  const last = new Date(edge - 86_400_000);

  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 20 }, config: { workers: 0 } });
    made = await makeContract(server, await stockGoods(server), { nextBillingDateEpoch: inDays(5, edge) });
    await sql(
      `update payment_methods set expiry_year = ${last.getUTCFullYear()}, expiry_month = ${last.getUTCMonth() + 1} where store_id = 1 and id = ${made.methods[0]}`,
    );
  });
  afterAll(() => server.close());

  const sql = (text: string) => server.services.db.ownerQuery<{ contract_id: number }>(text);
  const ask = async (name: string, input: JsonObject = {}): Promise<JsonObject[]> => {
    const answer = await server.call(name, input);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.data as JsonObject[];
  };

  it.each([
    ['Pacific/Pago_Pago', 'EXPIRING', 'evening of the last day'],
    ['Pacific/Kiritimati', 'EXPIRED', 'the first of the next'],
  ])('in %s it is %s: %s', async (timezone, status) => {
    await sql(`update stores set timezone = '${timezone}', clock_offset_ms = ${edge - Date.now()} where id = 1`);
    server.services.sessions.forget(1);
    const isOver = status === 'EXPIRED';
    expect((await ask('payment-recovery.list', { q: String(made.id) })).find(row => row.subscriptionId === made.id)).toMatchObject({
      paymentMethodStatus: status,
      riskLevel: isOver ? 'HIGH' : 'MEDIUM',
    });
    expect((await ask('payments.details', { customerId: made.customerId })).find(one => one.id === made.methods[0])).toMatchObject({
      status,
    });
    const { rows } = (await ask('opportunities.expiredMethods')) as unknown as { rows: { subscriptionId: number }[] };
    expect(rows.some(row => row.subscriptionId === made.id)).toBe(isOver);
    const hit = await server.services.db.inStore(1, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      return (await withExpiredMethod(scopeOf(trx, store, new Date(edge), server.services.definitions.plans)).execute(trx)).rows as {
        contract_id: number;
      }[];
    });
    expect(hit.some(row => row.contract_id === made.id)).toBe(isOver);
  });
});
