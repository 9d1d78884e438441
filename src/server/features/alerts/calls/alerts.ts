// The alert center: what needs attention, the records behind it, and what can be done about it.
import { accessOf } from '../../../../contract/access.ts';
import { mayReadOf } from '../../../../contract/mask.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { CHECKS, checkOf } from '../catalogue.ts';
import { counted, type Scope } from '../alert-check.ts';
import { inactiveVariants } from '../checks/products.ts';
import { checkFor, close, logAlert, runCheck, scopeOf, unresolvedAlerts, watch as switchWatch, type AlertRow } from '../raise.ts';
import { progressOf } from '../resolution.ts';
import { STARTERS, type ResolutionInput } from '../resolve.ts';
import { alertWire, mayRefresh, REFRESH_MS } from '../alert-response.ts';
import { Refusal, Reply, invalidState, notFound, type Context } from '../../../platform/context.ts';
import { ALERT_RESOLUTION } from '../jobs/alerts.ts';
import { pageOf, type Pages } from '../../../platform/records/list/page-of.ts';
import { usersByEmail } from '../../../platform/auth/people.ts';
import { CARDS, maskPersonalData } from '../../../platform/auth/personal-data.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';

const scope = (context: Context): Scope => scopeOf(context.trx, context.store, context.now(), context.definitions.plans);

async function needAlert({ trx, storeId }: Context, id: number, lock = false): Promise<AlertRow> {
  let query = trx.selectFrom('alerts').selectAll().where('store_id', '=', storeId).where('id', '=', id);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound(later`alert`);
  return row;
}

/** The unresolved alerts, the heaviest first, then the newest (C620). Their number is that of the badge (S271). */
export async function unresolved(context: Context, input: Pages = {}): Promise<Reply> {
  return pageOf(
    (await unresolvedAlerts(context.trx, context.storeId)).map(row => alertWire(row, context.store, context.now())),
    input,
  );
}

/** One alert (C621), with what may be done about it. */
export async function read(context: Context, { id }: { id: number }): Promise<JsonObject> {
  return withActions(context, await needAlert(context, id));
}

async function withActions(context: Context, row: AlertRow): Promise<JsonObject> {
  const refusal = refusalToResolve(context, row);
  const isOpen = row.status === 'OPEN';
  const started = STARTERS[row.type_key];
  return {
    ...alertWire(row, context.store, context.now()),
    ...(row.resolved_by ? { resolvedBy: (await usersByEmail(context)).get(row.resolved_by) ?? row.resolved_by } : {}),
    actions: isOpen ? ['refresh', 'markResolved', ...(started && refusal === undefined ? ['startResolution'] : [])] : [],
    refusals: { ...(refusal === undefined ? {} : { startResolution: refusal }) },
    mapping:
      isOpen && row.type_key === 'INACTIVE_PRODUCTS'
        ? (await inactiveVariants(scope(context))).map(one => ({
            fromVariantId: one.variantId,
            fromTitle: `${one.title} (${counted(one.subscriptions, 'subscription')})`,
          }))
        : [],
  };
}

/** Resolving an alert needs the rights of what is started too, and the plan its feature. */
function refusalToResolve(context: Context, row: AlertRow): string | undefined {
  const started = STARTERS[row.type_key];
  if (!started) return undefined;
  const access = accessOf(context.session);
  if (started.feature && !access.planHas(started.feature))
    return t`Your plan has no bulk actions. Open the subscriptions one by one, or choose a higher plan.`;
  const missing = started.permissions.find(area => !access.can(area, 'WRITE'));
  return (
    missing &&
    t`You don't have permission to do this. Ask an admin of your store for
      “${translated(context.definitions.permissions[missing]?.label ?? missing)}”.`
  );
}

/**
 * The records behind an alert (C622); what a resolved one was about is over. Who may not see subscriptions learns what is wrong with which,
 * and not whose they are.
 */
export async function data(
  context: Context,
  { id, page = 1, pageSize = 25 }: { id: number; page?: number; pageSize?: number },
): Promise<Reply> {
  const row = await needAlert(context, id);
  const check = checkFor(row);
  const offset = (page - 1) * pageSize;
  const found = check && row.status !== 'RESOLVED' ? await check.rows(scope(context), { limit: pageSize, offset }) : { rows: [], total: 0 };
  const isPayment = ['PAYMENT_FAILURE_SPIKE', 'GATEWAY_DISABLED', 'RETRIES_EXHAUSTED'].includes(row.type_key);
  const ofCards = new Set(mayReadOf(context.session)(CARDS) ? [] : check?.ofCards);
  const open = found.rows.map(one => Object.fromEntries(Object.entries(one).filter(([name]) => !ofCards.has(name))) as JsonObject);
  const rows = maskPersonalData(context, open, check?.personal).map(({ reason = null, ...one }) => ({
    ...one,
    ...(isPayment ? { failure: reason } : { reason }),
  }));
  return new Reply(rows, {
    pageInfo: { total: found.total, hasNextPage: offset + found.rows.length < found.total, hasPreviousPage: page > 1 },
  });
}

/** Everything that is watched, with what is on and off (C623). */
export const types = async (context: Context, input: Pages = {}): Promise<Reply> => pageOf(await kinds(context), input);

