// Calls about other apps of the store (C183 to C194, C197, C198).
import { sql } from 'kysely';
import type { IntegrationKind } from '../../../../contract/types/integration.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Reply, invalid, invalidState, notFound, ownTransactions, type Context } from '../../../platform/context.ts';
import { addDeliveries, sendAgain as again } from '../../../platform/deliveries/deliveries.ts';
import { pageOf, type Pages } from '../../../platform/records/list/page-of.ts';
import { changeTemplate } from '../../messages/templates.ts';
import { connectIntegration, disconnectIntegration, finishOauth, oauthLink, planRank } from '../connect.ts';
import { samplePayload } from '../payload.ts';
import {
  SENDER,
  channelOf,
  eventsTaken,
  isPending,
  isThere,
  mailEdits,
  needKind,
  rowOf,
  rowsOf,
  secretFields,
  writeRow,
  type Channel,
  type IntegrationRow,
} from '../../../platform/integrations/store-integrations.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';
import { inTheirWords } from '../../../platform/records/documents.ts';
import { holdsWords } from '../../../../domain/text/fold.ts';

/** An app as the library lists it. */
function wire(context: Context, kind: IntegrationKind, row: IntegrationRow | undefined): JsonObject {
  const rank = planRank(context, kind);
  const status = row && (row.status !== 'PENDING' || isPending(row, new Date())) ? row.status : 'NOT_CONNECTED';
  return {
    identifier: kind.key,
    name: kind.name,
    category: kind.category,
    description: kind.description,
    status,
    docs: kind.docs ?? '',
    connectType: kind.connect,
    isInPlan: context.session.plan.rank >= rank,
    plan: context.definitions.plans.find(plan => !plan.flagged && plan.rank === rank)?.name ?? '',
    connectedAt: row?.connected_at?.toISOString() ?? null,
    connectedBy: row?.connected_by ?? '',
    lastSyncAt: row?.last_sync_at?.toISOString() ?? null,
    lastError: row?.last_error ?? '',
  };
}

/** The library: connected apps first, then by name; narrowed by category, state and words. */
export async function list(
  context: Context,
  { q = '', filter = {}, ...pages }: Pages & { q?: string; filter?: { category?: string[]; status?: string[] } },
): Promise<Reply> {
  const rows = await rowsOf(context.trx, context.storeId);
  const fits = (record: JsonObject): boolean =>
    (['category', 'status'] as const).every(field => !filter[field]?.length || filter[field].includes(String(record[field]))) &&
    holdsWords(q, record.name, record.description);
  const rank = (record: JsonObject): string => `${record.status === 'NOT_CONNECTED' ? 1 : 0}${String(record.name).toLowerCase()}`;
  const found = Object.values(context.definitions.integrations)
    .map(kind => wire(context, inTheirWords(kind), rows.get(kind.key)))
    .filter(fits)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return pageOf(found, pages);
}

/** One app with its form and steps, and what the store entered: of secrets their masks (C183). @throws Refusal 404 */
export async function read(context: Context, { identifier }: { identifier: string }): Promise<JsonValue> {
  const kind = inTheirWords(needKind(context, identifier));
  const row = await rowOf(context.trx, context.storeId, kind.key);
  const edits = await mailEdits(context);
  const settings: JsonObject = { ...(row?.settings as JsonObject | undefined) };
  delete settings.accessToken;
  return {
    ...wire(context, kind, row),
    form: kind.form as JsonValue,
    secrets: secretFields(kind),
    steps: [...kind.steps],
    settings,
    takesEvents: kind.events !== undefined,
    events: eventsTaken(context.definitions, kind).map(event => ({
      event: event.name,
      title: translated(event.title),
      hasEmail: event.message !== undefined,
      channel: channelOf({ definitions: context.definitions, edits }, row, event),
    })),
  };
}

const connected = (name: string): Reply => new Reply({ name }, { message: t`${name} is connected.` });

