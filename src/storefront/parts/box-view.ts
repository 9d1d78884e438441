// A box as shoppers fill it: sizes, ways to buy, products by category, and what it comes to. It is drawn once; what changes is repainted,
// so that focus and screen readers stay where they are.
import { boxText, discountWords, nameOfPiece } from '../../domain/bundles/box-words.ts';
import type { BuilderLook } from '../../domain/bundles/builder-look.ts';
import { piecePrice, piecesOf, sectionsOf, type BoxProduct, type BoxVariant } from '../../domain/bundles/published-box.ts';
import { formatMoney } from '../../domain/money/money.ts';
import type { PublishedPlan } from '../../domain/widgets/published.ts';
import { h, icon } from '../dom.ts';
import { piecesOfSize, type BoxInput, type Paint } from './box-input.ts';
import { summary } from './box-summary.ts';

/** The merchant's look as CSS variables. */
export const boxVariables = ({
  page,
  heading,
  hero,
  columns,
  ratio,
  button,
  progress,
  summary,
  cart,
}: BuilderLook): Record<string, string> => ({
  '--box-background': page.background,
  '--box-color': page.color,
  '--box-radius': `${page.borderRadius}px`,
  '--box-width': `${page.maxWidth}px`,
  '--box-font': page.fontFamily ?? 'inherit',
  '--box-heading': heading,
  '--box-hero': `${hero?.height ?? 0}px`,
  '--box-wide': String(columns.wide),
  '--box-narrow': String(columns.narrow),
  '--box-ratio': ratio,
  '--box-button': button.background,
  '--box-button-color': button.color,
  '--box-bar': progress?.bar ?? button.background,
  '--box-track': progress?.track ?? 'transparent',
  '--box-summary': summary.background,
  '--box-cart': cart.background,
  '--box-cart-color': cart.color,
});

const [PLUS, MINUS] = ['M8 3v10M3 8h10', 'M3 8h10'];
let names = 0;

export function boxView(input: BoxInput): HTMLElement {
  const { box, texts, hasHeading } = input;
  const { look } = box;
  const paints: Paint[] = [];
  const paint = (): void => {
    for (const one of paints) one();
  };
  const title = boxText(texts, 'bundlePageTitle', { bundle_name: texts.name ?? '' });
  const heading =
    hasHeading &&
    h(
      'header',
      { class: look.hero?.isCentered ? 'centered' : '' },
      look.hero && box.hero ? h('img', { class: 'hero', src: box.hero, alt: '' }) : undefined,
      h('h1', {}, title),
      texts.description ? h('p', { class: 'lines' }, texts.description) : undefined,
    );
  const view = h(
    'div',
    { class: `w${look.summary.isBeside ? ' beside' : ''}`, part: 'box' },
    heading,
    h(
      'div',
      { class: 'parts' },
      h('div', { class: 'main' }, sizes(input, paint), ways(input, paint), ...shelves(input, paints, paint)),
      summary(input, paints),
    ),
    hasHeading && texts.footer ? h('p', { class: 'lines quiet' }, texts.footer) : undefined,
  );
  paint();
  return view;
}

/** A choice of one: radio buttons side by side, or a list. */
function choice<T>(
  legend: string,
  isTabs: boolean,
  options: readonly { value: T; name: string; detail: string; badge: string; isChosen: boolean }[],
  choose: (value: T) => void,
): HTMLElement {
  const name = `c${++names}`;
  if (!isTabs) {
    const list = h(
      'select',
      {
        'aria-label': legend,
        onchange: () => {
          const chosen = options[list.selectedIndex];
          if (chosen) choose(chosen.value);
        },
      },
      ...options.map(one => h('option', { selected: one.isChosen }, [one.name, one.badge, one.detail].filter(Boolean).join(' · '))),
    );
    return h('div', { class: 'choice' }, h('span', { class: 'legend', 'aria-hidden': 'true' }, legend), list);
  }
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', { class: 'legend' }, legend),
    h(
      'div',
      { class: 'tabs' },
      ...options.map(one => {
        const radio = h('input', { type: 'radio', name, onchange: () => choose(one.value) });
        radio.checked = one.isChosen;
        return h(
          'label',
          { class: 'tab' },
          radio,
          h('b', {}, one.name),
          one.badge ? h('span', { class: 'badge' }, one.badge) : undefined,
          one.detail ? h('small', {}, one.detail) : undefined,
        );
      }),
    ),
  );
}

