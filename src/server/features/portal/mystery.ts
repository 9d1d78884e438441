// A surprise that a campaign holds for the customer: what it is, they see on the page that its button leads to.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { escapeHtml } from '../../platform/http/public-pages.ts';
import { linkPath } from '../../engine/index.ts';
import { hasOpened, MYSTERY, MYSTERY_FEATURE } from '../quick-actions/mystery.ts';
import { h2, link, nav, p } from './elements.ts';
import type { Portal } from './portal.ts';

/** The section's HTML; empty where no running campaign has a surprise for this subscription, or its customer has opened it. */
export async function mysterySection({ context, planHas, subscription: { contract }, words }: Portal): Promise<string> {
  if (!planHas(MYSTERY_FEATURE) || contract.status !== 'ACTIVE') return '';
  const { trx, storeId, store } = context;
  const now = context.now();
  const { rows } = await sql<{ id: number; data: JsonObject }>`select r.id, r.data from campaign_members m
    join records r on r.store_id = m.store_id and r.id = m.campaign_id and r.entity = 'campaign' and r.deleted_at is null
    where m.store_id = ${storeId}::integer and m.contract_id = ${contract.id}::bigint and r.data ->> 'type' = ${MYSTERY}
      and r.data ->> 'status' = 'ACTIVE' and (r.data ->> 'startAt')::timestamptz <= ${now}::timestamptz
      and (r.data ->> 'endAt')::timestamptz > ${now}::timestamptz
    order by r.id limit 5`.execute(trx);
  for (const { id, data } of rows) {
    if (await hasOpened(context, id, contract.customer_id)) continue;
    const said = (key: string): string =>
      words.find(contract.customer_locale, { ownerKind: 'campaign', ownerId: String(id), key })?.value ?? String(data[key] ?? '');
    const href = linkPath(store, { contractId: contract.id, what: `c${id}`, expiresAt: new Date(String(data.endAt)) });
    const picture = data.imageUrl ? `<img src="${escapeHtml(String(data.imageUrl))}" alt="">` : '';
    const open = nav(said('title'), [link(href, said('ctaText'))]);
    return `<div class="offer">${h2(said('title'))}${picture}${p(said('description'))}${open}</div>`;
  }
  return '';
}
