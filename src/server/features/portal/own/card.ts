// A card on the customer's own page: entered there, handed to the vault, and from then on what pays for the subscription.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { testCards, vault } from '../../../platform/gateway/card-vault.ts';
import { escapeHtml as e, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { addCard, type PendingCharge } from '../../../engine/index.ts';
import { hasTooMany, othersOf, payAllBy, payBy } from '../../payments/pay-by.ts';
import { at } from '../at.ts';
import type { Portal } from '../portal.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';
import { showHosted } from './hosted-card.ts';
import { field, type Field, alarm } from '../../../platform/http/form-fields.ts';
import { answer, errorSummary, link } from './parts.ts';
import { takesCards } from './takes-cards.ts';
import { rich } from '../../../platform/texts/text-verbs.ts';

async function show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer> {
  if (takesCards(portal) === 'PROVIDER') return showHosted(portal, asked);
  const { form } = asked;
  const why = await closed(portal, 'CARD');
  if (why) return why;
  const { say, subscription } = portal;
  const errors = new Map((refused?.errors ?? []).map(({ pointer, message }) => [pointer.slice(1), message]));
  const one = (name: string, key: string, autocomplete: string, maxLength: number, value = form[name] ?? ''): Field => ({
    name,
    label: say(key),
    value,
    isRequired: true,
    maxLength,
    autocomplete,
    ...(errors.has(name) ? { error: errors.get(name) ?? '' } : {}),
  });
  const fields = [
    one('number', 'portalCardNumber', 'cc-number', 30),
    one('name', 'portalCardName', 'cc-name', 100),
    one('expiry', 'portalCardExpiry', 'cc-exp', 7),
    // What proves that the card is there is typed each time.
    one('verificationCode', 'portalCardCode', 'cc-csc', 4, ''),
  ];
  const { id, customer_id: customerId } = subscription.contract;
  const others = (await othersOf(portal.context, { id, customerId })).length;
  const also = others
    ? `<label class="choice"><input type="checkbox" name="others" value="1"${form.others ? ' checked' : ''}>` +
      `<span>${e(say('portalCardOthers', { count: String(others) }))}</span></label>`
    : '';
  const cards = testCards()
    .map(({ title, number }) => `<li>${e(number)}: ${e(title)}</li>`)
    .join('');
  const html =
    (errors.size ? errorSummary(say, fields) : alarm(refused?.message)) +
    rich(say('paymentSecurityText')) +
    `<details><summary>${e(say('portalCardTest'))}</summary><ul>${cards}</ul></details>` +
    `<form method="post" action="${e(at({ do: 'CARD', v: subscription.contract.version }))}">` +
    `${fields.map(field).join('')}${also}<button type="submit">${e(say('portalCardSave'))}</button></form>${link(say('back'))}`;
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
  if (await hasTooMany(context, customerId)) throw new Refusal(409, 'INVALID_STATE', portal.say('portalCardTooMany'));
  const customerPaymentMethodId = await addCard(context, customerId, card);
  const own = await payBy(context, id, customerPaymentMethodId);
  const others = form.others ? await othersOf(context, { id, customerId }) : [];
  const { charges: more } = await payAllBy(context, others, customerPaymentMethodId);
  charges.push(...(own ? [own] : []), ...more);
  return goTo(portal, { told: 'portalPaymentChanged' });
}

/** The version of the subscription now: what was read before the lock may be older. */
export async function versionOf({ context, subscription }: Portal): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from contracts where store_id = ${context.storeId}::integer
    and id = ${subscription.contract.id}::bigint`.execute(context.trx);
  return rows[0]?.version ?? 0;
}

export const card: OwnPage = { show, take };