function sizes({ box, texts, state, currency, locale }: BoxInput, paint: Paint): HTMLElement | undefined {
  if (state.sizeId === undefined) return undefined;
  const { discountType: type } = box;
  const options = box.boxSizes.map(size => {
    const tier = box.discounts.find(one => one.conditionType === 'QUANTITY' && one.minCartQuantity === size.minSize);
    return {
      value: size.id,
      name: texts[`boxSizes.${size.id}.name`] ?? size.name,
      detail: boxText(texts, 'bundleSizePieces', { count: piecesOfSize(size) }),
      badge: tier && (type === 'PERCENTAGE' || type === 'FIXED') ? `−${discountWords({ ...tier, type }, currency, locale)}` : '',
      isChosen: size.id === state.sizeId,
    };
  });
  return choice(texts.bundleSizeLabel ?? '', box.look.isTabs, options, value => {
    state.sizeId = value;
    paint();
  });
}

function ways({ box, texts, state, plans, currency, locale }: BoxInput, paint: Paint): HTMLElement | undefined {
  if (plans.length === 0 || !box.look.hasFrequencies) return undefined;
  const options = plans.map(plan => ({
    value: plan as PublishedPlan | undefined,
    name: plan.name,
    detail: plan.description,
    badge:
      plan.rule.type === 'PERCENTAGE' && plan.rule.value > 0
        ? `−${discountWords({ name: '', type: 'PERCENTAGE', value: String(plan.rule.value) }, currency, locale)}`
        : '',
    isChosen: plan.id === state.plan?.id,
  }));
  const once = { value: undefined, name: texts.bundleOnetimeLabel ?? '', detail: '', badge: '', isChosen: state.plan === undefined };
  const all = box.purchaseType === 'SUBSCRIPTION' ? options : [...options, once];
  return choice(
    (box.purchaseType === 'SUBSCRIPTION' ? texts.bundleSubscriptionLabel : texts.bundleFrequencyLabel) ?? '',
    box.look.isTabs,
    all,
    value => {
      state.plan = value;
      paint();
    },
  );
}

/** The products by category, with what narrows them. */
function shelves(input: BoxInput, paints: Paint[], paint: Paint): (HTMLElement | undefined)[] {
  const { box, texts } = input;
  const narrowed = new Map<number, string>();
  const fits = (product: number): boolean =>
    box.filters.every(
      ({ values }, i) => !narrowed.get(i) || values.some(one => one.value === narrowed.get(i) && one.products.includes(product)),
    );
  const filters = box.filters.map(({ name, values }, i) => {
    const list = h(
      'select',
      {
        onchange: () => {
          narrowed.set(i, list.value);
          paint();
        },
      },
      h('option', { value: '' }, texts.bundleFilterAll),
      ...values.map(({ value }) => h('option', { value }, value)),
    );
    return h('label', {}, h('span', {}, name), list);
  });
  const sections = sectionsOf(box).map(({ category, products }) => {
    const limits = box.categories.find(one => one.id === category);
    const status = h('p', { class: 'quiet' });
    const words = [
      limits?.minProducts ? boxText(texts, 'bundleCategoryMin', { min: limits.minProducts }) : '',
      limits?.maxProducts ? boxText(texts, 'bundleCategoryMax', { max: limits.maxProducts }) : '',
    ].filter(Boolean);
    status.textContent = words.join(' · ');
    const cards = products.map(product => ({ product, element: card(input, product, paints, paint) }));
    const picture = category === null ? undefined : box.pictures[`categories.${category}`];
    const section = h(
      'section',
      {},
      picture ? h('img', { class: 'band', src: picture, alt: '', loading: 'lazy' }) : undefined,
      category === null ? undefined : h('h2', {}, texts[`categories.${category}.name`]),
      texts[`categories.${category}.description`] ? h('p', {}, texts[`categories.${category}.description`]) : undefined,
      words.length ? status : undefined,
      h('ul', { class: 'grid' }, ...cards.map(({ element }) => element)),
    );
    paints.push(() => {
      for (const { product, element } of cards) element.hidden = !fits(product.id);
      section.hidden = cards.every(({ element }) => element.hidden);
    });
    return section;
  });
  return [filters.length ? h('div', { class: 'filters' }, ...filters) : undefined, ...sections];
}

/** How many pieces may still be added of a product: by the size, by its own limit, and by those of its categories. */
function room({ box, state }: BoxInput, product: BoxProduct): number {
  const pieces = piecesOf(box, state.filling);
  const within = (ids: readonly number[]): number =>
    pieces.filter(one => ids.includes(one.productId)).reduce((all, one) => all + one.quantity, 0);
  const sizesMeant = state.sizeId === undefined ? box.boxSizes : box.boxSizes.filter(one => one.id === state.sizeId);
  const largest = Math.max(...sizesMeant.map(one => one.maxSize || Infinity));
  const own = box.details.find(one => one.productId === product.id)?.maxQuantity || Infinity;
  const ofCategories = box.categories
    .filter(one => one.maxProducts > 0 && one.productIds.includes(product.id))
    .map(one => one.maxProducts - within(one.productIds));
  const all = pieces.reduce((sum, one) => sum + one.quantity, 0);
  return Math.min(largest - all, own - within([product.id]), ...ofCategories);
}

