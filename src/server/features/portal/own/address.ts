// The delivery address on a page of its own: of a subscription that is shipped, or brought by the store itself.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { hasZip, needsProvince, provincesToChoose } from '../../../../domain/places/places.ts';
import { countriesIn } from '../../../../domain/text/countries.ts';
import { act, type Address, type Aggregate, delivery, type UnitOfWork } from '../../../engine/index.ts';
import { addressed } from '../addressed.ts';
import { at } from '../at.ts';
import type { Portal } from '../portal.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';
import { alert, answer, field, link, type Field } from './parts.ts';

type Part = 'firstName' | 'lastName' | 'company' | 'address1' | 'address2' | 'zip' | 'city' | 'countryCode' | 'provinceCode' | 'phone';
/** Parts of an address in their order: the key of the store's words, what browsers call it, and how long it may be. */
const PARTS: readonly [Part, string, string, number][] = [
  ['firstName', 'firstName', 'given-name', 255],
  ['lastName', 'lastName', 'family-name', 255],
  ['company', 'company', 'organization', 255],
  ['address1', 'addressLine1', 'address-line1', 255],
  ['address2', 'addressLine2', 'address-line2', 255],
  ['zip', 'postalCode', 'postal-code', 20],
  ['city', 'city', 'address-level2', 255],
  ['countryCode', 'country', 'country', 2],
  ['provinceCode', 'province', 'address-level1', 100],
  ['phone', 'phone', 'tel', 40],
];
const NEEDED: ReadonlySet<Part> = new Set(['lastName', 'address1', 'city', 'countryCode']);

/** Whether addresses of a country have this part; what is written there already stays in view. */
const isAsked = (name: Part, country: string, value: string): boolean =>
  value !== '' || (name === 'zip' ? hasZip(country) : name !== 'provinceCode' || provincesToChoose(country) !== 'NONE');

async function show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer> {
  const why = await closed(portal, 'ADDRESS');
  if (why) return why;
  const { subscription, say, speech, context, work } = portal;
  const { form } = asked;
  const present = (subscription.contract.shipping_address ?? {}) as Address;
  const errors = new Map((refused?.errors ?? []).map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message]));
  const valueOf = (name: Part): string => form[name] ?? present[name] ?? '';
  const country = valueOf('countryCode') || context.store.country_code;
  const provinces = provincesToChoose(country);
  const fields = PARTS.filter(([name]) => isAsked(name, country, valueOf(name))).map(([name, key, autocomplete, maxLength]): Field => {
    const isTyped = name === 'provinceCode' && !Array.isArray(provinces);
    const error = isTyped && errors.has(name) ? `${errors.get(name)} ${say('portalProvince')}` : errors.get(name);
    return {
      name,
      label: say(key),
      value: valueOf(name),
      isRequired: NEEDED.has(name) || (name === 'provinceCode' && needsProvince(country)),
      ...(name === 'phone' ? { type: 'tel' } : {}),
      ...(name === 'countryCode'
        ? { options: countriesIn(context.store.country_code, speech.language).map(one => ({ value: one.code, label: one.name })) }
        : name === 'provinceCode' && Array.isArray(provinces)
          ? { options: [{ value: '', label: '–' }, ...provinces.map(one => ({ value: one.code, label: one.name }))] }
          : { maxLength }),
      autocomplete,
      ...(error ? { error } : {}),
    };
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
    (isSaid ? '' : alert(refused?.message)) +
    `<form method="post" action="${escapeHtml(at({ do: 'ADDRESS', v: subscription.contract.version }))}">` +
    `${fields.map(field).join('')}${also}` +
    `<input type="hidden" name="partsOf" value="${escapeHtml(country)}">${price}` +
    `<button type="submit">${escapeHtml(say('save'))}</button></form>${link(say('back'))}`;
  return answer(portal, say('changeAddress'), html, refused ? 422 : 200);
}

/** The address of a form. */
function addressIn(form: Asked['form']): Address {
  const given = Object.fromEntries(PARTS.map(([name, , , most]) => [name, (form[name] ?? '').trim().slice(0, most)])) as Record<
    Part,
    string
  >;
  const { phone, ...rest } = given;
  // The form had the provinces of another country: none of them was meant.
  const provinceCode = (form.partsOf ?? given.countryCode) === given.countryCode ? given.provinceCode : '';
  return { ...rest, provinceCode: provinceCode || null, country: given.countryCode, ...(phone ? { phone } : {}) };
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
