// A card on the customer's own page: entered there, handed to the vault, and from then on what pays for the subscription.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { testCards, vault } from '../../../platform/gateway/card-vault.ts';
import { escapeHtml as e, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { act, addCard, GIFT, type PendingCharge, updateMethod } from '../../../engine/index.ts';
import { at } from '../at.ts';
import type { Portal } from '../portal.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';
import { alert, answer, field, link } from './parts.ts';

/** Methods of a customer that can be there beside each other. */
const MOST_METHODS = 20;

async function show(portal: Portal, { form }: Asked, refused?: Refusal): Promise<PageAnswer> {
  const why = await closed(portal, 'CARD');
  if (why) return why;
  const { say, subscription } = portal;
  const errors = new Map((refused?.errors ?? []).map(({ pointer, message }) => [pointer.slice(1), message]));
  const one = (name: string, key: string, autocomplete: string, maxLength: number, value = form[name] ?? ''): string =>
    field({
      name,
      label: say(key),
      value,
      isRequired: true,
      maxLength,
      autocomplete,
      ...(errors.has(name) ? { error: errors.get(name) ?? '' } : {}),
    });
  const others = (await othersOf(portal)).length;
  const also = others
    ? `<label class="choice"><input type="checkbox" name="others" value="1"${form.others ? ' checked' : ''}>` +
      `<span>${e(say('portalCardOthers', { count: String(others) }))}</span></label>`
    : '';
  const cards = testCards()
    .map(({ title, number }) => `<li>${e(number)}: ${e(title)}</li>`)
    .join('');
  const html =
    (errors.size ? '' : alert(refused?.message)) +
    `<details><summary>${e(say('portalCardTest'))}</summary><ul>${cards}</ul></details>` +
    `<form method="post" action="${e(at({ do: 'CARD', v: subscription.contract.version }))}">` +
    one('number', 'portalCardNumber', 'cc-number', 30) +
    one('name', 'portalCardName', 'cc-name', 100) +
    one('expiry', 'portalCardExpiry', 'cc-exp', 7) +
    // What proves that the card is there is typed each time.
    one('verificationCode', 'portalCardCode', 'cc-csc', 4, '') +
    `${also}<button type="submit">${e(say('portalCardSave'))}</button></form>${link(say('back'))}`;
  return answer(portal, say('portalAddCard'), html, refused ? 422 : 200);
}

async function take(portal: Portal, { form, query }: Asked, charges: PendingCharge[]): Promise<PageAnswer> {
  const why = await closed(portal, 'CARD');
  if (why) return why;
  const { context, subscription } = portal;
  const { id, customer_id: customerId } = subscription.contract;
  // Pressed twice: the card of the first press pays already.
  if ((await versionOf(portal)) !== Number(query.v)) return goTo(portal, { told: 'portalChanged' });
  const given = { number: form.number ?? '', name: (form.name ?? '').slice(0, 100), expiry: form.expiry ?? '' };
  const card = vault({ ...given, verificationCode: form.verificationCode ?? '' }, context.now());
  const errors = Array.isArray(card) ? [...card] : [];
  const refuse = (name: string, key: string): unknown => errors.push({ pointer: `/${name}`, rule: 'required', message: portal.say(key) });
  if (!given.name.trim()) refuse('name', 'portalCardNameMissing');
  if (!/^\d{3,4}$/.test((form.verificationCode ?? '').trim())) refuse('verificationCode', 'portalCardCodeMissing');
  if (errors.length || Array.isArray(card)) throw new Refusal(422, 'VALIDATION', portal.say('portalUnavailable'), errors);
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from payment_methods where store_id = ${context.storeId}::integer
    and customer_id = ${customerId}::bigint and revoked_at is null`.execute(context.trx);
  if ((rows[0]?.n ?? 0) >= MOST_METHODS) throw new Refusal(409, 'INVALID_STATE', portal.say('portalCardTooMany'));
  const customerPaymentMethodId = await addCard(context, customerId, card);
  const others = form.others ? await othersOf(portal) : [];
  for (const one of [id, ...others]) {
    const done = await paidBy(portal, one, customerPaymentMethodId, one === id);
    if (done) charges.push(done);
  }
  return goTo(portal, { told: 'portalPaymentChanged' });
}

/** Other subscriptions that can't be changed now (an order of theirs is being charged) keep the method that they have. */
async function paidBy({ context }: Portal, id: number, customerPaymentMethodId: number, isThis: boolean): Promise<PendingCharge | null> {
  try {
    const change = { customerPaymentMethodId };
    return (await act(context, id, { action: 'updatePaymentMethod', attempts: 2 }, (work, on) => updateMethod(work, on, change))).result;
  } catch (error) {
    if (isThis || !(error instanceof Refusal) || error.status >= 500) throw error;
    return null;
  }
}

/** The customer's other subscriptions that are charged or may be again. */
async function othersOf({ context, subscription }: Portal): Promise<number[]> {
  const { id, customer_id: customerId } = subscription.contract;
  const { rows } = await sql<{ id: number }>`select id from contracts where store_id = ${context.storeId}::integer
    and customer_id = ${customerId}::bigint and id <> ${id}::bigint and source <> ${GIFT} and status in ('ACTIVE', 'PAUSED', 'FAILED')
    order by id limit 50`.execute(context.trx);
  return rows.map(one => one.id);
}

/** The version once no other transaction can change it any more. */
/** The version of the subscription now: what was read before the lock may be older. */
export async function versionOf({ context, subscription }: Portal): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from contracts where store_id = ${context.storeId}::integer
    and id = ${subscription.contract.id}::bigint`.execute(context.trx);
  return rows[0]?.version ?? 0;
}

export const card: OwnPage = { show, take };
