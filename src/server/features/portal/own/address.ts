// The delivery address on a page of its own: of a subscription that is shipped, or brought by the store itself.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import type { Address } from '../../../../domain/places/address.ts';
import { act, type Aggregate, delivery, type UnitOfWork } from '../../../engine/index.ts';
import { addressed } from '../addressed.ts';
import { at } from '../at.ts';
import { addressIn, changedAddressFields } from '../../../platform/http/address-fields.ts';
import type { Portal } from '../portal.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';
import { field, alarm } from '../../../platform/http/form-fields.ts';
import { answer, errorSummary, link } from './parts.ts';

async function show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer> {
  const why = await closed(portal, 'ADDRESS');
  if (why) return why;
  const { subscription, say, speech, context, work } = portal;
  const { form } = asked;
  const present = (subscription.contract.shipping_address ?? {}) as Address;
  const errors = new Map((refused?.errors ?? []).map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message]));
  const { country, fields } = changedAddressFields({
    typed: form,
    present,
    home: context.store.country_code,
    language: speech.language,
    label: say,
    errorOf: (name, isTyped) => (isTyped && errors.has(name) ? `${errors.get(name)} ${say('portalProvince')}` : errors.get(name)),
  });
  const isSaid = fields.some(one => one.error);
  // What it costs to send it there was said, and is agreed to by sending the form again.
  const price = refused?.extra?.price === undefined ? '' : `<input type="hidden" name="price" value="${Number(refused.extra.price)}">`;
  const others = (await delivery.othersAtAddress(work, subscription, present)).length;
  const also = others
    ? `<label class="choice"><input type="checkbox" name="others" value="1"${form.others ? ' checked' : ''}>` +
      `<span>${escapeHtml(say('portalAddressOthers', { count: String(others) }))}</span></label>`
    : '';
  const html =
    (isSaid ? errorSummary(say, fields) : alarm(refused?.message)) +
    `<form method="post" action="${escapeHtml(at({ do: 'ADDRESS', v: subscription.contract.version }))}">` +
    `${fields.map(field).join('')}${also}` +
    `<input type="hidden" name="partsOf" value="${escapeHtml(country)}">${price}` +
    `<button type="submit">${escapeHtml(say('save'))}</button></form>${link(say('back'))}`;
  return answer(portal, say('changeAddress'), html, refused ? 422 : 200);
}

async function take(portal: Portal, asked: Asked): Promise<PageAnswer> {
  const why = await closed(portal, 'ADDRESS');
  if (why) return why;
  const { context, subscription } = portal;
  const { form, query } = asked;
  const way = addressed(subscription);
  if (!way || (await versionOf(portal)) !== Number(query.v)) return goTo(portal, { told: 'portalChanged' });
  const address = addressIn(form);
  const change = (work: UnitOfWork, on: Aggregate): void => way.change(work, on, { address });
  let others: number[] = [];
  await act(context, subscription.contract.id, { action: way.action }, async (work, on) => {
    if (form.others) others = await delivery.othersAtAddress(work, on, on.contract.shipping_address as Address | null);
    const before = on.contract.delivery_price;
    change(work, on);
    agreed(portal, before, on.contract.delivery_price, form.price);
  });
  for (const id of others) await act(context, id, { action: way.action }, change);
  return goTo(portal, { told: 'addressSaved' });
}

/** The version once no other transaction can change it any more. */
async function versionOf({ context, subscription }: Portal): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from contracts where store_id = ${context.storeId}::integer
    and id = ${subscription.contract.id}::bigint`.execute(context.trx);
  return rows[0]?.version ?? 0;
}

/** @throws Refusal 422 with the new `price` where sending it there costs something else, and that was not said yet */
function agreed({ subscription, say, speech }: Portal, before: number, after: number, said: string | undefined): void {
  if (after === before || said === String(after)) return;
  const currency = subscription.contract.currency_code;
  const message = say('portalShippingChanges', {
    shipping_price: speech.money(after, currency),
    present_price: speech.money(before, currency),
  });
  throw new Refusal(422, 'VALIDATION', message, [{ pointer: '/price', rule: 'changed', message }], { price: after });
}

export const address: OwnPage = { show, take };
