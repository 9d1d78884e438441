// A discount code of the store, on a page of its own; what the engine says against it is said here.
import { Refusal } from '../../../platform/context.ts';
import { escapeHtml as e, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { act, addDiscount, removeDiscount } from '../../../engine/index.ts';
import { at } from '../at.ts';
import { codesOf, type Portal } from '../portal.ts';
import { versionOf } from './card.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';
import { field } from '../../../platform/http/form-fields.ts';
import { answer, button, link } from './parts.ts';

/** Characters of a code, as schemas/actions/ADD_DISCOUNT.json takes them. */
const LONGEST = 255;

async function show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer> {
  const why = await closed(portal, 'DISCOUNT');
  if (why) return why;
  const { say, subscription, may } = portal;
  const address = (more: Readonly<Record<string, number>> = {}): string =>
    at({ do: 'DISCOUNT', v: subscription.contract.version, ...more });
  const present = may.removeDiscount
    ? codesOf(portal).map(one => `<p>${e(one.code ?? '')}</p>${button(address({ of: one.id }), say('discountRemove'), { quiet: true })}`)
    : [];
  const entry = may.applyDiscountCode
    ? `<form method="post" action="${e(address())}">${field({
        name: 'code',
        label: say('discountPlaceholder'),
        value: asked.form.code ?? '',
        isRequired: true,
        maxLength: LONGEST,
        autocomplete: 'off',
        ...(refused ? { error: `${say('discountInvalid')} ${refused.errors?.[0]?.message ?? refused.message}` } : {}),
      })}<button type="submit">${e(say('discountApply'))}</button></form>`
    : '';
  return answer(portal, say('discountHeading'), entry + present.join('') + link(say('back')), refused ? 422 : 200);
}

async function take(portal: Portal, { form, query }: Asked): Promise<PageAnswer> {
  const why = await closed(portal, 'DISCOUNT');
  if (why) return why;
  const { context, subscription, may, say } = portal;
  if ((await versionOf(portal)) !== Number(query.v)) return goTo(portal, { told: 'portalChanged' });
  const { id } = subscription.contract;
  const gone = codesOf(portal).find(one => String(one.id) === query.of);
  if (query.of !== undefined) {
    if (!may.removeDiscount || !gone) throw new Refusal(403, 'FORBIDDEN', say('portalUnavailable'));
    await act(context, id, { action: 'removeDiscountCode' }, (work, on) => removeDiscount(work, on, { discountId: gone.id }));
    return goTo(portal, { told: 'saved' });
  }
  if (!may.applyDiscountCode) throw new Refusal(403, 'FORBIDDEN', say('portalUnavailable'));
  const code = (form.code ?? '').trim().slice(0, LONGEST);
  if (!code || codesOf(portal).some(one => one.code?.toLowerCase() === code.toLowerCase()))
    throw new Refusal(422, 'VALIDATION', '', [{ pointer: '/code', rule: 'unique', message: '' }]);
  await act(context, id, { action: 'addDiscount' }, (work, on) => addDiscount(work, on, { code }));
  return goTo(portal, { told: 'discountApplied' });
}

export const discount: OwnPage = { show, take };