/** C185. */
export const connect = ownTransactions(
  async (context: Context, { identifier, settings = {} }: { identifier: string; settings?: JsonObject }) =>
    connected(await connectIntegration(context, identifier, settings)),
);

/** C186. */
export async function disconnect(context: Context, { identifier }: { identifier: string }): Promise<Reply> {
  const name = await disconnectIntegration(context, identifier);
  return new Reply({ name }, { message: t`${name} is disconnected.` });
}

/** The older calls, one for each app, with its values beside each other (C187 to C193). */
const older = (identifier: string) =>
  ownTransactions(async (context: Context, { myshopify_domain: domain, ...settings }: JsonObject) => {
    if (domain !== context.store.myshopify_domain) throw notFound(later`store`);
    return connected(await connectIntegration(context, identifier, settings));
  });
export const connectBloomreach = older('bloomreach');
export const connectOpenBorder = older('openBorder');
export const connectZendesk = older('zendesk');
export const connectGladly = older('gladly');
export const connectInfluence = older('influence-io');
export const connectFriendbuy = older('friendbuy');
export const connectYotpoLoyalty = older('yotpo-loyalty');

const adminAddress = ({ config }: Context, origin: string | undefined): string => config.publicUrl ?? origin ?? '';

/** The page of the vendor where a connection is approved; `origin` is where the person uses the admin, for the way back. */
export async function link(
  context: Context,
  { identifier, settings = {}, origin }: { identifier: string; settings?: JsonObject; origin?: string },
): Promise<JsonValue> {
  return oauthLink(context, identifier, settings, adminAddress(context, origin));
}
/** C194. */
export const linkYotpo = (context: Context, { origin }: { origin?: string }): Promise<JsonValue> =>
  oauthLink(context, 'yotpoEmailAndSms', {}, adminAddress(context, origin));

export const finish = ownTransactions(
  async (context: Context, { identifier, state, code }: { identifier: string; state: string; code?: string }) =>
    connected(await finishOauth(context, identifier, state, code)),
);

/**
 * Who tells customers of each event: APP switches the store's own e-mail off, the others switch it on; BUILT_IN does not tell the app.
 * @throws Refusal 422 for an event that it does not take, or that has no e-mail
 */
export async function channels(
  context: Context,
  { identifier, channels: given }: { identifier: string; channels: Record<string, Channel> },
): Promise<Reply> {
  const kind = needKind(context, identifier);
  const taken = eventsTaken(context.definitions, kind);
  for (const [name, channel] of Object.entries(given)) {
    const event = taken.find(one => one.name === name);
    const problem = !event
      ? t`${kind.name} takes no event “${name}”.`
      : !event.message && channel === 'BOTH'
        ? t`There is no e-mail of the store for “${translated(event.title)}”.`
        : undefined;
    if (problem) throw invalid([{ pointer: `/channels/${name}`, rule: 'channel', message: problem }]);
  }
  const row = await rowOf(context.trx, context.storeId, kind.key);
  const edits = await mailEdits(context);
  const muted = new Set(row?.muted);
  const instead = new Set(row?.instead);
  for (const event of taken) {
    const channel = given[event.name];
    if (!channel || channel === channelOf({ definitions: context.definitions, edits }, row, event)) continue;
    if (channel === 'BUILT_IN') muted.add(event.name);
    else muted.delete(event.name);
    if (channel === 'APP') instead.add(event.name);
    else instead.delete(event.name);
    const mail = event.message ? context.definitions.messages[event.message] : undefined;
    if (mail && !mail.always)
      await changeTemplate(
        { ...context, expectedVersion: undefined },
        mail,
        { enabled: channel !== 'APP' },
        `switched ${channel === 'APP' ? `off: ${kind.name} sends it` : 'on'}`,
      );
  }
  await writeRow(context.trx, context.storeId, kind.key, { muted: [...muted], instead: [...instead], updated_at: context.now() });
  await context.log({
    action: 'integration.updated',
    category: 'Settings',
    description: `Notifications by ${kind.name} changed`,
    entity: 'integration',
    entityId: kind.key,
    after: given,
  });
  return new Reply({ identifier }, { message: t`Saved.` });
}

