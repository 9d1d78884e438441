import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../subscriptions/fixture.ts';

const OFF = 'The customer portal is off. Turn it on under Customer portal, Portal accessibility, to send links to it.';

describe.each(oneEngine)('a store whose customer portal is off (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, jobs: true, config: { workers: 0 } });
    goods = await stockGoods(server);
    await server.call('settings.set', { settingsPage: 'portal-accessibility', isOn: false });
  });
  afterAll(() => server?.close());
  const mailsTo = async (contractId: number): Promise<{ template: string; text: string }[]> =>
    (
      await server.services.db.ownerQuery<{ template: string; text: string }>(
        'select template, text from outbox where store_id = 1 and contract_id = $1 order by id',
        [contractId],
      )
    ).rows;

  it('shows and sends no link to it: customer, subscription and bulk actions', async () => {
    const made = await makeContract(server, goods);
    expect((await server.call('customers-app.read', { id: made.customerId })).data).toMatchObject({
      allSubscriptionsCount: 1,
      hasPortalPage: false,
    });
    expect((await server.call('subscription-contract.customerDetails', { id: made.id })).data.portalLink).toBeNull();
    const sent = await server.call('customers-app.sendPortalLink', { id: made.customerId });
    expect([sent.status, sent.body.message]).toEqual([409, OFF]);

    const selection = { mode: 'IDS', ids: [made.id] };
    const preview = await server.call('bulk-actions.preview', { actionKey: 'SEND_PORTAL_LINK', selection, input: {} });
    expect(JSON.stringify(preview.data)).toContain(OFF);
    for (const [call, input] of [
      ['create', { actionKey: 'DO_MAGIC', selection, input: {} }],
      ['entityCount', { actionKey: 'DO_MAGIC', selection }],
      ['validateEntityIds', { actionKey: 'DO_MAGIC', entityType: 'SUBSCRIPTION', ids: [made.id] }],
      ['template', { actionKey: 'DO_MAGIC' }],
    ] as [string, JsonObject][]) {
      const unknown = await server.call(`bulk-actions.${call}`, input);
      expect([call, unknown.status, unknown.body.errors?.[0]?.pointer]).toEqual([call, 422, '/actionKey']);
      expect(unknown.body.message).toContain('PAUSE_SUBSCRIPTION');
    }
    expect((await mailsTo(made.id)).filter(mail => /merchantToken|loop_subscriptions/.test(mail.text))).toEqual([]);
  });

  it('asks customers for a new payment method by telling them where to write', async () => {
    const made = await makeContract(server, goods);
    expect((await server.call('subscription-contract-app.editPaymentMethod', { id: made.id })).status).toBe(200);
    const {
      rows: [store],
    } = await server.services.db.ownerQuery<{ email: string }>('select email from stores where id = 1', []);
    const mail = (await mailsTo(made.id)).find(one => one.template === 'PAYMENT_METHOD_UPDATE');
    expect(mail?.text).toContain(`Please write to ${store?.email}, and we tell you how to give it.`);
    expect(mail?.text).not.toMatch(/https?:|customer account/);
  });
});