async function kinds({ trx, storeId }: Context): Promise<JsonObject[]> {
  const of = new Map(
    (await trx.selectFrom('alert_types').selectAll().where('store_id', '=', storeId).execute()).map(row => [row.type_key, row]),
  );
  const open = new Map((await unresolvedAlerts(trx, storeId)).map(row => [row.type_key, row.id]));
  return CHECKS.map(({ key, severity, title, category, watches, every }) => {
    const isOn = of.get(key)?.is_on ?? true;
    const alertId = open.get(key) ?? null;
    return {
      id: key,
      severity,
      title: translated(title),
      category,
      watches: translated(watches),
      every,
      isOn,
      status: !isOn ? 'OFF' : alertId ? 'ALERT' : 'ON',
      alertId,
      lastCheckedAt: of.get(key)?.last_checked_at?.toISOString() ?? null,
    };
  });
}

/** Makes the check of an alert again (C625), at most once in five minutes. Answers the alert, which may be resolved by now. */
export async function refresh(context: Context, { id }: { id: number }): Promise<Reply> {
  const row = await needAlert(context, id);
  const check = checkFor(row);
  if (!check || row.status !== 'OPEN') throw invalidState(t`Only open alerts can be checked again.`);
  if (!mayRefresh(row, context.now()))
    throw new Refusal(
      429,
      'TOO_MANY_REQUESTS',
      t`Checked moments ago, try again later`,
      undefined,
      undefined,
      Math.ceil((row.last_checked_at.getTime() + REFRESH_MS - context.now().getTime()) / 1000),
    );
  await runCheck(scope(context), check, { by: context.user.email });
  const after = await needAlert(context, id);
  const message =
    after.status === 'RESOLVED'
      ? t`Nothing is left of it. The alert is resolved.`
      : after.affected_count < row.affected_count
        ? t`Checked again. Fewer are affected than before.`
        : after.affected_count > row.affected_count
          ? t`Checked again. More are affected than before.`
          : t`Checked again. Nothing has changed.`;
  return new Reply(await withActions(context, after), { message });
}

/**
 * D087: starts what resolves an alert in place (C626). Answers the resolution, which goes on by itself. @throws Refusal 409 when it is not
 * open, 422 for what can't be resolved so
 */
export async function startResolution(context: Context, { id, ...input }: { id: number } & ResolutionInput): Promise<Reply> {
  const row = await needAlert(context, id, true);
  const start = STARTERS[row.type_key];
  if (!start) throw new Refusal(422, 'VALIDATION', t`This alert can’t be resolved from here. Do what it recommends, then check again.`);
  if (row.status !== 'OPEN')
    throw invalidState(row.status === 'RESOLVING' ? t`This alert is being resolved already.` : t`This alert is resolved already.`);
  const refusal = refusalToResolve(context, row);
  if (refusal !== undefined) throw new Refusal(403, 'FORBIDDEN', refusal);
  const { resolving, message, ...answer } = await start.begin(context, input);
  await context.trx
    .updateTable('alerts')
    .set({ status: 'RESOLVING', resolving: JSON.stringify(resolving), error: null })
    .where('store_id', '=', context.storeId)
    .where('id', '=', id)
    .execute();
  await logAlert(scope(context), row, 'RESOLUTION_STARTED', context.user.email);
  await context.log({
    action: 'alert.resolution_started',
    category: 'Alerts',
    description: `Resolution of the alert “${row.title}” started`,
    entity: 'alert',
    entityId: id,
    after: resolving as JsonObject,
  });
  await context.queue.send(
    ALERT_RESOLUTION,
    { storeId: context.storeId, alertId: id },
    { trx: context.trx, startAfter: 1, singletonKey: `${ALERT_RESOLUTION}-${context.storeId}-${id}` },
  );
  return new Reply({ resolutionId: id, ...answer }, { message });
}

/** D088: how far the resolution of an alert is (C627). */
export async function resolutionStatus(context: Context, { id }: { id: number }): Promise<JsonObject> {
  const row = await needAlert(context, id);
  return { ...(await progressOf(context, row)), alertStatus: row.status };
}

/** Closes an alert by hand: it is not raised again for seven days unless more are affected. */
export async function markResolved(context: Context, { id }: { id: number }): Promise<Reply> {
  const row = await needAlert(context, id, true);
  if (row.status !== 'OPEN')
    throw invalidState(
      row.status === 'RESOLVING' ? t`This alert is being resolved. Wait until that is done.` : t`This alert is resolved already.`,
    );
  const after = await close(scope(context), row, 'MANUAL', context.user.email);
  await context.log({
    action: 'alert.resolved',
    category: 'Alerts',
    description: `Alert “${row.title}” marked as resolved`,
    entity: 'alert',
    entityId: id,
  });
  return new Reply(await withActions(context, after), {
    message: t`Marked as resolved. It comes back within 7 days only if more are affected.`,
  });
}

/** Switches a kind of alert on or off for everybody in the store. */
export async function watch(context: Context, { typeKey, isOn }: { typeKey: string; isOn: boolean }): Promise<Reply> {
  const check = checkOf(typeKey);
  if (!check) throw notFound(later`check`);
  await switchWatch(scope(context), check, isOn, context.user.email);
  await context.log({
    action: isOn ? 'alert.check_on' : 'alert.check_off',
    category: 'Alerts',
    description: `The check “${check.title}” was switched ${isOn ? 'on' : 'off'}`,
    entity: 'alert-type',
    entityId: typeKey,
    before: { isOn: !isOn },
    after: { isOn },
  });
  return new Reply((await kinds(context)).find(one => one.id === typeKey) ?? null, {
    message: isOn ? t`“${translated(check.title)}” is watched again.` : t`“${translated(check.title)}” is no longer watched.`,
  });
}
