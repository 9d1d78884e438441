// Campaigns: whom they are for, launching one, and the file of its links.
import { sql } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import { csvLine } from '../../../../domain/csv/write.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import { refuseUse } from '../../../platform/auth/grants.ts';
import { inLine, invalidState, Refusal, Reply, type Context } from '../../../platform/context.ts';
import { csvFile } from '../../../platform/csv/csv-file.ts';
import { needRow, recordOf, updateRow, viewOf } from '../../../platform/records/record-repository.ts';
import { linkBase, linkPath } from '../../../engine/index.ts';
import { checkIds, countAudience, enlist, type Audience } from '../audience.ts';
import { CAMPAIGNS, type Delivery, reachOf } from '../campaign-letters.ts';
import { inFigures, t } from '../../../../domain/text/t.ts';

export { letters, preview, reach, sendTest } from '../campaign-letter-calls.ts';

/** C409 */
export const subscriptionCount = (context: Context, audience: Audience): Promise<JsonValue> => countAudience(context, audience);

/** C410 */
export const validateSubscriptionIds = async (context: Context, audience: Audience): Promise<JsonValue> =>
  (await checkIds(context, audience)) as JsonValue;

/** Fixes the audience and makes the links work from the start on. @throws Refusal 404, 409 */
export async function launch(context: Context, { id }: { id: number }): Promise<Reply> {
  const shape = context.shape('campaign');
  const row = await needRow(context, shape, id, { lock: true });
  const before = recordOf(context, shape, row);
  if (before.status !== 'DRAFT') throw invalidState(t`This campaign was launched already.`);
  const now = context.now();
  if (new Date(String(before.endAt)) <= now) throw invalidState(t`End date must be in the future.`);
  const chosen = before as Audience & { delivery?: Delivery };
  const isMailed = chosen.delivery === 'EMAIL';
  const { letters } = await reachOf(context, chosen);
  const audience = await enlist(context, id, chosen, isMailed);
  if (audience === 0) throw invalidState(t`The audience is empty.`);
  if (isMailed && letters === 0) throw invalidState(t`None of these customers can get this e-mail. Beside the form you see why.`);
  const status = new Date(String(before.startAt)) > now ? 'SCHEDULED' : 'ACTIVE';
  const written = await updateRow(context, shape, row, {
    ...before,
    status,
    audience,
    isLaunched: true,
    launchedAt: now.toISOString(),
  });
  const after = await viewOf(context, shape, written);
  if (isMailed && status === 'ACTIVE') await context.queue.send(CAMPAIGNS, {}, { trx: context.trx });
  await context.log({
    action: 'campaign.launched',
    category: 'Campaigns',
    entity: 'campaign',
    entityId: id,
    description: `Campaign "${String(before.name)}" launched for ${audience} subscriptions`,
  });
  if (isMailed) {
    const customers = inFigures(letters);
    const message =
      status === 'ACTIVE' ? t`${customers} e-mails are on their way.` : t`${customers} e-mails leave when the campaign starts.`;
    return new Reply(after, { message });
  }
  const subscriptions = inFigures(audience);
  return new Reply(after, { message: t`${subscriptions} subscriptions have a link. Download them as a file for your mail tool.` });
}

const HEADER = ['subscription_id', 'customer_email', 'customer_first_name', 'action_url', 'expires_at'];
const PAGE = 1000;
interface Member {
  id: number;
  email: string;
  name: string;
}

/**
 * The links of a campaign as CSV, one line for each subscription.
 * @throws Refusal 404, 409 before it was launched, 403 without the right to see subscriptions and to change campaigns
 */
export const links = inLine('exports', async (context: Context, { id }: { id: number }): Promise<Reply> => {
  const shape = context.shape('campaign');
  const record = recordOf(context, shape, await needRow(context, shape, id));
  if (!record.isLaunched) throw invalidState(t`Launch the campaign first.`);
  const access = accessOf(context.session);
  // The file holds names and addresses, and the holder of a link acts for the customer.
  if (!access.can('subscriptionDetails', 'READ') || !access.can('quickActionsCampaignActions', 'WRITE'))
    throw new Refusal(403, 'FORBIDDEN', t`Links of customers are for people who may see subscriptions and change campaigns.`);
  refuseUse(context, shape.schema, record);
  const { db, storeId, store, config, address } = context;
  const expiresAt = new Date(String(record.launchedAt));
  const base = linkBase(config) ?? address;
  async function* lines(): AsyncGenerator<string> {
    for (let after = 0; ;) {
      const members = await db.inStore(
        storeId,
        async trx =>
          (
            await sql<Member>`select c.id, c.customer_email as email, c.customer_first_name as name from campaign_members m
              join contracts c on c.store_id = m.store_id and c.id = m.contract_id
              where m.store_id = ${storeId}::integer and m.campaign_id = ${id}::bigint and c.id > ${after}::bigint
              order by c.id limit ${PAGE}`.execute(trx)
          ).rows,
        { readOnly: true },
      );
      for (const member of members) {
        const url = base + linkPath(store, { contractId: member.id, what: `c${id}`, expiresAt });
        yield csvLine([String(member.id), member.email, member.name, url, String(record.endAt)]);
      }
      const last = members.at(-1);
      if (!last || members.length < PAGE) return;
      after = last.id;
    }
  }
  return csvFile(`campaign-${id}.csv`, HEADER, lines());
});

/** What all campaigns brought. */
export async function stats({ trx, storeId, store }: Context): Promise<JsonObject> {
  const { rows } = await sql<{ running: number; opened: number; taken: number; revenue: number }>`select
      (select count(*)::integer from records where store_id = ${storeId}::integer and entity = 'campaign' and deleted_at is null
        and data ->> 'status' = 'ACTIVE') as running,
      count(*) filter (where happened = 'OPENED')::integer as opened, count(*) filter (where happened = 'CONFIRMED')::integer as taken,
      coalesce(sum(value), 0)::float8 as revenue
    from link_events where store_id = ${storeId}::integer and kind = 'CAMPAIGN'`.execute(trx);
  const { running = 0, opened = 0, taken = 0, revenue = 0 } = rows[0] ?? {};
  return { running, opened, taken, revenue: toDecimal(revenue, store.currency_code), currencyCode: store.currency_code };
}
