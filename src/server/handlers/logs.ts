// The account log: what was changed in the store, by whom, and the choices for its filters.
import { sql } from 'kysely';
import { humanise } from '../../contract/paths.ts';
import type { Definitions, JsonObject, JsonValue } from '../../contract/types.ts';
import { Reply, notFound, type Context } from '../context.ts';
import { peopleOf } from '../people.ts';
import { findRow, recordOf } from '../verbs/keep.ts';
import { exportRecords, type ExportInput } from '../verbs/export.ts';
import { listQuery, listRecords } from '../verbs/list.ts';
import { tabCounts } from '../verbs/totals.ts';

/** The words for an action: the title of the call of that name, else "Selling plan group created" for "selling-plan-group.created". */
export function actionLabel(definitions: Definitions, action: string): string {
  const call = definitions.calls[action];
  if (call?.title) return call.title;
  const dot = action.lastIndexOf('.');
  const [thing, verb] = dot < 0 ? [action, ''] : [action.slice(0, dot), action.slice(dot + 1)];
  const setting = thing.startsWith('settings.') ? definitions.settings[thing.slice('settings.'.length)]?.title : undefined;
  const name = setting
    ? `${setting} settings`
    : (definitions.entities[thing]?.['x-record']?.name.one ?? humanise(thing.replace(/[.-]/g, ' ')).toLowerCase());
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${humanise(verb).toLowerCase()}`.trim();
}

/** Newest first, 25 a page; filters: action, user's e-mail, dates and the rest of the entity's. */
export async function accountLogs(context: Context, input: JsonObject): Promise<Reply> {
  const call = context.definitions.calls['logs.accountLogs'];
  if (!call) throw new Error('logs.accountLogs is missing in schemas/calls/logs.json.');
  const { records, pageInfo } = await listRecords(
    context,
    context.shape('account-log'),
    listQuery(call, context.definitions.hosts[call.host], input),
  );
  const who = await peopleOf(context);
  return new Reply(
    records.map(record => decorate(context, record, who)),
    { pageInfo },
  );
}

/** How many entries each tab has, from counters that are kept as the log grows. */
export async function counts(context: Context): Promise<JsonValue> {
  const by = await tabCounts(context, 'account_log', ['Admin portal', 'API', 'System']);
  return { all: by.all, team: by['Admin portal'], programs: by.API, system: by.System };
}

/** One entry with the values before and after. */
export async function accountLog(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const shape = context.shape('account-log');
  const row = await findRow(context, shape, id);
  if (!row) throw notFound('log entry');
  return decorate(context, recordOf(context, shape, row), await peopleOf(context));
}

const decorate = (context: Context, record: JsonObject, who: Map<string, string>): JsonObject => ({
  ...record,
  actionLabel: actionLabel(context.definitions, String(record.action)),
  userName: who.get(String(record.userEmail)) ?? (record.userEmail || 'System'),
});

/** The actions that the store's log holds, with their words. Walks the index from value to value, so that a long log costs no more than a short one. */
export async function availableActions(context: Context): Promise<JsonValue> {
  const { rows } = await sql<{ action: string; category: string }>`with recursive steps as (
      (select action, category from account_log where store_id = ${context.storeId} order by action limit 1)
      union all
      select next.action, next.category from steps cross join lateral (select action, category from account_log where store_id = ${context.storeId} and action > steps.action order by action limit 1) next
    ) select action, category from steps`.execute(context.trx);
  return rows
    .map(row => ({ key: row.action, label: actionLabel(context.definitions, row.action), category: row.category }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}

/** The people of the log: the team, removed members too, because their entries stay. */
export async function users(context: Context): Promise<JsonValue> {
  const found = await context.trx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'shopify_id', 'removed_at'])
    .where('store_id', '=', context.storeId)
    .where('type', '<>', 'LOOP_USER')
    .orderBy('first_name')
    .orderBy('id')
    .execute();
  return found.map(user => ({
    userId: user.id,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    name: `${user.first_name} ${user.last_name}`.trim() || user.email,
    userShopifyId: user.shopify_id,
    isRemoved: user.removed_at !== null,
  }));
}

const USUAL = ['createdAtEpoch', 'userEmail', 'action', 'category', 'description', 'entity', 'entityId', 'source', 'ip', 'requestId'];

/** The log as CSV, with the filters that are set. */
export const exportLog = (context: Context, { columns, ...input }: ExportInput): Promise<Reply> =>
  exportRecords(
    context,
    'account-log',
    { ...input, ...(columns ? { columns: columns.map(column => KEPT_AS[column] ?? column) } : {}) },
    USUAL,
  );
/** Columns of the list that are words for what is kept. */
const KEPT_AS: Record<string, string> = { userName: 'userEmail', actionLabel: 'action' };
export { exportLog as export };