/** Sends one event of each kind with sample values. @throws Refusal 409 where it is not connected or takes none */
export async function sendSamples(context: Context, { identifier }: { identifier: string }): Promise<Reply> {
  const kind = needKind(context, identifier);
  const row = await rowOf(context.trx, context.storeId, kind.key);
  if (!isThere(row)) throw invalidState(t`This integration is not connected.`);
  const events = eventsTaken(context.definitions, kind).filter(({ name }) => !row.muted.includes(name));
  if (events.length === 0) throw invalidState(t`${kind.name} takes no events.`);
  await addDeliveries(
    context.trx,
    context.storeId,
    events.map(({ name }) => {
      const subject = `sample:${context.requestId}:${name}`;
      return { sender: SENDER, target: kind.key, subject, topic: name, payload: samplePayload(name, subject, context.now()) };
    }),
  );
  return new Reply({ count: events.length }, { message: t`${events.length} sample events are on their way to ${kind.name}.` });
}

/** Sends failed events again. */
export async function sendAgain(context: Context, { identifier }: { identifier: string }): Promise<Reply> {
  const kind = needKind(context, identifier);
  const count = await again(context.trx, context.storeId, { sender: SENDER, target: kind.key, states: ['FAILED'] });
  return new Reply({ count }, { message: count === 1 ? t`One event is sent again.` : t`${count} events are sent again.` });
}

/** How many events were sent and failed, by event, and the last errors (C184). Days are the store's; real time is what counts. */
export async function statistics(
  context: Context,
  { identifier, startDate, endDate }: { identifier: string; startDate?: string; endDate?: string },
): Promise<JsonValue> {
  const kind = needKind(context, identifier);
  const { titles, zone } = {
    titles: new Map(Object.values(context.definitions.integrationEvents).map(event => [event.name, event.title])),
    zone: context.store.timezone,
  };
  const here = sql`d.store_id = ${context.storeId}::integer and d.sender = ${SENDER} and d.target = ${kind.key}
    ${startDate ? sql`and d.created_at >= (${startDate}::date)::timestamp at time zone ${zone}` : sql``}
    ${endDate ? sql`and d.created_at < (${endDate}::date + 1)::timestamp at time zone ${zone}` : sql``}`;
  const { rows: counts } = await sql<{ event: string; sent: number; failed: number; waiting: number }>`
    select d.topic as event, count(*) filter (where d.state = 'SENT')::integer as sent,
      count(*) filter (where d.state = 'FAILED')::integer as failed,
      count(*) filter (where d.state = 'PENDING')::integer as waiting from deliveries d where ${here} group by 1 order by 1`.execute(
    context.trx,
  );
  const { rows: errors } = await sql<{ id: number; time: Date; event: string; message: string; state: string }>`
    select d.id, coalesce(d.finished_at, d.created_at) as time, d.topic as event, d.error as message, d.state from deliveries d
    where ${here} and d.error is not null and d.state in ('FAILED', 'PENDING') order by d.id desc limit 20`.execute(context.trx);
  const sum = (of: 'sent' | 'failed' | 'waiting'): number => counts.reduce((all, row) => all + row[of], 0);
  const titleOf = (event: string): string => titles.get(event) ?? event;
  return {
    eventsSent: sum('sent'),
    eventsFailed: sum('failed'),
    eventsWaiting: sum('waiting'),
    byEvent: counts.map(row => ({ ...row, title: titleOf(row.event) })),
    errors: errors.map(({ time, ...row }) => ({ ...row, title: titleOf(row.event), time: time.toISOString() })),
  };
}

/** Apps that are connected (C198). */
export async function active(context: Context): Promise<JsonValue> {
  const rows = await rowsOf(context.trx, context.storeId);
  return Object.values(context.definitions.integrations)
    .filter(kind => rows.get(kind.key)?.status === 'CONNECTED')
    .map(({ key, name, category }) => ({ key, name, category }));
}
