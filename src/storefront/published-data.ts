// Reads the files that the server publishes for a shop. Each is asked for once, however many elements of a page want it.
import type { PublishedBox } from '../domain/bundles/published-box.ts';
import {
  shardOf,
  type PublishedGroup,
  type PublishedPage,
  type PublishedProduct,
  type PublishedProducts,
  type PublishedWidget,
  type StorefrontIndex,
} from '../domain/widgets/published.ts';

/** Where a page finds what was published. */
export interface Published {
  /** The page is that of a product: the index comes with what the product's elements read, unless it was asked for before. */
  isOf?(productId: string): void;
  index(): Promise<StorefrontIndex>;
  /** The widget that stands on a template; undefined where none is published there. */
  widget(type: string, template: string): Promise<PublishedWidget | undefined>;
  groups(): Promise<PublishedGroup[]>;
  /** What concerns the whole shop. */
  store(): Promise<{ scripts: { src: string | null; displayScope: string }[] }>;
  /** A box that shoppers fill, by its public id; undefined where it is not sold. */
  box(id: string): Promise<PublishedBox | undefined>;
  /** Undefined where no plan is offered on it. */
  product(id: string): Promise<PublishedProduct | undefined>;
  /** The page of the frame in which code of a merchant runs; absent where none is run. */
  codePage?: string;
  /** Counts that something was seen or touched, once for this page; absent where nothing is counted. */
  count?(what: string | number, happened: 'SEEN' | 'TOUCHED'): void;
}

/** A server that is busy, or has not put a new store together yet, says so for a moment. */
const AGAIN_MS = [400, 1500, 4000];

/** A page may have asked for the file before, by a preload link with `crossorigin`: asked for in the same way, that answer is used. */
async function read<T>(address: string): Promise<T> {
  for (const wait of [...AGAIN_MS, 0]) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as T;
    if (!wait || answer?.status === 404) break;
    await new Promise(resolve => setTimeout(resolve, wait));
  }
  throw new Error(`Perennial: ${address} can't be read.`);
}

/** What an element tells of itself goes together, a moment later, and with no cookie. */
const TOGETHER_MS = 500;
function counting(base: string): NonNullable<Published['count']> {
  const counted = new Set<string>();
  const waiting: string[] = [];
  const send = (): void => {
    if (waiting.length === 0) return;
    const address = `${base}seen?e=${waiting.splice(0).join(',')}`;
    // Whether it arrives is no matter of the page.
    fetch(address, { credentials: 'omit', keepalive: true }).catch(() => undefined);
  };
  addEventListener('pagehide', send);
  return (what, happened) => {
    const sight = `${what}.${happened}`;
    if (counted.has(sight)) return;
    counted.add(sight);
    waiting.push(sight);
    // A press may lead away.
    if (happened === 'TOUCHED') send();
    else setTimeout(send, TOGETHER_MS);
  };
}

/** @param base the address of a store's files, with a slash at the end; @param theme the number of another theme than the shoppers' */
export function publishedAt(base: string, theme?: string): Published {
  const asked = new Map<string, Promise<unknown>>();
  const file = <T>(name: string): Promise<T> => {
    let answer = asked.get(name) as Promise<T> | undefined;
    if (!answer) asked.set(name, (answer = read<T>(base + name)));
    return answer;
  };
  const index = (): Promise<StorefrontIndex> => file('index.json');
  const products = new Map<string, PublishedProduct | null>();
  const isOf = (productId: string): void => {
    if (asked.has('index.json')) return;
    const whole = read<PublishedPage>(`${base}product-${productId}.json`).then(({ files, product, index: now }) => {
      for (const [name, content] of Object.entries(files)) asked.set(name, Promise.resolve(content));
      products.set(productId, product);
      return now;
    });
    asked.set('index.json', whole);
  };
  return {
    isOf,
    index,
    codePage: new URL('../code', base).href,
    count: counting(base),
    async widget(type, template) {
      const { widgets, theme: main } = await index();
      // The checkout is no page of a theme.
      const templates = widgets[type]?.[type === 'CHECKOUT' ? 'checkout' : (theme ?? String(main))];
      const name = templates?.[template] ?? templates?.['*'];
      return name ? file(name) : undefined;
    },
    groups: async () => file((await index()).plans),
    store: async () => file((await index()).store),
    async box(id) {
      const name = (await index()).boxes[id];
      return name ? file(name) : undefined;
    },
    async product(id) {
      const { products: shards } = await index();
      const known = products.get(id);
      if (known !== undefined) return known ?? undefined;
      const name = shards[shardOf(id, shards.length)];
      return name ? (await file<PublishedProducts>(name))[id] : undefined;
    },
  };
}
