// <perennial-box>: a box that shoppers fill, in the form of its page (docs/storefront.md).
import { toDecimal } from '../../domain/money/money.ts';
import { boxInWords } from '../../domain/bundles/box-words.ts';
import { boxFaults } from '../../domain/bundles/bundle.ts';
import { boxPrice, firstSize, piecesOf, type BoxPrice, type PublishedBox } from '../../domain/bundles/published-box.ts';
import { localeChain } from '../../domain/text/translation.ts';
import type { PublishedGroup, PublishedPlan } from '../../domain/widgets/published.ts';
import { wordsOf } from '../../domain/widgets/published-words.ts';
import { h } from '../dom.ts';
import type { Published } from '../published-data.ts';
import { PublishedElement } from '../published-element.ts';
import { dress } from '../sheets.ts';
import { languageOf } from '../words.ts';
import { boxCode, type BoxCode } from './box-code.ts';
import { BOX_CSS } from './box-css.ts';
import type { BoxState } from './box-input.ts';
import { boxVariables, boxView } from './box-view.ts';

export interface BoxContent {
  box: PublishedBox;
  currency: string;
  /** The store's primary language. */
  primary: string;
  /** The plans of the box; none where it is bought once only. */
  group: PublishedGroup | undefined;
  /** The page of the frame in which the box's own JavaScript runs; undefined where it does not. */
  codePage: string | undefined;
}
/** What `perennial:box` tells at each change. */
export interface BoxChange {
  pieces: number;
  /** What the checkout charges, in the store's currency. */
  total: string;
  /** Whether it can be put into the cart. */
  isReady: boolean;
}

export class PerennialBox extends PublishedElement<BoxContent> {
  static readonly observedAttributes = ['bundle', 'subscription-only', 'lang'];
  #state: BoxState | undefined;
  #code: BoxCode | undefined;

  protected async read(source: Published): Promise<BoxContent | undefined> {
    const [index, found] = await Promise.all([source.index(), source.box(this.getAttribute('bundle') ?? '')]);
    if (!found) return undefined;
    const box = this.hasAttribute('subscription-only') ? { ...found, purchaseType: 'SUBSCRIPTION' as const } : found;
    const group = box.group === null ? undefined : (await source.groups()).find(one => one.id === box.group);
    // Sold by plans alone, and there are none: what the page has of its own stays.
    return box.purchaseType === 'SUBSCRIPTION' && !group?.plans.length
      ? undefined
      : { box, currency: index.currency, primary: index.locale, group, codePage: source.codePage };
  }

  protected named({ box }: BoxContent): string {
    return box.id;
  }

  protected draw({ box, currency, primary, group, codePage }: BoxContent, root: ShadowRoot): void {
    const locale = languageOf(this) ?? primary;
    const plans = inWords(group, locale, primary);
    this.#state ??= this.#before(box, plans);
    const state = this.#state;
    // The words of another language, or a size that the box has no more.
    if (state.plan) state.plan = plans.find(one => one.id === state.plan?.id) ?? plans[0];
    if (!box.boxSizes.some(one => one.id === state.sizeId)) state.sizeId = sizeAtFirst(box);
    const texts = wordsOf(box, locale, primary);
    // Where the frame stands it begins again: it gets what is in the box again as well.
    this.#code = box.customJs && codePage ? boxCode(box.customJs, codePage, texts.name ?? '') : undefined;
    const view = boxView({
      ...{ box: boxInWords(box, texts), currency, locale, plans, state },
      texts,
      isUpdate: this.hasAttribute('update'),
      hasHeading: this.hasAttribute('heading'),
      reckon: () => boxPrice(box, state.filling, currency, state.plan),
      faults: () => boxFaults(box, piecesOf(box, state.filling), state.sizeId),
      changed: (price, isReady) => this.#send(box, state, price, isReady, currency),
      submit: () => this.closest('form')?.requestSubmit(),
    });
    view.lang = locale;
    dress(root, BOX_CSS, boxVariables(box.look), `${box.look.css}\n${box.customCss}`);
    root.replaceChildren(view, ...(this.#code ? [this.#code.frame] : []));
  }

  /** What the page's own fields say, before the element takes their place: what a person has filled in stays. */
  #before(box: PublishedBox, plans: readonly PublishedPlan[]): BoxState {
    const filling = new Map<number, number>();
    for (const field of this.querySelectorAll<HTMLInputElement>('input[name^="q["]')) {
      const [id, pieces] = [Number(field.name.slice(2, -1)), Number(field.value)];
      if (pieces > 0) filling.set(id, pieces);
    }
    const checked = (name: string): string | undefined =>
      this.querySelector<HTMLInputElement>(`input[name="${name}"]:checked, input[type=hidden][name="${name}"]`)?.value;
    const size = box.boxSizes.find(one => String(one.id) === checked('size')) ?? firstSize(box);
    const named = checked('selling_plan');
    const isOnce = box.purchaseType === 'ONETIME' || (box.purchaseType === 'ALL' && (named === undefined ? box.isOnceFirst : named === ''));
    return {
      filling,
      sizeId: hasChoice(box) ? size?.id : undefined,
      plan: isOnce ? undefined : (plans.find(one => String(one.id) === named) ?? plans.find(one => one.isDefault) ?? plans[0]),
    };
  }

  /** The fields that the form sends: as the platform's cart takes them, and ours. */
  #send(box: PublishedBox, { filling, sizeId, plan }: BoxState, price: BoxPrice, isReady: boolean, currency: string): void {
    const hidden = (name: string, value: string | number): HTMLInputElement => h('input', { type: 'hidden', name, value: String(value) });
    const items = piecesOf(box, filling).flatMap(({ variantId, quantity }, i) => [
      hidden(`items[${i}][id]`, variantId),
      hidden(`items[${i}][quantity]`, quantity),
      ...(plan ? [hidden(`items[${i}][selling_plan]`, plan.id)] : []),
      hidden(`items[${i}][properties][_bundleId]`, box.id),
    ]);
    const size = sizeId ?? price.size?.id;
    this.replaceChildren(
      hidden('do', 'add'),
      hidden('selling_plan', plan?.id ?? ''),
      ...(size === undefined ? [] : [hidden('size', size)]),
      ...items,
    );
    const detail: BoxChange = { pieces: price.pieces, total: toDecimal(price.total, currency), isReady };
    this.dispatchEvent(new CustomEvent('perennial:box', { bubbles: true, detail }));
    const pieces = piecesOf(box, filling).map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
    this.#code?.tell('change', { ...detail, items: pieces, size: sizeId ?? price.size?.id ?? null, plan: plan?.id ?? null });
  }
}

/** Whether the size is chosen; else it is the one that the pieces make. */
const hasChoice = ({ look, boxSizes }: PublishedBox): boolean => look.hasSizes && boxSizes.length > 1;
const sizeAtFirst = (box: PublishedBox): number | undefined => (hasChoice(box) ? firstSize(box)?.id : undefined);

/** The plans of a group in the words of a language. */
function inWords(group: PublishedGroup | undefined, locale: string, primary: string): PublishedPlan[] {
  const words = localeChain(locale, primary)
    .filter(one => one !== primary)
    .map(one => group?.words[one]?.plans)
    .find(Boolean);
  const plans = (group?.plans ?? []).map(plan => ({ ...plan, ...words?.[String(plan.id)] }));
  return [...plans.filter(one => one.isDefault), ...plans.filter(one => !one.isDefault)];
}
