// Opens alerts, lets them grow and closes them again, as the checks find the store. Safe to repeat,
// and to run in several processes at once.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { AlertsTable, Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { CHECKS, checkOf } from './catalogue.ts';
import type { Check, Finding, Scope } from './alert-check.ts';
import { progressOf, type Started } from './resolution.ts';

export type AlertRow = Selectable<AlertsTable>;
export type AlertEvent = 'OPENED' | 'REFRESHED' | 'RESOLUTION_STARTED' | 'RESOLVED_AUTO' | 'RESOLVED_MANUAL' | 'REOPENED' | 'FAILED';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A check is due a little before its hour or day is over, so that a job that comes a minute early does not leave it out. */
const EARLY_MS = 5 * 60_000;
/** What was resolved by hand is not raised again for so long, unless it grows. */
const REST_MS = 7 * DAY_MS;

const period = (check: Check): number => (check.every === 'HOUR' ? HOUR_MS : DAY_MS) - EARLY_MS;

/** Adds a line to the history of an alert; `by` is empty for the system. */
export async function logAlert(
  { trx, store, now }: Pick<Scope, 'trx' | 'store' | 'now'>,
  alert: Pick<AlertRow, 'id' | 'type_key' | 'affected_count'>,
  event: AlertEvent,
  by = '',
  note = '',
): Promise<void> {
  await trx
    .insertInto('alert_logs')
    .values({
      store_id: store.id,
      alert_id: alert.id,
      type_key: alert.type_key,
      event,
      by_user: by,
      affected_count: alert.affected_count,
      note,
      at: now,
    })
    .execute();
}

/**
 * The kinds that are to be looked for now, by the store's clock; those that are off are left out. One
 * that is being resolved is always looked at.
 */
export async function dueChecks(trx: Kysely<Tables>, storeId: number, now: Date): Promise<Check[]> {
  const rows = await trx.selectFrom('alert_types').selectAll().where('store_id', '=', storeId).execute();
  const of = new Map(rows.map(row => [row.type_key, row]));
  const resolving = new Set(
    (await trx.selectFrom('alerts').select('type_key').where('store_id', '=', storeId).where('status', '=', 'RESOLVING').execute()).map(
      row => row.type_key,
    ),
  );
  return CHECKS.filter(check => {
    const row = of.get(check.key);
    if (row && !row.is_on) return false;
    return resolving.has(check.key) || !row?.last_checked_at || row.last_checked_at.getTime() <= now.getTime() - period(check);
  });
}

export interface CheckOptions {
  /** Do nothing when another process made the check meanwhile. */
  ifDue?: boolean;
  /** Who asked for it; empty for the system. */
  by?: string;
}

/** Makes one check and brings its alert in step with what it finds. @returns the alert that is open afterwards, or undefined */
export async function runCheck(scope: Scope, check: Check, { ifDue = false, by = '' }: CheckOptions = {}): Promise<AlertRow | undefined> {
  const { trx, store, now } = scope;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${store.id} alert ${check.key}`}, 0))`.execute(trx);
  const open = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('type_key', '=', check.key)
    .where('status', '<>', 'RESOLVED')
    .forUpdate()
    .executeTakeFirst();
  if (ifDue && !(await dueChecks(trx, store.id, now)).includes(check)) return open;
  const found = await check.find(scope);
  await trx
    .insertInto('alert_types')
    .values({ store_id: store.id, type_key: check.key, last_checked_at: now })
    .onConflict(conflict => conflict.columns(['store_id', 'type_key']).doUpdateSet({ last_checked_at: now }))
    .execute();
  if (!open) return found.count > 0 ? raise(scope, check, found) : undefined;
  if (open.status === 'RESOLVING') return followResolution(scope, open, found);
  if (found.count === 0) return void (await close(scope, open, 'AUTO'));
  const grown = await note(scope, open, found);
  if (by || found.count > open.affected_count) await logAlert(scope, grown, 'REFRESHED', by);
  return grown;
}

