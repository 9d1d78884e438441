// The three steps to recurring charges by PayPal: each asks for the one before, asking twice changes nothing, and the demo's PayPal answers in time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('PayPal (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 20 } });
  });
  afterAll(() => server?.close());
  const status = async (): Promise<JsonObject> => (await server.call('preferences-app.paypal')).data as JsonObject;
  const details = (patch: string): Promise<unknown> =>
    server.services.db.ownerQuery(`update stores set details = details || '${patch}'::jsonb where id = 1`);

  it('goes from nothing to approved, one step after another, and says what is missing', async () => {
    expect(await status()).toEqual({
      status: 'NOT_CONNECTED',
      isPaypalOnly: false,
      isActive: false,
      hasPlan: true,
      requestedAtEpoch: null,
    });
    const early = await server.call('preferences-app.requestPaypalApproval');
    expect([early.status, early.body.message]).toEqual([409, 'Activate PayPal Express first.']);
    expect((await server.call('preferences-app.connectPaypal')).data).toMatchObject({ status: 'CONNECTED', isActive: true });
    // Cards are charged as before.
    expect((await server.call('preferences-app.eligibility')).body).toMatchObject({
      shop: { features: { eligibleForSubscriptions: true }, isPaypalOnly: false, paypalStatus: 'CONNECTED' },
    });
    const asked = (await server.call('preferences-app.requestPaypalApproval')).data as JsonObject;
    expect(asked).toMatchObject({ status: 'APPROVAL_REQUESTED', requestedAtEpoch: expect.any(Number) });
    expect((await server.call('preferences-app.requestPaypalApproval')).data).toEqual(asked);
    expect((await server.call('preferences-app.refreshPaypal')).data).toEqual(asked);
    await details('{"paypal":{"status":"APPROVAL_REQUESTED","requestedAt":"2020-01-01T00:00:00Z"}}');
    expect((await server.call('preferences-app.refreshPaypal')).data).toMatchObject({ status: 'APPROVED' });
    expect(await status()).toMatchObject({ status: 'APPROVED' });
  });

  it('names the pending approval at the start of a store that only PayPal charges for, and asks again after a refusal', async () => {
    await details('{"paymentProviders":["PayPal Express"],"paypal":{"status":"REJECTED"}}');
    expect((await server.call('preferences-app.requestPaypalApproval')).data).toMatchObject({
      status: 'APPROVAL_REQUESTED',
      isPaypalOnly: true,
    });
    const session = (await server.call('start-up.session', {}, { as: await server.signIn('owner') })).data as JsonObject;
    expect(session.banners).toMatchObject({ isEligible: true, isPaypalPending: true });
  });

  it('is for who may set up PayPal, and only a demo store activates it here', async () => {
    for (const call of ['connectPaypal', 'requestPaypalApproval', 'refreshPaypal'])
      expect([call, (await server.call(`preferences-app.${call}`, {}, { as: 'readOnly' })).status]).toEqual([call, 403]);
    await server.services.db.ownerQuery('update stores set is_demo = false where id = 1');
    expect((await server.call('preferences-app.connectPaypal')).body.message).toBe(
      "Activate PayPal Express in your store's payment settings, then refresh the status.",
    );
  });
});
