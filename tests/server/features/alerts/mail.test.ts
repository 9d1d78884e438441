// Addresses of the team that nothing reaches: raised with the reason, over as soon as other addresses are put in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { checkOf } from '../../../../src/server/features/alerts/catalogue.ts';
import { runCheck, scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('e-mails to the team on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 5 }, config: { workers: 0 } });
  });
  afterAll(() => server.close());

  const find = () =>
    server.services.db.inStore(1, async trx => {
      const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      return runCheck(scopeOf(trx, store, new Date(), server.services.definitions.plans), checkOf('EMAIL_INVALID')!);
    });
  const fail = (recipient: string, ago = '1 hour') =>
    server.services.db.ownerQuery(
      "insert into outbox (store_id, template, recipient, subject, text, failed_reason, created_at) values (1, 'TEST', $1, 'S', 'T', '550 no such mailbox', now() - $2::interval)",
      [recipient, ago],
    );
  const saveAddresses = async (storeEmail: string[], adminReportingEmail: string[] = []) =>
    expect(
      (
        await server.call('settings.set', {
          ...((await server.call('settings.get', { settingsPage: 'general' })).data as JsonObject),
          storeEmail,
          adminReportingEmail,
          settingsPage: 'general',
        })
      ).status,
    ).toBe(200);

  it('are watched at the addresses that are in use, of the settings or else the store’s own', async () => {
    await saveAddresses([]);
    expect(await find()).toBeUndefined();
    await fail('someone@mail.example'); // A customer's address is no matter of the team.
    expect(await find()).toBeUndefined();
    const [store] = (await server.services.db.ownerQuery<{ email: string }>('select email from stores where id = 1')).rows;
    await fail(store!.email, '8 days');
    expect(await find()).toBeUndefined();
    await fail(store!.email.toUpperCase());
    const alert = await find();
    expect(alert).toMatchObject({
      affected_count: 1,
      severity: 'MEDIUM',
      summary: 'E-mails to 1 address of your team could not be delivered in the last 7 days.',
    });
    expect((await server.call('alerts.data', { id: alert!.id })).data).toMatchObject([
      { label: store!.email.toLowerCase(), detail: '550 no such mailbox', mails: 1 },
    ]);
    await saveAddresses(['team@shop.example', 'orders@shop.example']);
    expect(await find()).toBeUndefined();
    await fail('orders@shop.example');
    await fail('orders@shop.example');
    expect(await find()).toMatchObject({ affected_count: 1 });
    await saveAddresses(['team@shop.example']);
    expect(await find()).toBeUndefined();
    await saveAddresses(['team@shop.example'], ['orders@shop.example']);
    expect(await find()).toMatchObject({ affected_count: 1 });
    await saveAddresses(['team@shop.example']);
    expect(await find()).toBeUndefined();
  });
});