async function raise(scope: Scope, check: Check, found: Finding): Promise<AlertRow | undefined> {
  const { trx, store, now } = scope;
  const latest = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('type_key', '=', check.key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (
    latest?.resolution === 'MANUAL' &&
    latest.resolved_at &&
    latest.resolved_at.getTime() > now.getTime() - REST_MS &&
    found.count <= latest.affected_count
  )
    return undefined;
  const row = await trx
    .insertInto('alerts')
    .values({
      store_id: store.id,
      type_key: check.key,
      title: check.title,
      category: check.category,
      severity: check.severity,
      entity_type: check.entityType,
      summary: found.summary,
      affected_count: found.count,
      impact: JSON.stringify(found.impact),
      recommended_action: JSON.stringify(check.action),
      created_at: now,
      last_checked_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await logAlert(scope, row, latest ? 'REOPENED' : 'OPENED');
  return row;
}

const note = (
  { trx, store, now }: Scope,
  open: AlertRow,
  found: Finding,
  more: Partial<{ status: string; error: string | null }> = {},
): Promise<AlertRow> =>
  trx
    .updateTable('alerts')
    .set({ summary: found.summary, affected_count: found.count, impact: JSON.stringify(found.impact), last_checked_at: now, ...more })
    .where('store_id', '=', store.id)
    .where('id', '=', open.id)
    .returningAll()
    .executeTakeFirstOrThrow();

export type Resolution = 'AUTO' | 'MANUAL' | 'TURNED_OFF';

/** Closes an alert: by itself, by hand, or because its kind is no longer watched. */
export async function close(
  scope: Pick<Scope, 'trx' | 'store' | 'now'>,
  open: AlertRow,
  resolution: Resolution,
  by = '',
): Promise<AlertRow> {
  const { trx, store, now } = scope;
  const row = await trx
    .updateTable('alerts')
    .set({
      status: 'RESOLVED',
      resolution,
      resolved_at: now,
      resolved_by: by || null,
      error: null,
      ...(resolution === 'AUTO' ? { last_checked_at: now } : {}),
    })
    .where('store_id', '=', store.id)
    .where('id', '=', open.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await logAlert(
    scope,
    row,
    resolution === 'AUTO' ? 'RESOLVED_AUTO' : 'RESOLVED_MANUAL',
    by,
    resolution === 'TURNED_OFF' ? 'No longer watched.' : '',
  );
  return row;
}

/**
 * What was started is over: closed when nothing is left, open again with the reason when it failed or some are left. What came of it stays
 * to be read.
 */
async function followResolution(scope: Scope, open: AlertRow, found: Finding): Promise<AlertRow | undefined> {
  const progress = await progressOf(scope, open);
  if (progress.status === 'IN_PROGRESS') return note(scope, open, found);
  if (found.count === 0) return void (await close(scope, open, 'AUTO'));
  const error = progress.status === 'FAILED' ? (progress.error ?? 'What was started to resolve this has failed.') : null;
  const row = await note(scope, open, found, { status: 'OPEN', error });
  await logAlert(
    scope,
    row,
    error ? 'FAILED' : 'REFRESHED',
    '',
    error ?? (open.resolving as Started | null)?.left ?? 'Done, but some are left.',
  );
  return row;
}

/** Makes every check that is due, in the transaction of the scope. */
export async function runDueChecks(scope: Scope): Promise<void> {
  for (const check of await dueChecks(scope.trx, scope.store.id, scope.now)) await runCheck(scope, check, { ifDue: true });
}

/** Switches a kind on or off. Off closes its alert; on looks for it at once. */
export async function watch(scope: Scope, check: Check, isOn: boolean, by: string): Promise<void> {
  const { trx, store } = scope;
  await trx
    .insertInto('alert_types')
    .values({ store_id: store.id, type_key: check.key, is_on: isOn })
    .onConflict(conflict => conflict.columns(['store_id', 'type_key']).doUpdateSet({ is_on: isOn }))
    .execute();
  if (isOn) {
    await runCheck(scope, check);
    return;
  }
  const open = await trx
    .selectFrom('alerts')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('type_key', '=', check.key)
    .where('status', '<>', 'RESOLVED')
    .forUpdate()
    .executeTakeFirst();
  if (open) await close(scope, open, 'TURNED_OFF', by);
}

/** The unresolved alerts, the heaviest first, then the newest. */
export async function unresolvedAlerts(trx: Kysely<Tables>, storeId: number): Promise<AlertRow[]> {
  return trx
    .selectFrom('alerts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('status', '<>', 'RESOLVED')
    .orderBy(sql`case severity when 'CRITICAL' then 0 when 'HIGH' then 1 when 'MEDIUM' then 2 else 3 end`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The kind of an alert; undefined for one that a later release no longer watches. */
export const checkFor = (alert: Pick<AlertRow, 'type_key'>): Check | undefined => checkOf(alert.type_key);

/** The scope of a store's checks at its present moment. */
export const scopeOf = (trx: Kysely<Tables>, store: Store, now: Date, plans: Scope['plans']): Scope => ({ trx, store, now, plans });
