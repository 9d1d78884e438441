// <perennial-gift>: the offer to give a subscription away, whose fields go with the form of the product (docs/storefront.md).
import { buttonOf } from '../product-form.ts';
import { h } from '../dom.ts';
import type { Published } from '../published-data.ts';
import { PublishedElement, type Design } from '../published-element.ts';
import { dress } from '../sheets.ts';
import { languageOf } from '../words.ts';
import { wordsOf } from '../../domain/widgets/published-words.ts';
import { GIFT_CSS } from './gift-css.ts';

export interface GiftContent {
  widget: Design;
  /** The store's primary language. */
  primary: string;
}
type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields by the names under which a cart keeps them; a name that begins with a line is shown to no shopper. */
const NAMES = {
  recipientNameLabel: 'properties[_gift_recipient_name]',
  recipientEmailLabel: 'properties[_gift_recipient_email]',
  messageLabel: 'properties[_gift_message]',
  deliveryDateLabel: 'properties[_gift_delivery_date]',
} as const;

export class PerennialGift extends PublishedElement<GiftContent> {
  static readonly formAssociated = true;
  static readonly observedAttributes = ['product-id', 'template', 'lang'];
  readonly #form = this.attachInternals();
  /** Says in the cart by which gift widget the gift came there. */
  #by = '';
  #isOpen: boolean | undefined;
  /** What was typed, by field: it outlives a drawing. */
  readonly #typed = new Map<string, string>();

  protected async read(source: Published): Promise<GiftContent | undefined> {
    const productId = this.getAttribute('product-id') ?? '';
    if (productId) source.isOf?.(productId);
    const [index, widget, product] = await Promise.all([
      source.index(),
      source.widget('GIFT', this.getAttribute('template') ?? 'product'),
      source.product(productId),
    ]);
    // What is sold by no plan can't be given as a subscription.
    return widget && product && { widget, primary: index.locale };
  }

  protected named({ widget }: GiftContent): number {
    return widget.id;
  }

  protected draw({ widget, primary }: GiftContent, root: ShadowRoot): void {
    const { id, preferences } = widget;
    this.#by = String(id);
    const locale = languageOf(this) ?? primary;
    const texts = wordsOf(widget, locale, primary);
    const isOpen = this.#isOpen ?? preferences.isOpenAtFirst === true;
    const show = (isShown: boolean): void => {
      this.#isOpen = isShown;
      fields.hidden = !isShown;
      this.#send(isShown ? all : []);
    };
    const field = (key: keyof typeof NAMES, type: string): Field => {
      const attributes = {
        name: NAMES[key],
        required: key === 'recipientNameLabel' || key === 'recipientEmailLabel',
        maxlength: type === 'area' ? 500 : 255,
        oninput: () => {
          this.#typed.set(key, one.value);
          this.#send(all);
        },
      };
      const one: Field = type === 'area' ? h('textarea', { ...attributes, rows: 3 }) : h('input', { ...attributes, type });
      one.value = this.#typed.get(key) ?? '';
      return one;
    };
    const labelled = (key: keyof typeof NAMES, one: Field): HTMLElement =>
      h('label', { class: 'gift-field' }, h('span', {}, texts[key]), one);
    const shown = [
      ['recipientNameLabel', 'text'],
      ['recipientEmailLabel', 'email'],
      ...(preferences.showMessage === false ? [] : [['messageLabel', 'area'] as const]),
      ...(preferences.showDeliveryDate === false ? [] : [['deliveryDateLabel', 'date'] as const]),
    ] as const;
    const all: Field[] = [];
    const fields = h(
      'div',
      { class: 'gift-fields', hidden: !isOpen },
      ...shown.map(([key, type]) => {
        const one = field(key, type);
        all.push(one);
        return labelled(key, one);
      }),
      !buttonOf(this.closest('form')) &&
        h(
          'button',
          { type: 'button', class: 'gift-button', onclick: () => this.closest('form')?.requestSubmit() },
          texts.addGiftToCartButtonText,
        ),
    );
    const switched =
      preferences.layoutType === 'BUTTON'
        ? pressable(texts.giftLabelText ?? '', isOpen, show)
        : tickable(texts.giftLabelText ?? '', isOpen, show);
    const view = h(
      'div',
      { class: 'w', part: 'widget' },
      h(
        'div',
        { class: 'gift', part: 'box' },
        switched,
        texts.giftDescriptionText ? h('p', { class: 'gift-text' }, texts.giftDescriptionText) : undefined,
        fields,
      ),
    );
    view.lang = locale;
    dress(root, GIFT_CSS, widget.cssVariables, widget.customCss);
    root.replaceChildren(view);
    show(isOpen);
  }

  /** What the form sends; nothing while it is no gift. A field that is wrong keeps the form from being sent, as one of the page would. */
  #send(fields: readonly Field[]): void {
    const data = new FormData();
    for (const { name, value } of fields) if (value) data.set(name, value);
    if (fields.length) data.set('properties[_gift_widget]', this.#by);
    this.#form.setFormValue(data);
    const wrong = fields.find(one => !one.validity.valid);
    if (wrong) this.#form.setValidity(wrong.validity, wrong.validationMessage, wrong);
    else this.#form.setValidity({});
  }
}

function tickable(label: string, isOpen: boolean, show: (isShown: boolean) => void): HTMLElement {
  const tick = h('input', { type: 'checkbox', onchange: () => show(tick.checked) });
  tick.checked = isOpen;
  return h('label', { class: 'line' }, tick, h('span', { class: 'gift-name' }, label));
}
function pressable(label: string, isOpen: boolean, show: (isShown: boolean) => void): HTMLElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'gift-name',
      'aria-expanded': String(isOpen),
      onclick: () => {
        const isShown = button.getAttribute('aria-expanded') !== 'true';
        button.setAttribute('aria-expanded', String(isShown));
        show(isShown);
      },
    },
    label,
  );
  return button;
}
