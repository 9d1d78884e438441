// <perennial-widget>: the purchase options of a product, in the form of its page or beside it (docs/storefront.md).
import type { JsonValue } from '../contract/types.ts';
import { h } from './dom.ts';
import { toDecimal } from '../domain/money/money.ts';
import type { PublishedVariant } from '../domain/widgets/published.ts';
import { purchaseOptions, type GroupOption, type PurchaseOptions } from '../domain/widgets/purchase-options.ts';
import { buttonOf, variantIn, watchSending, watchVariant } from './product-form.ts';
import type { Published } from './published-data.ts';
import { PublishedElement, type Design } from './published-element.ts';
import { PURCHASE_CSS } from './purchase-css.ts';
import { buttonText, isHidden, purchaseView, type Choice } from './purchase-view.ts';
import { dress } from './sheets.ts';
import { languageOf } from './words.ts';
import { wordsOf } from '../domain/widgets/published-words.ts';

/** What a widget draws. */
export interface WidgetContent {
  widget: Design;
  currency: string;
  /** The store's primary language. */
  primary: string;
  /** The product can't be bought once. */
  isSubscriptionOnly?: boolean;
  /** The options of the variant with this number, or of the one that is shown first; undefined where there is none. */
  optionsOf(variant: string | undefined, locale: string): PurchaseOptions | undefined;
}

/** What `perennial:change` tells: amounts as decimal texts in the store's currency, for one piece. */
export interface WidgetChange {
  /** The platform's number of the plan; null for a one-time purchase. */
  sellingPlanId: number | null;
  /** For each delivery. */
  price: string;
  /** What the checkout charges: more than `price` where several deliveries are paid at once. */
  fullPrice: string;
  /** The number of the widget, for shops whose pages send no form: what is bought by it is counted at it. */
  widget: number;
}

/** The template of a kind of widgets, where it is no product page. */
const TEMPLATES: Readonly<Record<string, string>> = { COLLECTION: 'collection', CHECKOUT: 'checkout' };

/** A group with the plans that are named; nothing where it has none of them. */
function offeredOf(group: GroupOption, only: readonly string[]): GroupOption[] {
  const plans = group.plans.filter(({ id }) => only.includes(String(id)));
  return plans.length ? [{ ...group, plans }] : [];
}

export class PerennialWidget extends PublishedElement<WidgetContent> {
  static readonly observedAttributes = ['type', 'product-id', 'variant-id', 'template', 'plans', 'subscription-only', 'lang'];
  #undo: (() => void)[] = [];
  #field: HTMLInputElement | undefined;
  /** Says in the cart by which widget the product came there. Carts do not show what begins with a line. */
  #by = h('input', { type: 'hidden', name: 'properties[_perennial_widget]' });
  #before: number | null | undefined;
  #variant: string | undefined;

