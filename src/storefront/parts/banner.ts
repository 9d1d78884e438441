// <perennial-banner>: a subscriber adds the product to one of their subscriptions. The page knows its customer and does the adding; the
// banner asks it to (docs/storefront.md).
import { filledIn } from '../../domain/text/placeholders.ts';
import { h } from '../dom.ts';
import type { Published } from '../published-data.ts';
import { PublishedElement, type Design } from '../published-element.ts';
import { dress } from '../sheets.ts';
import { languageOf } from '../words.ts';
import { wordsOf } from '../../domain/widgets/published-words.ts';
import { BANNER_CSS } from './banner-css.ts';

/** A subscription of the customer that the page is for. */
export interface BannerSubscription {
  id: string | number;
  /** In the words of the customer. */
  name: string;
  /** Of the next order, "2026-12-06". */
  nextOrderDate: string;
  /** Where the customer sees it. */
  url?: string;
}
export interface BannerContent {
  widget: Design;
  /** The store's primary language. */
  primary: string;
  subscriptions: readonly BannerSubscription[];
}
/** What `perennial:add` asks for. Who does it hands over a promise: the banner says that it is done when that resolves. */
export interface BannerAdd {
  subscriptionId: string | number;
  kind: 'ONE_TIME' | 'SUBSCRIPTION';
  waitUntil(work: Promise<unknown>): void;
}

export class PerennialBanner extends PublishedElement<BannerContent> {
  static readonly observedAttributes = ['template', 'subscriptions', 'lang'];

  protected async read(source: Published): Promise<BannerContent | undefined> {
    const subscriptions = JSON.parse(this.getAttribute('subscriptions') ?? '[]') as BannerSubscription[];
    if (subscriptions.length === 0) return undefined;
    const [index, widget] = await Promise.all([
      source.index(),
      source.widget('STOREFRONT_BANNER', this.getAttribute('template') ?? 'product'),
    ]);
    return widget && { widget, primary: index.locale, subscriptions };
  }

  protected named({ widget }: BannerContent): number {
    return widget.id;
  }

  protected draw({ widget, primary, subscriptions }: BannerContent, root: ShadowRoot): void {
    const { preferences } = widget;
    const locale = languageOf(this) ?? primary;
    const texts = wordsOf(widget, locale, primary);
    const when = h('p', { class: 'banner-text' });
    const done = h('p', { class: 'banner-text', role: 'status' });
    const link = h('a', { class: 'banner-link' }, texts.viewSubscriptionLink);
    const list = h('select', { onchange: () => paint() }, ...subscriptions.map(({ id, name }) => h('option', { value: id }, name)));
    const paint = (): void => {
      const chosen = subscriptions[list.selectedIndex];
      // A day of the calendar, wherever it is read.
      const day = new Date(`${chosen?.nextOrderDate}T00:00:00Z`);
      const words = Number.isNaN(day.getTime()) ? '' : day.toLocaleDateString(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
      when.textContent = words && filledIn(texts.bannerSubtitleText ?? '', { next_order_date: words });
      if (chosen?.url) link.href = chosen.url;
      link.hidden = preferences.showSubscriptionLink === false || !chosen?.url;
    };
    const add = (kind: BannerAdd['kind'], label: string | undefined): HTMLElement => {
      const button = h(
        'button',
        { type: 'button', class: 'banner-button', onclick: () => void this.#add(kind, list.value, buttons, done, texts) },
        label,
      );
      return button;
    };
    const buttons = h(
      'div',
      { class: 'banner-buttons' },
      preferences.offerOneTime !== false && add('ONE_TIME', texts.addOneTimeCta),
      preferences.offerSubscription !== false && add('SUBSCRIPTION', texts.addSubscriptionCta),
    );
    const view = h(
      'div',
      { class: 'w', part: 'widget' },
      h(
        'div',
        { class: 'banner', part: 'box' },
        h('p', { class: 'banner-title' }, texts.bannerTitleText),
        when,
        h('label', { class: 'banner-choice' }, texts.selectSubscriptionLabel, list),
        buttons,
        done,
        link,
      ),
    );
    view.lang = locale;
    dress(root, BANNER_CSS, widget.cssVariables, widget.customCss);
    root.replaceChildren(view);
    paint();
  }

  async #add(
    kind: BannerAdd['kind'],
    subscriptionId: string,
    buttons: HTMLElement,
    done: HTMLElement,
    texts: Record<string, string>,
  ): Promise<void> {
    const work: Promise<unknown>[] = [];
    const detail: BannerAdd = { subscriptionId, kind, waitUntil: one => void work.push(one) };
    const all = buttons.querySelectorAll('button');
    for (const one of all) one.disabled = true;
    this.dispatchEvent(new CustomEvent('perennial:add', { bubbles: true, detail }));
    try {
      await Promise.all(work);
      if (work.length) done.textContent = texts.addedMessage ?? '';
    } catch {
      // The page says what went wrong; the banner lets it be tried again.
    }
    for (const one of all) one.disabled = false;
  }
}
