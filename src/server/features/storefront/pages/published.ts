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

export const published: PublicPage = {
  path: '/storefront/:store/:file',
  secret: null,
  anyOrigin: true,
  async get(services, { params: { store = '', file = '' } }) {
    const isKnown = STORE.test(store) && (file === INDEX || FILE.test(file));
    const json = isKnown ? await contentOf(services, store, file) : undefined;
    // A new store is built within seconds: its pages ask again.
    if (json === undefined && isKnown && file === INDEX && (await storeNamed(services, store)))
      throw new Refusal(503, 'NOT_READY', t`The shop is being put together. Try again in a moment.`, undefined, undefined, 1);
    return { json: json ?? null, seconds: file === INDEX ? INDEX_SECONDS : 'for ever' };
  },
};
