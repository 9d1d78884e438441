// The account log as the page uses it: filters, words, one entry before and after, the export; and that no write goes by without an entry.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRead } from '../../../../src/contract/request.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { validInput } from '../../../support/arbitrary.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { idsOf } from '../../../support/stores.ts';
import { planSeed } from '../../../support/seed.ts';

const seed = planSeed();

describe.each(oneEngine)('account logs (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 20, stores: 2 }, jobs: true, config: { workers: 0 } });
  });
  afterAll(() => server?.close());
  const entries = async (input: JsonObject = {}, as: 'owner' | 'admin' | 'readOnly' = 'owner'): Promise<JsonObject[]> =>
    (await server.call('logs.accountLogs', input, { as })).data as JsonObject[];

  it('finds entries by person, action, day and words, and shows one before and after', async () => {
    const made = (await server.call('customers-app.create', { firstName: 'Lena', lastName: 'Log', email: 'lena.log@mail.example' }))
      .data as JsonObject;
    await server.call('customers-app.update', { id: made.id!, firstName: 'Lene', ownTags: ['vip'] }, { as: 'admin' });
    const [changed] = await entries({ q: 'lene log' });
    expect(changed).toMatchObject({
      action: 'customer.updated',
      actionLabel: 'Customer updated',
      description: 'Customer Lene Log updated',
      entity: 'customer',
      entityId: String(made.id),
    });
    expect((await entries({ filter: { action: ['customer.created'] } })).map(entry => entry.entityId)).toEqual([String(made.id)]);
    expect((await entries({ filter: { userEmail: [changed!.userEmail!] } })).every(entry => entry.userEmail === changed!.userEmail)).toBe(
      true,
    );
    expect(await entries({ filter: { createdAtEpoch: { from: Math.floor(Date.now() / 1000) + 3600 } } })).toEqual([]);
    const whole = (await server.call('logs.accountLog', { id: changed!.id! })).data as JsonObject;
    expect(whole).toMatchObject({ before: { firstName: 'Lena', tags: [] }, after: { firstName: 'Lene', tags: ['vip'] } });
    const actions = (await server.call('logs.availableActions')).data as JsonObject[];
    expect(actions).toContainEqual({ key: 'customer.updated', label: 'Customer updated', category: 'Customers' });
    expect(((await server.call('logs.users')).data as JsonObject[]).every(user => typeof user.name === 'string' && user.name !== '')).toBe(
      true,
    );
  });

  it('exports what the filters leave, under the columns in view', async () => {
    const file = await server.request(
      'GET',
      `/host/main/api/merchant/accountLogs/export?filter=${encodeURIComponent(JSON.stringify({ action: ['customer.updated'] }))}&columns=description&columns=userName&columns=actionLabel`,
      { as: 'owner' },
    );
    const lines = file.text.replace('\uFEFF', '').trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^Customer Lene Log updated,\S+@\S+,customer\.updated$/);
  });

  it('is closed without its permission, and to other stores', async () => {
    const other = await server.signIn('owner', 2);
    const [mine] = await entries();
    expect((await server.call('logs.accountLog', { id: mine!.id! }, { as: other })).status).toBe(404);
    await server.services.db.ownerQuery('update users set permissions = $1 where store_id = 1 and id = 1004', [
      JSON.stringify({ accountLogs: 'NO_ACCESS' }),
    ]);
    server.services.sessions.forget();
    for (const call of ['logs.accountLogs', 'logs.availableActions', 'logs.users', 'logs.export'])
      expect([call, (await server.call(call, {}, { as: 'readOnly' })).status]).toEqual([call, 403]);
    await server.services.db.ownerQuery("update users set permissions = '{}' where store_id = 1 and id = 1004");
    server.services.sessions.forget();
  });

  it('has an entry for every write of the catalogue that was answered with success', async () => {
    const { definitions, db } = server.services;
    const pool = await idsOf(db, 1);
    const count = async (): Promise<number> =>
      Number((await db.ownerQuery<{ n: number }>('select count(*) as n from account_log where store_id = 1')).rows[0]?.n);
    const silent: string[] = [];
    let written = 0;
    // Signing in and out is before and after a store: it is kept with the sessions.
    for (const call of Object.values(definitions.calls).filter(one => !isRead(one) && !one.public && one.table !== 'sign-in')) {
      for (const [i, input] of fc.sample(validInput(call, pool), { numRuns: 3, seed }).entries()) {
        const before = await count();
        const answer = await server.call(call.name, input, { key: `log-${call.name}-${i}` });
        if (answer.status >= 300) continue;
        written++;
        if ((await count()) === before) silent.push(call.name);
        break;
      }
    }
    expect(silent).toEqual([]);
    expect(written).toBeGreaterThan(15);
  });
});
