// What is in a box, on a page of its own: products by category within the rules of the box, with what the next order comes to before it is
// saved.
import { boxFaults } from '../../../../domain/bundles/bundle.ts';
import { boxText, faultWords, nameOfPiece } from '../../../../domain/bundles/box-words.ts';
import { piecesOf, sectionsOf, type BoxProduct, type Filling } from '../../../../domain/bundles/published-box.ts';
import { toMinor } from '../../../../domain/money/money.ts';
import type { Refusal } from '../../../platform/context.ts';
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { act } from '../../../engine/index.ts';
import { changeContents } from '../../bundles/on-subscription.ts';
import { actionsOf } from '../actions.ts';
import { at } from '../at.ts';
import { itemsOf, openBox, totalOf, tried, type OpenBox } from '../boxes.ts';
import { p, pictured } from '../elements.ts';
import { question, saying } from '../html.ts';
import { actionNamed } from '../perform.ts';
import type { Portal } from '../portal.ts';
import { goTo, type Asked, type OwnPage } from './own-page.ts';
import { answer, link } from './parts.ts';
import { versionOf } from './card.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

const QUANTITY = /^q\[(\d{1,15})\]$/;
const lineOf = ({ query }: Asked): number | undefined => (/^\d{1,15}$/.test(query.of ?? '') ? Number(query.of) : undefined);

/** What was filled in. */
function fillingIn({ form }: Asked): Filling {
  return new Map(
    Object.entries(form).flatMap(([name, value]) => {
      const [, id] = QUANTITY.exec(name) ?? [];
      return id && /^\d{1,3}$/.test(value.trim()) && Number(value) > 0 ? [[Number(id), Number(value)] as const] : [];
    }),
  );
}

/** What stands in the way of a filling: the rules of the box, and more of what is sold out. */
function problemsOf(open: OpenBox, filling: Filling): string[] {
  const { box, texts } = open;
  const pieces = piecesOf(box, filling);
  const out = pieces
    .filter(({ variant, quantity }) => variant.isSoldOut && quantity > (open.filling.get(variant.id) ?? 0))
    .map(({ product, variant }) => `${nameOfPiece(product, variant)}: ${texts.bundleOutOfStock ?? ''}`);
  return [...boxFaults(box, pieces).map(fault => faultWords(box, texts, fault)), ...out];
}

function productHtml({ texts, filling: before }: OpenBox, filling: Filling, product: BoxProduct): string {
  const rows = product.variants.map(variant => {
    const [now, most] = [filling.get(variant.id) ?? 0, variant.isSoldOut ? (before.get(variant.id) ?? 0) : 500];
    const label = boxText(texts, 'bundleQuantityLabel', { product_name: nameOfPiece(product, variant) });
    const out = variant.isSoldOut ? `<span class="quiet">${escapeHtml(texts.bundleOutOfStock ?? '')}</span>` : '';
    const field =
      most === 0
        ? ''
        : `<input type="number" name="q[${variant.id}]" value="${now}" min="0" max="${most}" inputmode="numeric"` +
          ` aria-label="${escapeHtml(label)}">`;
    return `<div class="pick"><span>${escapeHtml(variant.title)}</span>${out}${field}</div>`;
  });
  const about = texts[`details.${product.id}.shortDescription`] ?? '';
  return pictured(product.image ?? null, `<h3>${escapeHtml(product.title)}</h3>${p(about, 'quiet')}${rows.join('')}`);
}

function sectionsHtml(open: OpenBox, filling: Filling): string {
  const { box, texts } = open;
  // What is sold out and in the box stays to be seen.
  return sectionsOf({ ...box, hidesSoldOut: false })
    .map(({ category, products }) => {
      const limits = box.categories.find(one => one.id === category);
      const words = [
        limits?.minProducts ? boxText(texts, 'bundleCategoryMin', { min: limits.minProducts }) : '',
        limits?.maxProducts ? boxText(texts, 'bundleCategoryMax', { max: limits.maxProducts }) : '',
      ];
      const name = category === null ? '' : (texts[`categories.${category}.name`] ?? '');
      return (
        (name ? `<h2>${escapeHtml(name)}</h2>` : '') +
        p(words.filter(Boolean).join(' · '), 'quiet') +
        products.map(product => productHtml(open, filling, product)).join('')
      );
    })
    .join('');
}

