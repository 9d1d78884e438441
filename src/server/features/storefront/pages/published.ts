// What pages of a shop read, at public addresses: the index, which is of now, and the files that it names, which never change.
import { sql } from 'kysely';
import { t } from '../../../../domain/text/t.ts';
import { Refusal } from '../../../platform/context.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { storeNamed } from '../../../platform/http/store-in-path.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';

const INDEX = 'index.json';
/** What a browser may show of before (s): with the build after a change it is seen within five seconds. */
const INDEX_SECONDS = 1;
const FILE = /^[a-z]+-[0-9a-f]{16}\.json$/;
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
    const isKnown = STORE.test(store) && (file === INDEX || FILE.test(file));
    const json = isKnown ? await (file === INDEX ? contentOf : fileOf)(services, store, file) : undefined;
    // A new store is built within seconds: its pages ask again.
    if (json === undefined && isKnown && file === INDEX && (await storeNamed(services, store)))
      throw new Refusal(503, 'NOT_READY', t`The shop is being put together. Try again in a moment.`, undefined, undefined, 1);
    return { json: json ?? null, seconds: file === INDEX ? INDEX_SECONDS : 'for ever' };
  },
};
