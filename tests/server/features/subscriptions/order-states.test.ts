// Check 21 for orders: every action on an order in every state that an order can be in. What is allowed works, all else is refused and changes nothing.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import order from '../../../../schemas/entities/order.json' with { type: 'json' };
import { oneEngine } from '../../../support/database.ts';
import { inDays, rowsOf, type Made } from './fixture.ts';
import { serverWithGoods } from './goods-server.ts';

type State = 'SCHEDULED' | 'MOVED' | 'SKIPPED' | 'SKIPPED_AFTER_FAILING' | 'FAILED' | 'PROCESSING' | 'PAID' | 'WAITING_FOR_STOCK';
const DECLINED = { tokens: ['tok_decline_card_declined', 'tok_success'] };
const idOf = (made: Made): number => made.id * 10_000 + 1;

const ACTIONS: Record<
  string,
  { input(made: Made): JsonObject; /** Where it leads from the states in which it works. */ to: Partial<Record<State, string>> }
> = {
  skipOrder: { input: () => ({}), to: { SCHEDULED: 'SKIPPED', MOVED: 'SKIPPED', FAILED: 'SKIPPED', WAITING_FOR_STOCK: 'SKIPPED' } },
  unSkipOrder: { input: () => ({}), to: { SKIPPED: 'SCHEDULED' } },
  rescheduleOneOrder: { input: () => ({ billingDateEpoch: inDays(20) }), to: { SCHEDULED: 'SCHEDULED', MOVED: 'SCHEDULED' } },
  // The card of an order that failed is declined once more.
  chargeNow: { input: () => ({}), to: { SCHEDULED: 'PAID', MOVED: 'PAID', FAILED: 'FAILED', WAITING_FOR_STOCK: 'PAID' } },
};

describe.each(oneEngine)('orders and what is done to them, on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 4, stores: 1 } });

  const sql = (text: string): Promise<unknown> => at.server.services.db.exec(text);
  const call = async (name: string, made: Made, input: JsonObject = {}) => {
    const answer = await at.server.call(`subscription-contract.${name}`, { id: made.id, orderId: idOf(made), ...input });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const row = (made: Made, status: string, more: string): Promise<unknown> =>
    sql(`
    update contracts set next_cycle = 2 where store_id = 1 and id = ${made.id};
    insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, total, ${more.split(' = ')[0]})
    select 1, ${idOf(made)}, id, customer_id, 1, 1, '${status}', now(), now(), now(), 'USD', 4495, ${more.split(' = ')[1]} from contracts where store_id = 1 and id = ${made.id}`);

  const BRING: Record<State, () => Promise<Made>> = {
    SCHEDULED: () => at.make(),
    MOVED: async () => {
      const made = await at.make();
      await call('rescheduleOneOrder', made, { billingDateEpoch: inDays(25) });
      return made;
    },
    SKIPPED: async () => {
      const made = await at.make();
      await call('skipOrder', made);
      return made;
    },
    FAILED: async () => {
      const made = await at.make(DECLINED);
      await call('chargeNow', made);
      return made;
    },
    SKIPPED_AFTER_FAILING: async () => {
      const made = await BRING.FAILED();
      await call('skipOrder', made);
      return made;
    },
    PAID: async () => {
      const made = await at.make();
      await call('chargeNow', made);
      return made;
    },
    PROCESSING: async () => {
      const made = await at.make();
      await row(made, 'PROCESSING', 'attempts = 1');
      await sql(
        `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready) values (1, ${idOf(made)}, ${made.id}, 1, 'SCHEDULED', 'open-${made.id}', 4495, 'USD', false)`,
      );
      return made;
    },
    WAITING_FOR_STOCK: async () => {
      const made = await at.make();
      await row(made, 'SCHEDULED', 'retry = \'{"kind":"STOCK"}\'');
      return made;
    },
  };

  it('tries every state and every action that there is', () => {
    const { moves } = order['x-states'];
    expect(Object.keys(ACTIONS)).toEqual(expect.arrayContaining(Object.keys(moves).filter(name => !['pay', 'decline'].includes(name))));
    const states = new Set(
      Object.keys(BRING).map(name =>
        name === 'MOVED' || name === 'WAITING_FOR_STOCK' ? 'SCHEDULED' : name === 'SKIPPED_AFTER_FAILING' ? 'SKIPPED' : name,
      ),
    );
    expect([...states].sort()).toEqual(order.properties.status.oneOf.map(one => one.const).sort());
  });

  describe.each(Object.keys(BRING) as State[])('%s', state => {
    it.each(Object.entries(ACTIONS))('D054 %s', async (name, { input, to }) => {
      const made = await BRING[state]();
      const before = (await rowsOf(at.server, made.id)) as { activity: unknown[]; attempts: unknown[] };
      const answer = await at.server.call(`subscription-contract.${name}`, { id: made.id, orderId: idOf(made), ...input(made) });
      const after = (await rowsOf(at.server, made.id)) as {
        orders: { id: number; status: string }[];
        activity: unknown[];
        attempts: unknown[];
      };
      const next = to[state];
      if (next === undefined) {
        expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([409, 'INVALID_STATE']);
        expect(after).toEqual(before);
        return;
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      // An order without a row is scheduled where the schedule has it.
      expect(after.orders.find(one => Number(one.id) === idOf(made))?.status ?? 'SCHEDULED').toBe(next);
      expect(after.activity.length).toBeGreaterThan(before.activity.length);
      expect(after.attempts.length).toBe(before.attempts.length + (name === 'chargeNow' ? 1 : 0));
    });
  });
});