/** Why it is not there for this customer now, as a page; undefined where it is. */
async function closed(portal: Portal, asked: Asked): Promise<PageAnswer | undefined> {
  const action = actionNamed(await actionsOf(portal, {}, 'BOX'), 'BOX', lineOf(asked));
  if (!action) return saying(portal, portal.say('portalUnavailable'), 403);
  return action.refusal === undefined ? undefined : question(portal, action, undefined);
}

async function show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer> {
  const why = await closed(portal, asked);
  if (why) return why;
  const { say, speech, subscription, work } = portal;
  const open = await openBox(portal, lineOf(asked));
  if (!open) return saying(portal, say('portalUnavailable'), 404);
  const { held, texts } = open;
  const isSent = Object.keys(asked.form).some(name => QUANTITY.test(name));
  const filling = isSent ? fillingIn(asked) : open.filling;
  const problems = isSent ? problemsOf(open, filling) : [];
  const money = (minor: number): string => speech.money(minor, subscription.contract.currency_code);
  let price = '';
  if (isSent && problems.length === 0 && !refused) {
    const { total, isTooLittle } = await tried(portal, open, filling);
    if (isTooLittle) problems.push(tooLittle(portal));
    price = say('portalBoxPrice', { order_total: money(total), present_total: money(totalOf(work, subscription)) });
  }
  const wrong = problems.length ? problems : refused ? [refused.errors?.[0]?.message ?? refused.message] : [];
  const address = (step: string): string => at({ do: 'BOX', of: lineOf(asked), step, v: subscription.contract.version });
  const buttons =
    `<button type="submit" class="second" formaction="${escapeHtml(address('look'))}">${escapeHtml(say('portalBoxShow'))}</button>` +
    `<button type="submit">${escapeHtml(texts.bundleUpdate ?? '')}</button>`;
  const html =
    p(texts[`boxSizes.${held.boxSizeId}.name`] ?? held.boxName ?? '', 'quiet') +
    wrong.map(alarm).join('') +
    (price && wrong.length === 0 ? `<p class="said" role="status">${escapeHtml(price)}</p>` : '') +
    `<form class="box" method="post" action="${escapeHtml(address('save'))}">${sectionsHtml(open, filling)}${buttons}</form>` +
    link(say('back'));
  return answer(portal, texts.name ?? held.name, html, wrong.length ? 422 : 200);
}

const tooLittle = ({ context, may, say, speech }: Portal): string =>
  say('portalMinimum', {
    minimum_order_value: speech.money(toMinor(may.minimumOrderValue ?? '0', context.store.currency_code), context.store.currency_code),
  });

async function take(portal: Portal, asked: Asked): Promise<PageAnswer> {
  const { context, subscription } = portal;
  if (asked.query.step === 'look') return show(portal, asked);
  const why = await closed(portal, asked);
  if (why) return why;
  const open = await openBox(portal, lineOf(asked));
  if (!open || (await versionOf(portal)) !== Number(asked.query.v)) return goTo(portal, { told: 'portalChanged' });
  const filling = fillingIn(asked);
  if (problemsOf(open, filling).length) return show(portal, asked);
  if ((await tried(portal, open, filling)).isTooLittle) return show(portal, asked);
  await act(context, subscription.contract.id, { action: 'changeContents' }, (work, on) =>
    changeContents(work, on, { bundleTransactionId: open.held.id, items: itemsOf(open, filling) }),
  );
  return goTo(portal, { told: 'portalBoxDone' });
}

export const box: OwnPage = { show, take };
