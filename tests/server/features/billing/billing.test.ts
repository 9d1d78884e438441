// Plans: chosen, approved, in effect at once or at the end of the period, kept from what does not fit, and told month by month.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { applyDue } from '../../../../src/server/features/billing/apply-changes.ts';
import { periodAt } from '../../../../src/server/features/billing/plans.ts';
import { startTestServer, type Answered, type CallOptions, type TestServer } from '../../../support/server.ts';

const DAY = 86_400_000;

describe('plan and billing', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 300 } });
  });
  afterAll(() => server?.close());
  const sql = <T extends object = JsonObject>(text: string) => server.services.db.ownerQuery<T>(text).then(({ rows }) => rows);
  const call = (name: string, input: JsonObject = {}, options: CallOptions = {}): Promise<Answered> =>
    server.call(`billing.${name}`, input, options);
  const since = new Date(Date.now() - 40 * DAY);
  beforeEach(async () => {
    await sql("delete from records where entity = 'plan-change'");
    await sql(`update stores set billing_plan_id = 2, details = details || '{"planSince": "${since.toISOString()}"}' where id = 1`);
    server.services.sessions.forget();
  });
  const planOf = async () => (await sql<{ p: number }>('select billing_plan_id as p from stores where id = 1'))[0]!.p;
  const request = async (planId: number): Promise<Answered> => call('request', { planId });
  interface Plans {
    plans: { id: number; stops: { title: string; count: number }[]; misfit: string | null }[];
    [key: string]: unknown;
  }
  const overview = async () => (await call('overview')).data as Plans & JsonObject;

  it('D119 an upgrade counts from its approval on, and with it what it includes', async () => {
    const { data: change } = await request(3);
    expect(change).toMatchObject({ status: 'REQUESTED', fromPlan: 'Starter', charge: '$299.00', fee: '0.75%', isLower: false });
    expect(await planOf()).toBe(2);
    expect((await overview()).waiting).toMatchObject({ id: change.id, plan: 'Growth' });
    const approved = await call('approve', { id: change.id as number });
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    expect(await planOf()).toBe(3);
    expect((await server.call('start-up-app.fetchBilling', { myshopify_domain: 'fernandember.myshopify.com' })).body).toMatchObject({
      settings: [{ active_plan: { billing_plan_id: 3, name: 'Growth' } }],
    });
    expect((await call('approve', { id: change.id as number })).status).toBe(409);
    expect((await request(3)).body.message).toBe('You are on the Growth plan already.');
  });

  it('D120 a plan that the store does not fit in is refused with both numbers', async () => {
    const { n } = (
      await sql<{ n: number }>("select count(*) as n from contracts where store_id = 1 and status in ('ACTIVE', 'PAUSED')")
    )[0]!;
    expect(n).toBeGreaterThan(50);
    const sentence = `You have ${n} subscriptions; this plan allows 50.`;
    expect((await request(1)).body.message).toBe(sentence);
    expect((await overview()).plans.find(plan => plan.id === 1)).toMatchObject({ misfit: sentence });
  });

  it('D119 a lower plan counts from the end of the billing period, or is kept until then', async () => {
    await sql('update stores set billing_plan_id = 3 where id = 1');
    server.services.sessions.forget();
    const stops = (await overview()).plans.find(plan => plan.id === 2)!.stops.map(({ title }) => title);
    expect(stops).toContain('Prepaid');
    expect(stops).not.toContain('Flows');
    const { data: change } = await request(2);
    expect((await call('approve', { id: change.id as number })).status).toBe(200);
    expect(await planOf()).toBe(3);
    const ends = periodAt(since, new Date()).to;
    expect((await overview()).ahead).toMatchObject({ plan: 'Starter', effectiveAt: ends.toISOString() });
    const { plans } = server.services.definitions;
    const apply = (at: Date) => server.services.db.inStore(1, trx => applyDue(trx, 1, at, plans));
    await apply(new Date(ends.getTime() - DAY));
    expect(await planOf()).toBe(3);
    await apply(ends);
    await apply(ends);
    expect(await planOf()).toBe(2);
    expect((await call('read', { id: change.id as number })).data).toMatchObject({ appliedAt: ends.toISOString() });
    expect((await call('cancel', { id: change.id as number })).status).toBe(409);
  });

  it('D119 what is approved for later can be taken back, and by then must still fit', async () => {
    const first = await request(3);
    const second = await request(3);
    expect((await call('read', { id: first.data.id as number })).data.status).toBe('DECLINED');
    await call('decline', { id: second.data.id as number });
    expect(await planOf()).toBe(2);
    await sql(
      `insert into records (store_id, entity, id, position, data) values (1, 'plan-change', 777001, 1, '${JSON.stringify({
        planId: 1,
        status: 'APPROVED',
        isLower: true,
        appliedAt: null,
        effectiveAt: since.toISOString(),
        fromPlan: 'Starter',
      })}')`,
    );
    await server.services.db.inStore(1, trx => applyDue(trx, 1, new Date(), server.services.definitions.plans));
    expect(await planOf()).toBe(2);
    const [row] = await sql<{ data: JsonObject }>("select data from records where id = 777001 and entity = 'plan-change'");
    expect(row?.data).toMatchObject({ status: 'DECLINED' });
    expect(row?.data.failure).toMatch(/^You have \d+ subscriptions; this plan allows 50\.$/);
  });

  it('D119 each month tells the value of its paid orders and what the plan took of it', async () => {
    const { charges } = (await overview()) as unknown as {
      charges: { month: string; orders: number; value: string; fee: string; isOpen: boolean }[];
    };
    expect(charges[0]!.isOpen).toBe(true);
    expect(charges.length).toBeGreaterThan(3);
    const one = charges.find(({ orders }) => orders > 0)!;
    expect(Number(one.value)).toBeGreaterThan(0);
    expect(one.fee).toBe((Math.round(Number(one.value) * 100 * 0.01) / 100).toFixed(2));
  });

  it('D110 who may only read sees the plans and changes nothing', async () => {
    // Plans below this one give everybody all rights.
    await sql('update stores set billing_plan_id = 4 where id = 1');
    server.services.sessions.forget();
    expect((await call('overview', {}, { as: 'readOnly' })).status).toBe(200);
    expect((await call('request', { planId: 3 }, { as: 'readOnly' })).status).toBe(403);
  });
});
