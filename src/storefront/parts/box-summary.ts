// What a box comes to while it is filled: how full it is, what is in it, what it costs, and the button to the cart.
import { boxText, faultWords, nameOfPiece, savingWords } from '../../domain/bundles/box-words.ts';
import { piecesOf } from '../../domain/bundles/published-box.ts';
import { formatMoney } from '../../domain/money/money.ts';
import { h } from '../dom.ts';
import { piecesOfSize, type BoxInput, type Paint } from './box-input.ts';

/** How full it is, what is in it, what it costs, and the button to the cart. */
export function summary(
  { box, texts, state, currency, locale, isUpdate, reckon, faults, changed, submit }: BoxInput,
  paints: Paint[],
): HTMLElement {
  const cash = (minor: number): string => formatMoney(minor, currency, locale);
  const { progress, hasPriceBefore } = box.look;
  const fill = h('div', { class: 'fill' });
  const bar = h('div', { class: 'bar', role: 'progressbar', 'aria-label': texts.bundleSummaryTitle, 'aria-valuemin': 0 }, fill);
  const count = h('span', { class: 'count' });
  const status = h('p', { class: 'status', role: 'status' });
  const list = h('ul', { class: 'inside' });
  const total = h('p', { class: 'total' });
  const ahead = h('p', { class: 'quiet' });
  const saved = h('p', { class: 'saved' });
  const alarm = h('ul', { class: 'alarm', role: 'alert', hidden: true });
  const words = (): string[] => faults().map(fault => faultWords(box, texts, fault));
  const cart = h('button', {
    type: 'button',
    class: 'cart',
    onclick: () => {
      const wrong = words();
      alarm.hidden = wrong.length === 0;
      alarm.replaceChildren(...wrong.map(text => h('li', {}, text)));
      status.textContent = wrong.length === 0 ? (texts.bundleProgressDone ?? '') : '';
      if (wrong.length === 0) submit();
    },
  });
  cart.textContent = (isUpdate ? texts.bundleUpdate : texts.bundleAddToCart) ?? '';
  paints.push(() => {
    const price = reckon();
    const wrong = words();
    const size = box.boxSizes.find(one => one.id === state.sizeId) ?? price.size ?? box.boxSizes.find(one => one.minSize > price.pieces);
    const goal = size?.minSize ?? price.pieces;
    count.textContent = boxText(texts, 'bundleCount', { count: price.pieces, size: size ? piecesOfSize(size) : goal });
    bar.setAttribute('aria-valuemax', String(goal));
    bar.setAttribute('aria-valuenow', String(Math.min(goal, price.pieces)));
    fill.style.setProperty('inline-size', `${goal ? Math.min(100, (price.pieces * 100) / goal) : 0}%`);
    if (!alarm.hidden) {
      alarm.hidden = wrong.length === 0;
      alarm.replaceChildren(...wrong.map(text => h('li', {}, text)));
    }
    // Once the alarm says what is missing, it is said there.
    status.textContent = wrong.length === 0 ? (texts.bundleProgressDone ?? '') : alarm.hidden ? (wrong[0] ?? '') : '';
    status.toggleAttribute('data-done', wrong.length === 0);
    const pieces = piecesOf(box, state.filling);
    list.replaceChildren(
      ...(pieces.length
        ? pieces.map(({ product, variant, quantity }) => h('li', {}, `${quantity} × ${nameOfPiece(product, variant)}`))
        : [h('li', { class: 'quiet' }, texts.bundleEmptySummary)]),
    );
    total.replaceChildren(
      h('span', {}, texts.bundleTotalLabel),
      h('span', {}, h('b', {}, cash(price.total)), hasPriceBefore && price.full > price.total ? h('s', {}, cash(price.full)) : undefined),
    );
    const deliveries = state.plan?.deliveriesPerCharge ?? 1;
    ahead.textContent = deliveries > 1 ? boxText(texts, 'bundlePaidAhead', { price: cash(price.total), deliveries }) : '';
    ahead.hidden = deliveries < 2;
    saved.replaceChildren(...savingWords(price, texts, currency, locale, wrong.length === 0).map(text => h('span', {}, text)));
    saved.hidden = saved.childElementCount === 0;
    changed(price, wrong.length === 0);
  });
  return h(
    'aside',
    { class: 'summary', part: 'summary', 'aria-label': texts.bundleSummaryTitle },
    h('div', { class: 'head' }, h('h2', {}, texts.bundleSummaryTitle), count),
    progress ? bar : undefined,
    status,
    list,
    saved,
    total,
    ahead,
    alarm,
    cart,
  );
}
