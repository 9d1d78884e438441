// Refer and earn: an invitation, a store that joins by it, and what it earns once that store stays.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { creditsUsed } from '../../../../src/domain/money/credits.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { giveRewards } from '../../../../src/server/features/referrals/reward.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const DAY = 86_400_000;

describe('refer and earn', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 30 }, config: { demo: true } });
  });
  afterAll(() => server?.close());
  const sql = <T extends object = JsonObject>(text: string) => server.services.db.ownerQuery<T>(text).then(({ rows }) => rows);
  const overview = async () => (await server.call('referrals.overview')).data;
  const referrals = async () => (await server.call('referrals.list', { limit: 50 })).data as JsonObject[];
  const plan = async (store: string, id: number, daysAgo: number) => {
    const since = new Date(Date.now() - daysAgo * DAY).toISOString();
    await sql(`update stores set billing_plan_id = ${id}, details = details || '{"planSince": "${since}"}' where ${store}`);
    server.services.sessions.forget();
  };
  const refOf = (path: unknown): string => new URLSearchParams(String(path).split('?')[1]).get('ref')!;

  it('S094 a store invites others once each, and only where it may refer', async () => {
    await plan('id = 1', 2, 10);
    expect((await server.call('referrals.invite', { email: 'kim@shop.example' })).body.message).toBe(
      'Your store can refer others once it has been on a paid plan for 30 days.',
    );
    await plan('id = 1', 2, 60);
    expect((await server.call('referrals.invite', { email: 'kim' })).body.errors?.[0]?.message).toBe(
      'Enter a full e-mail address, such as name@example.com.',
    );
    const [member] = await sql<{ email: string }>('select email from users where store_id = 1 limit 1');
    expect((await server.call('referrals.invite', { email: member!.email })).body.message).toBe('This person is on your team already.');
    const invited = await server.call('referrals.invite', { email: 'kim@shop.example', greeting: 'Have a look!' }, { key: 'kim' });
    expect(invited.status, JSON.stringify(invited.body)).toBe(200);
    await server.call('referrals.invite', { email: 'kim@shop.example', greeting: 'Have a look!' }, { key: 'kim' });
    expect((await server.call('referrals.invite', { email: 'KIM@shop.example' })).body.errors?.[0]?.message).toBe(
      'You have invited this address already.',
    );
    const letters = await sql<{ text: string }>("select text from outbox where template = 'REFERRAL_INVITATION'");
    expect(letters).toHaveLength(1);
    expect(letters[0]!.text).toContain('Have a look!');
    expect(letters[0]!.text).toContain(`/login?ref=fernandember~${encodeURIComponent(String(invited.data.code))}`);
    // Plans below this one give everybody all rights.
    await plan('id = 1', 4, 60);
    expect((await server.call('referrals.invite', { email: 'a@b.example' }, { as: 'readOnly' })).status).toBe(403);
    await plan('id = 1', 2, 60);
  });

  it('S094 who opens a store by the link has joined, by an invitation or without one; other codes change nothing', async () => {
    const [{ code } = { code: '' }] = (await referrals()) as { code: string }[];
    await server.call('sign-in.demoNewStore', { ref: `fernandember~${code}` }, { as: null });
    expect(await referrals()).toMatchObject([{ email: 'kim@shop.example', status: 'JOINED', storeName: 'Marrow & Mint' }]);
    await server.call('sign-in.demoNewStore', { ref: refOf((await overview()).path) }, { as: null });
    await server.call('sign-in.demoNewStore', { ref: 'unknown' }, { as: null });
    await server.call('sign-in.demoNewStore', {}, { as: null });
    expect(await overview()).toMatchObject({ sent: 1, joined: 2, earned: '0.00' });
  });

  it('S094 a joined store earns once, after 30 days on a paid plan, and what it earned comes off the bill', async () => {
    await giveRewards(server.services);
    expect(await overview()).toMatchObject({ earned: '0.00' });
    const [first] = await sql<{ id: number }>("select id from stores where details ? 'referral' order by id limit 1");
    await plan(`id = ${first!.id}`, 2, 29);
    await giveRewards(server.services);
    expect(await overview()).toMatchObject({ earned: '0.00' });
    await plan(`id = ${first!.id}`, 2, 30);
    await giveRewards(server.services);
    await sql("update stores set details = details #- '{referral,isRewarded}' where details ? 'referral'");
    await giveRewards(server.services);
    expect(await overview()).toMatchObject({ joined: 2, earned: '100.00' });
    const { charges } = (await server.call('billing.overview')).data as {
      charges: { credit: string; fixed: string; fee: string; total: string }[];
    };
    const [open] = charges;
    expect(Number(open!.credit)).toBe(Math.min(100, Number(open!.fixed) + Number(open!.fee)));
    expect(Number(open!.total)).toBeCloseTo(Number(open!.fixed) + Number(open!.fee) - Number(open!.credit), 2);
    expect((await overview()).open).toBe((100 - Number(open!.credit)).toFixed(2));
  });

  it('S094 credit is used by the oldest bills first, never more than a bill, and not before it was earned', () => {
    const bills = ['2026-03', '2026-02', '2026-01'].map(month => ({ month, cents: 6000 }));
    expect([...creditsUsed(bills, [{ month: '2026-02', cents: 10_000 }])]).toEqual([
      ['2026-02', 6000],
      ['2026-03', 4000],
    ]);
    expect([...creditsUsed(bills, [{ month: '2025-01', cents: 10_000 }])]).toEqual([]);
    expect([...creditsUsed(bills, [])]).toEqual([]);
  });
});
