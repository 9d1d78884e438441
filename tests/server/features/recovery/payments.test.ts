// Cards that the merchant enters for a customer: handed to the vault, registered once, replaced, deleted only when nothing active uses
// them.
import { describe, expect, it } from 'vitest';
import { passesLuhn } from '../../../../src/domain/text/card.ts';
import { vault } from '../../../../src/server/platform/gateway/card-vault.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { oneEngine } from '../../../support/database.ts';
import { customerWith } from '../subscriptions/fixture.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';

const CARD = { number: '4242 4242 4242 4242', name: 'Ann Lee', expiry: '12/90', verificationCode: '123' };

describe.each(oneEngine)('payments on %s', engine => {
  const at = serverWithGoods({ engine });
  const { ok } = at;
  const session = async (number = CARD.number): Promise<string> => (await ok('card-vault.session', { ...CARD, number })).id as string;

  it('C527 names every country, the own one first, and what its addresses need', async () => {
    const all = (await ok('payments.countriesInfo')) as JsonObject[];
    expect(all[0]).toMatchObject({ code: 'US', isZipRequired: true, isProvinceRequired: true });
    expect(all.length).toBeGreaterThan(200);
    expect(all.find(one => one.code === 'IE')).toMatchObject({ isProvinceRequired: false });
    expect(all.find(one => one.code === 'AE')).toMatchObject({ isZipRequired: false });
  });

  it('C528 allows cards where there is a vault', async () => {
    expect(await ok('payments.isAllowedForDomain')).toMatchObject({ isAllowed: true });
  });

  it('D209 the vault keeps no number, and C530 registers its card once', async () => {
    const { id } = await customerWith(at.server, 'tok_success');
    const sessionId = await session('5555 5555 5555 4444');
    const added = await ok('payments.registerCustomerCard', { customerId: id, sessionId });
    expect(added).toMatchObject({
      type: 'CREDIT_CARD',
      brand: 'mastercard',
      lastDigits: '4444',
      maskedNumber: '•••• 4444',
      name: 'Ann Lee',
      expiryMonth: 12,
      expiryYear: 2090,
      isRevocable: true,
    });
    expect(JSON.stringify(added)).not.toMatch(/5555|tok_/);
    // Asked again because an answer got lost: the same card, not a second one. No other customer can take it.
    expect((await ok('payments.registerCustomerCard', { customerId: id, sessionId })).id).toBe(added.id);
    const other = await customerWith(at.server, 'tok_success');
    expect((await at.server.call('payments.registerCustomerCard', { customerId: other.id, sessionId })).body.errors?.[0]).toMatchObject({
      pointer: '/sessionId',
    });
    expect(((await ok('payments.details', { customerId: id })) as JsonObject[]).length).toBe(2);
    for (const table of ['card_vault_sessions', 'payment_methods', 'account_log', 'idempotency_keys']) {
      const { rows } = await at.server.services.db.ownerQuery<{ row: string }>(
        `select t::text as row from ${table} t where t::text ~ '5555 ?5555 ?5555 ?4444'`,
      );
      expect(rows, table).toEqual([]);
    }
    expect(JSON.stringify(at.server.logged)).not.toMatch(/5555 ?5555 ?5555/);
  });

  it('C530 a card added on a subscription is charged for it from now on, and what was open is tried again at once', async () => {
    const { id, customerId, methods, view } = await at.make({ tokens: ['tok_decline_insufficient_funds'] });
    await ok('subscription-contract.chargeNow', { id, orderId: view.nextOrderId as number });
    const saved = await ok('payments.registerCustomerCard', {
      customerId,
      sessionId: await session(),
      subscriptionId: id,
      chargeFromNowOn: false,
    });
    expect([saved.retried, (await ok('subscription-contract.read', { id })).customerPaymentMethodId]).toEqual([0, methods[0]]);
    const charged = await ok('payments.registerCustomerCard', {
      customerId,
      sessionId: await session('5555555555554444'),
      subscriptionId: id,
    });
    expect(charged.retried).toBe(1);
    expect(await ok('subscription-contract.read', { id })).toMatchObject({
      customerPaymentMethodId: charged.id,
      lastPaymentStatus: 'SUCCESS',
      dunning: { state: 'RECOVERED', recoveredVia: 'CARD_UPDATE' },
    });
    // Of another customer's subscription nothing is changed, and the card is not kept either.
    const other = await customerWith(at.server, 'tok_success');
    expect(
      (await at.server.call('payments.registerCustomerCard', { customerId: other.id, sessionId: await session(), subscriptionId: id }))
        .status,
    ).toBe(422);
    expect(((await ok('payments.details', { customerId: other.id })) as JsonObject[]).length).toBe(1);
  });

  it('C533 refuses a mistyped number, a real card and an expired one; a session ends after half an hour and in no other store', async () => {
    for (const [card, pointer] of [
      [{ number: '4242 4242 4242 4241' }, '/number'],
      [{ number: '4111 1111 1111 1111' }, '/number'],
      [{ expiry: '02/20' }, '/expiry'],
      [{ expiry: '13/30' }, '/expiry'],
      [{ number: 'abcd' }, '/number'],
    ] as const) {
      const answer = await at.server.call('card-vault.session', { ...CARD, ...card });
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, pointer]);
    }
    const { id } = await customerWith(at.server, 'tok_success');
    const late = await session();
    await at.server.services.db.ownerQuery(`update card_vault_sessions set expires_at = now() - interval '1 minute' where id = '${late}'`);
    expect((await at.server.call('payments.registerCustomerCard', { customerId: id, sessionId: late })).status).toBe(422);
    const foreign = (await at.server.call('card-vault.session', CARD, { as: await at.server.signIn('owner', 2) })).data.id as string;
    expect((await at.server.call('payments.registerCustomerCard', { customerId: id, sessionId: foreign })).status).toBe(422);
  });

  it('C531 replaces a card in place, and tries a payment in recovery again with it', async () => {
    const { id, view, methods } = await at.make({ tokens: ['tok_decline_insufficient_funds'] });
    await ok('subscription-contract.chargeNow', { id, orderId: view.nextOrderId as number });
    expect((await ok('subscription-contract.read', { id })).dunning).toMatchObject({ state: 'IN_RECOVERY' });
    const answer = await ok('payments.updateCustomerCard', { paymentMethodId: methods[0] as number, sessionId: await session() });
    expect(answer).toMatchObject({ id: methods[0], lastDigits: '4242', name: 'Ann Lee', retried: 1 });
    const after = await ok('subscription-contract.read', { id });
    expect(after).toMatchObject({ lastPaymentStatus: 'SUCCESS', dunning: { state: 'RECOVERED', recoveredVia: 'CARD_UPDATE' } });
    const charges = await at.server.services.db.ownerQuery<{ n: number }>(
      `select count(*) as n from billing_attempts where store_id = 1 and contract_id = ${id} and success`,
    );
    expect(Number(charges.rows[0]?.n)).toBe(1);
  });

  it('C532 deletes a method that nothing active uses, and names what does', async () => {
    const { id, methods, customerId } = await at.make({ tokens: ['tok_success', 'tok_success', 'tok_success'] });
    const [primary, backup, other] = methods as [number, number, number];
    const shopifyId = (await ok('subscription-contract.read', { id })).shopifyId as number;
    await ok('backup-payment-method.switchBackup', { subscriptionShopifyId: shopifyId, paymentMethodId: backup });
    for (const used of [primary, backup]) {
      const refused = await at.server.call('payments.deletePaymentMethod', { paymentMethodId: used });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `This payment method is used by the active subscription #${id}. Switch it to another method first.`,
      ]);
    }
    const listed = (await ok('payments.details', { customerId })) as JsonObject[];
    expect(listed.map(one => [one.id, one.isRevocable, one.subscriptionIds])).toEqual([
      [primary, false, [id]],
      [backup, false, [id]],
      [other, true, []],
    ]);
    expect(await ok('payments.deletePaymentMethod', { paymentMethodId: other })).toMatchObject({
      status: 'REVOKED',
      revokedReason: 'MANUALLY_REVOKED',
      isRevocable: false,
    });
    expect((await at.server.call('payments.deletePaymentMethod', { paymentMethodId: other })).status).toBe(409);
    await ok('subscription-contract.cancel', { id, cancellationReason: 'Other' });
    await ok('payments.deletePaymentMethod', { paymentMethodId: backup });
    expect((await ok('subscription-contract.read', { id })).backupPaymentMethod ?? null).toBeNull();
  });

  it('only a person with the right enters, replaces or deletes a card', async () => {
    const { methods, id } = await customerWith(at.server, 'tok_success');
    const sessionId = await session();
    for (const [name, input] of [
      ['card-vault.session', CARD],
      ['payments.registerCustomerCard', { customerId: id, sessionId }],
      ['payments.updateCustomerCard', { paymentMethodId: methods[0] as number, sessionId }],
      ['payments.deletePaymentMethod', { paymentMethodId: methods[0] as number }],
    ] as const) {
      expect((await at.server.call(name, input, { as: 'readOnly' })).status, name).toBe(403);
    }
  });
});

describe('the card vault', () => {
  it('knows a number by its check digit', () => {
    expect(['4242424242424242', '378282246310005', '4242424242424241', ''].map(passesLuhn)).toEqual([true, true, false, false]);
  });
  it('takes a card until the last day of its month', () => {
    const card = { number: '4242424242424242', name: 'Ann', expiry: '02/28', verificationCode: '123' };
    expect(vault(card, new Date('2028-02-29T12:00:00Z'))).toMatchObject({ token: 'tok_success', lastDigits: '4242' });
    expect(vault(card, new Date('2028-03-01T00:00:00Z'))).toMatchObject([{ rule: 'INVALID_EXPIRY_DATE' }]);
  });
});
