// What pages read of bulk actions: the list, a record, its rows, counts of reasons, and whether one is running.
import { sql } from 'kysely';
import { areasOf, mayReadOf } from '../../../contract/mask.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { Reply, type Context } from '../../platform/context.ts';
import { listQuery, listTexts } from '../../platform/records/list/list.ts';
import { usersByEmail } from '../../platform/auth/people.ts';
import { needBulk } from './bulk-record.ts';
import { countMatching, givenBy, MAX_GIVEN, mostFiltered, resolve, type Selection } from './selection.ts';
import { t } from '../../../domain/text/t.ts';
import { ACTIONS, offeredAction, statesOf } from '../../engine/index.ts';

const query = (context: Context, name: string, input: JsonObject) => {
  const call = context.definitions.calls[name] as Call;
  return listQuery(call, context.definitions.hosts[call.host], input);
};

/** Whether a person may have what an action writes: notes, attributes and cards are for people who may look at them. */
export const seesWhat = ({ session, definitions }: Pick<Context, 'session' | 'definitions'>, actionKey: string): boolean => {
  const area = ACTIONS.get(actionKey)?.permission;
  const { subscription } = definitions.entities;
  return !area || !subscription || !areasOf(subscription).has(area) || mayReadOf(session)(area);
};

/** The rows of a bulk action, in the order they are done. */
export async function listRows(context: Context, { id, ...input }: JsonObject & { id: number }): Promise<Reply> {
  const bulk = await needBulk(context, id);
  const customer = sql`(select c.customer_name from contracts c where c.store_id = r.store_id and c.id = r.contract_id)`;
  const { texts, pageInfo } = await listTexts(context, context.shape('bulk-action-row'), {
    ...query(context, 'bulk-actions.rows', input),
    where: [sql`r.bulk_action_id = ${id}::bigint`],
    defaultSort: { field: 'position', order: 'ASC' },
    extra: { customerName: customer },
  });
  if (seesWhat(context, bulk.action_key)) return new Reply(null, { texts, pageInfo });
  return new Reply(
    texts.map(text => ({ ...(JSON.parse(text) as JsonObject), before: null, after: null })),
    { pageInfo },
  );
}

/** How many rows failed or were skipped for each reason: what failed first, the most frequent before the others. */
export async function failureCounts(context: Context, id: number): Promise<JsonValue> {
  const bulk = await needBulk(context, id);
  if (bulk.is_system) {
    const run =
      bulk.run_id === null
        ? undefined
        : await context.trx
            .selectFrom('runs')
            .select('result')
            .where('store_id', '=', context.storeId)
            .where('id', '=', bulk.run_id)
            .executeTakeFirst();
    const counts = new Map<string, number>();
    for (const { reason } of (run?.result as { skipped?: { reason: string }[] } | null)?.skipped ?? [])
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts].map(([reason, count]) => ({ reason, count, status: 'SKIPPED' }));
  }
  const { rows } = await sql<{
    reason: string;
    status: string;
    count: number;
  }>`select coalesce(reason, '') as reason, status, count(*) as count from bulk_action_rows
    where store_id = ${context.storeId}::integer and bulk_action_id = ${id}::bigint and status in ('FAILED', 'SKIPPED') group by 1, 2
      order by status, 3 desc, 1 limit 200`.execute(context.trx);
  return rows.map(row => ({ reason: row.reason, count: Number(row.count), status: row.status }));
}

/** Most lines about one bulk action that its page shows; people do a handful of things with one. */
const MAX_EVENTS = 100;

/** Who did what with a bulk action, from the account log, the oldest first: made, scheduled, started, cancelled, tried again. */
export async function listEvents(context: Context, id: number): Promise<JsonValue> {
  await needBulk(context, id);
  const rows = await context.trx
    .selectFrom('account_log')
    .select(['id', 'action', 'description', 'user_email', 'after', 'created_at'])
    .where('store_id', '=', context.storeId)
    .where('entity', '=', 'bulk-action')
    .where('entity_id', '=', String(id))
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute();
  const who = await usersByEmail(context);
  return rows.toReversed().map((row): JsonObject => {
    const after = (row.after ?? {}) as JsonObject;
    const action = row.action.slice(row.action.lastIndexOf('.') + 1);
    return {
      id: row.id,
      event: action !== 'initiated' ? action : after.scheduledAtEpoch === undefined ? 'started' : 'scheduled',
      description: row.description,
      userEmail: row.user_email,
      userName: who.get(row.user_email) ?? (row.user_email || 'System'),
      createdAt: row.created_at.toISOString(),
      total: after.total ?? null,
      remaining: after.remaining ?? after.total ?? null,
      succeeded: after.succeeded ?? null,
      scheduledAtEpoch: after.scheduledAtEpoch ?? null,
      retryOf: after.retryOf ?? null,
      draftId: after.draftId ?? null,
    };
  });
}

const UNDER_WAY = ['SCHEDULED', 'QUEUED', 'IN_PROGRESS', 'CANCELLING'];

/** Whether an action of these kinds is waiting or running (any kind when none is named), and the one that is. */
export async function inProgress({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, keys?: readonly string[]): Promise<JsonObject> {
  let found = trx
    .selectFrom('bulk_actions')
    .select(['id', 'action_key', 'status'])
    .where('store_id', '=', storeId)
    .where('status', 'in', UNDER_WAY.slice(1));
  if (keys) found = found.where('action_key', 'in', [...keys]);
  const row = await found.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return {
    inProgress: row !== undefined,
    id: row?.id ?? null,
    actionKey: row?.action_key ?? null,
    status: row?.status ?? null,
    ...(row ? { message: t`A bulk action of this type is already running.` } : {}),
  };
}

/** How many subscriptions a selection holds; `invalid` ids of a list or file are counted beside. */
export async function entityCount(
  context: Context,
  { selection, actionKey }: { selection: Selection; actionKey?: string },
): Promise<JsonObject> {
  if (actionKey !== undefined) offeredAction(context, actionKey);
  if (selection.mode === 'FILTER') {
    const count = await countMatching(context, selection);
    const limit = mostFiltered(context);
    return { count: Math.min(count, limit), isCapped: count > limit, limit, invalid: 0 };
  }
  const { valid, invalid } = await validate(context, await givenBy(selection), actionKey);
  return { count: valid.length, isCapped: false, limit: MAX_GIVEN, invalid: invalid.length };
}

/** Which ids can be used, and why the others can't. Ids come back as they were given, the valid ones as ours. */
export async function validate(
  context: Context,
  list: readonly { given: string }[],
  actionKey?: string,
): Promise<{ valid: number[]; invalid: { id: string; reason: string }[]; count: number }> {
  const states = actionKey === undefined ? undefined : statesOf(offeredAction(context, actionKey), context.definitions);
  const valid: number[] = [];
  const bad: { id: string; reason: string }[] = [];
  for (const row of await resolve(context, list)) {
    const reason = row.fault ?? (states && row.status && !states.includes(row.status) ? 'WRONG_STATUS' : null);
    if (reason) bad.push({ id: row.given, reason });
    else valid.push(row.contractId as number);
  }
  return { valid, invalid: bad, count: valid.length };
}