  disconnectedCallback(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  protected async read(source: Published): Promise<WidgetContent | undefined> {
    const productId = this.getAttribute('product-id');
    if (!productId) return undefined;
    const type = this.getAttribute('type') ?? 'PRODUCT';
    const template = this.getAttribute('template') ?? TEMPLATES[type] ?? 'product';
    // A card of a collection reads what the others read too.
    if (type !== 'COLLECTION') source.isOf?.(productId);
    // Of all plans these alone, by the platform's numbers.
    const only = this.getAttribute('plans')?.split(' ');
    const [index, widget, groups, product] = await Promise.all([
      source.index(),
      source.widget(type, template),
      source.groups(),
      source.product(productId),
    ]);
    if (!widget) return undefined;
    const variants = product?.variants ?? [];
    const first = variants.find(one => !one.isSoldOut) ?? variants[0];
    const find = (id: string | undefined): PublishedVariant | undefined => (id ? variants.find(one => String(one.id) === id) : first);
    const optionsOf: WidgetContent['optionsOf'] = (id, locale) => {
      const variant = find(id);
      const options = variant && purchaseOptions(variant, groups, locale, index.locale);
      return options && only ? { ...options, groups: options.groups.flatMap(group => offeredOf(group, only)) } : options;
    };
    if (this.#isOlder(optionsOf(variantIn(this.closest('form')), index.locale))) return undefined;
    return {
      widget,
      currency: index.currency,
      primary: index.locale,
      isSubscriptionOnly: product?.isSubscriptionOnly === true,
      optionsOf,
    };
  }

  /** Whether the page offers plans of which what was published knows none yet: then its own ways to buy stay. */
  #isOlder(options: PurchaseOptions | undefined): boolean {
    const own = [...this.querySelectorAll<HTMLInputElement>('input[type=radio][name=selling_plan]')].flatMap(one => one.value || []);
    const known = options?.groups.flatMap(({ plans }) => plans.map(plan => String(plan.id))) ?? [];
    return own.length > 0 && !own.some(plan => known.includes(plan));
  }

  protected named({ widget }: WidgetContent): number {
    return widget.id;
  }

  protected draw(content: WidgetContent, root: ShadowRoot): void {
    for (const undo of this.#undo.splice(0)) undo();
    const { id, preferences } = content.widget;
    this.#by.value = String(id);
    const form = this.closest('form');
    this.#take();
    this.#drawOptions(content, root);
    if (!form) return;
    this.#undo.push(
      watchVariant(form, () => {
        if (variantIn(form) !== this.#variant) this.#drawOptions(content, root);
      }),
      watchSending(form, {
        goal: () => goalOf(this, preferences.redirectAfterAddToCart),
        failed: () => this.dispatchEvent(new CustomEvent('perennial:error', { bubbles: true })),
      }),
    );
  }

  /** Takes the place of what the page had: what a person has chosen there stays chosen. */
  #take(): void {
    if (this.#field) return;
    const radio = this.querySelector<HTMLInputElement>('input[name=selling_plan]:checked');
    if (radio && !radio.defaultChecked) this.#before = radio.value ? Number(radio.value) : null;
    this.#field = document.createElement('input');
    this.#field.type = 'hidden';
    this.#field.name = 'selling_plan';
    this.replaceChildren(this.#field, this.#by);
  }

  #drawOptions({ widget, currency, primary, isSubscriptionOnly = false, optionsOf }: WidgetContent, root: ShadowRoot): void {
    const form = this.closest('form');
    this.#variant = variantIn(form);
    const locale = languageOf(this) ?? primary;
    const options = optionsOf(this.#variant ?? this.getAttribute('variant-id') ?? undefined, locale);
    dress(root, PURCHASE_CSS, widget.cssVariables, widget.customCss);
    if (!options) {
      root.replaceChildren();
      this.#set('');
      return;
    }
    const texts = wordsOf(widget, locale, primary);
    const button = buttonOf(form);
    const input = {
      options,
      preferences: widget.preferences,
      texts,
      currency,
      locale,
      isSubscriptionOnly: isSubscriptionOnly || this.hasAttribute('subscription-only'),
      hasButton: form !== null && button === null,
      before: this.#before,
      onChoose: (choice: Choice, isByHand: boolean) => {
        if (isByHand) this.#before = choice.plan?.id ?? null;
        this.#chosen(choice, currency, options, texts, button);
      },
      onAdd: () => form?.requestSubmit(),
    };
    const view = purchaseView(input);
    view.lang = locale;
    root.replaceChildren(...(isHidden(input) ? [] : [view]));
  }

  #chosen(
    { plan, group }: Choice,
    currency: string,
    options: PurchaseOptions,
    texts: Record<string, string>,
    button: HTMLButtonElement | HTMLInputElement | null,
  ): void {
    this.#set(String(plan?.id ?? ''));
    if (button?.hasAttribute('data-perennial-add')) {
      const words = buttonText({ options, texts }, group !== undefined);
      if (button instanceof HTMLInputElement) button.value = words;
      else button.textContent = words;
      button.disabled = options.isSoldOut;
    }
    const detail: WidgetChange = {
      sellingPlanId: plan?.id ?? null,
      price: toDecimal(plan?.each ?? options.price, currency),
      fullPrice: toDecimal(plan?.full ?? options.price, currency),
      widget: Number(this.#by.value),
    };
    this.dispatchEvent(new CustomEvent('perennial:change', { bubbles: true, detail }));
  }

  #set(value: string): void {
    if (this.#field) this.#field.value = value;
  }
}

/** Where a page goes once a product is in the cart; undefined: it stays with what the form does. */
function goalOf(element: Element, preference: JsonValue | undefined): string | undefined {
  const [name, usual] = preference === 'CART' ? ['cart-url', '/cart'] : preference === 'CHECKOUT' ? ['checkout-url', '/checkout'] : [];
  return name && (element.getAttribute(name) ?? usual);
}
