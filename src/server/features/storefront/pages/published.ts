// What pages of a shop read, at public addresses: the index, which is of now, and the files that it names, which never change.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import { Refusal } from '../../../platform/context.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { storeNamed } from '../../../platform/http/store-in-path.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { pageOf } from '../product-page.ts';

const INDEX = 'index.json';
/** What a browser may show of before (s): with the build after a change it is seen within five seconds. */
const INDEX_SECONDS = 1;
const FILE = /^[a-z]+-[0-9a-f]{16}\.json$/;
/** What the page of a product reads first, by the platform's number. */
const PAGE = /^product-([1-9]\d{0,15})\.json$/;
const STORE = /^[1-9]\d{0,8}$/;

async function contentOf({ db }: Pick<PageServices, 'db'>, store: string, file: string): Promise<string | undefined> {
  const storeId = Number(store);
  const { rows } = await db.inStore(
    storeId,
    trx =>
      (file === INDEX
        ? sql<{ content: string }>`select content from storefronts where store_id = ${storeId}::integer`
        : sql<{ content: string }>`select content from storefront_files where store_id = ${storeId}::integer and name = ${file}`
      ).execute(trx),
    { readOnly: true },
  );
  return rows[0]?.content;
}

/**
 * All visitors of a shop ask for the same few files, which never change: what was read is answered from here for two seconds, so that
 * many visitors cost the database as much as a few. A file that is taken away is gone two seconds later.
 */
const KEPT_MS = 2000;
const MOST_KEPT = 300;
interface Kept {
  until: number;
  files: Map<string, string>;
}
const kept = new WeakMap<PageServices['db'], Kept>();

async function fileOf(services: Pick<PageServices, 'db'>, store: string, file: string): Promise<string | undefined> {
  let now = kept.get(services.db);
  if (!now || now.until < Date.now()) kept.set(services.db, (now = { until: Date.now() + KEPT_MS, files: new Map() }));
  const name = `${store}/${file}`;
  const known = now.files.get(name);
  if (known !== undefined) return known;
  const content = await contentOf(services, store, file);
  if (content !== undefined && now.files.size < MOST_KEPT) now.files.set(name, content);
  return content;
}

export const published: PublicPage = {
  path: '/storefront/:store/:file',
  secret: null,
  anyOrigin: true,
  async get(services, { params: { store = '', file = '' } }) {
    const [, product] = PAGE.exec(file) ?? [];
    const isOfNow = file === INDEX || product !== undefined;
    const isKnown = STORE.test(store) && (isOfNow || FILE.test(file));
    const found = isKnown ? await (isOfNow ? contentOf(services, store, INDEX) : fileOf(services, store, file)) : undefined;
    const json = found !== undefined && product !== undefined ? await pageOf(found, product, name => fileOf(services, store, name)) : found;
    // A new store is built within seconds: its pages ask again.
    if (json === undefined && isKnown && isOfNow && (await storeNamed(services, store)))
      throw new Refusal(503, 'NOT_READY', t`The shop is being put together. Try again in a moment.`, undefined, undefined, 1);
    return { json: json ?? null, seconds: isOfNow ? INDEX_SECONDS : 'for ever' };
  },
};
