// What elements of a shop's page have in common: each reads what is published for its place, draws it, and draws it again when its
// attributes change.
import type { PublishedWidget } from '../domain/widgets/published.ts';
import type { Published } from './published-data.ts';

/** What every widget has of the merchant. */
export type Design = Pick<PublishedWidget, 'id' | 'preferences' | 'cssVariables' | 'customCss' | 'texts' | 'textsByLocale'>;

export abstract class PublishedElement<Content> extends HTMLElement {
  /** Where what is published is found; the page's script sets it. */
  static source: Published | undefined;
  #isReading = false;
  #watched: IntersectionObserver | undefined;

  connectedCallback(): void {
    this.begin();
  }
  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) this.begin();
  }

  /** What is published for the place of the element; undefined where that is nothing. */
  protected abstract read(source: Published): Promise<Content | undefined>;
  /** Draws it. */
  protected abstract draw(content: Content, root: ShadowRoot): void;
  /** As what it is counted: the id of the widget, the public id of the box. */
  protected abstract named(content: Content): string | number;

  /** Reads and draws, once for all that changes together. */
  begin(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    queueMicrotask(() => {
      this.#isReading = false;
      void this.#show();
    });
  }
  async #show(): Promise<void> {
    const { source } = this.constructor as typeof PublishedElement;
    const content =
      source &&
      (await this.read(source).catch((error: unknown) => {
        // What the page has of its own stays, and works without us.
        console.warn(error);
        return undefined;
      }));
    if (!content || !this.isConnected) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.draw(content, root);
    if (source?.count && !this.#watched) this.#watch(root, source.count, this.named(content));
  }

  /** Counts when it is on the screen, and when something in it is pressed. */
  #watch(root: ShadowRoot, count: NonNullable<Published['count']>, name: string | number): void {
    this.#watched = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      this.#watched?.disconnect();
      count(name, 'SEEN');
    });
    this.#watched.observe(this);
    root.addEventListener('click', () => count(name, 'TOUCHED'), { once: true });
  }
}