function card(input: BoxInput, product: BoxProduct, paints: Paint[], paint: Paint): HTMLLIElement {
  const { box, texts, state, currency, locale } = input;
  const cash = (minor: number): string => formatMoney(minor, currency, locale);
  let variant: BoxVariant | undefined = product.variants.find(one => !one.isSoldOut) ?? product.variants[0];
  const nameNow = (): string => (variant ? nameOfPiece(product, variant) : product.title);
  const image = product.image ?? product.variants[0]?.image;
  const price = h('p', { class: 'price' });
  const limits = box.details.find(one => one.productId === product.id);
  const about = [
    texts[`details.${product.id}.shortDescription`] ?? '',
    limits?.minQuantity ? boxText(texts, 'bundleProductMin', { min: limits.minQuantity }) : '',
    limits?.maxQuantity ? boxText(texts, 'bundleProductMax', { max: limits.maxQuantity }) : '',
  ].filter(Boolean);
  const long = texts[`details.${product.id}.longDescription`];
  const change = (by: number): void => {
    if (!variant) return;
    const pieces = Math.max(0, (state.filling.get(variant.id) ?? 0) + by);
    if (pieces === 0) state.filling.delete(variant.id);
    else state.filling.set(variant.id, pieces);
    paint();
    // The button that was pressed may be gone: the one in its place is next.
    if (pieces === 0) add.focus();
    else if (by > 0 && pieces === 1) more.focus();
  };
  const add = h('button', { type: 'button', class: 'add', onclick: () => change(1) });
  const less = h('button', { type: 'button', class: 'step', onclick: () => change(-1) });
  const more = h('button', { type: 'button', class: 'step', onclick: () => change(1) });
  less.append(icon(MINUS));
  more.append(icon(PLUS));
  const count = h('output', {});
  const stepper = h('div', { class: 'stepper', role: 'group' }, less, count, more);
  const list =
    product.variants.length > 1 &&
    h(
      'select',
      {
        'aria-label': boxText(texts, 'bundleVariantLabel', { product_name: product.title }),
        onchange: event => {
          variant = product.variants[(event.currentTarget as HTMLSelectElement).selectedIndex];
          paint();
        },
      },
      ...product.variants.map(one =>
        h('option', { selected: one === variant }, one.isSoldOut ? `${one.title} · ${texts.bundleOutOfStock}` : one.title),
      ),
    );
  const inside = h('p', { class: 'quiet inside' });
  const element = h(
    'li',
    { class: 'card', part: 'product' },
    image ? h('img', { src: image, alt: '', loading: 'lazy' }) : h('span', { class: 'blank' }),
    h('h3', {}, product.title),
    ...about.map(text => h('p', { class: 'quiet' }, text)),
    long
      ? h(
          'details',
          {},
          h('summary', { 'aria-label': boxText(texts, 'bundleDetails', { product_name: product.title }) }, '…'),
          h('p', { class: 'lines quiet' }, long),
        )
      : undefined,
    box.look.hasPrice ? price : undefined,
    list,
    h('div', { class: 'act' }, add, stepper),
    inside,
  );
  paints.push(() => {
    if (!variant) return;
    const pieces = state.filling.get(variant.id) ?? 0;
    const isOut = variant.isSoldOut === true;
    const now = piecePrice(variant, state.plan);
    price.replaceChildren(
      h('span', {}, cash(now)),
      ...(box.look.hasPriceBefore && now < variant.price ? [h('s', {}, cash(variant.price))] : []),
    );
    const isFull = room(input, product) < 1;
    add.hidden = pieces > 0;
    stepper.hidden = pieces === 0;
    add.disabled = isOut || isFull;
    add.textContent = (isOut ? texts.bundleOutOfStock : texts.bundleAddButton) ?? '';
    add.setAttribute('aria-label', `${add.textContent}: ${nameNow()}`);
    more.disabled = isOut || isFull;
    more.setAttribute('aria-label', boxText(texts, 'bundleMoreButton', { product_name: nameNow() }));
    less.setAttribute('aria-label', boxText(texts, 'bundleLessButton', { product_name: nameNow() }));
    stepper.setAttribute('aria-label', boxText(texts, 'bundleQuantityLabel', { product_name: nameNow() }));
    count.value = String(pieces);
    count.setAttribute('aria-label', `${texts.bundleAddedButton ?? ''}: ${pieces}`);
    element.toggleAttribute('data-out', isOut && pieces === 0);
    element.toggleAttribute(
      'data-chosen',
      product.variants.some(one => state.filling.has(one.id)),
    );
    inside.textContent =
      product.variants.length > 1
        ? product.variants
            .filter(one => one !== variant && state.filling.has(one.id))
            .map(one => `${state.filling.get(one.id)} × ${one.title}`)
            .join(', ')
        : '';
    inside.hidden = inside.textContent === '';
  });
  return element;
}
