// Connecting and disconnecting an app: by a form, or by sending the person to its vendor and back (C183 to C194).
import { sql } from 'kysely';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { validate } from '../../../contract/validation/validate.ts';
import type { IntegrationKind } from '../../../contract/types/integration.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { refuseUse } from '../../platform/auth/grants.ts';
import { newToken } from '../../platform/auth/tokens.ts';
import { Refusal, invalid, invalidState, type Context } from '../../platform/context.ts';
import { oneAtATime } from '../../platform/records/one-at-a-time.ts';
import { cancelDeliveries } from '../../platform/deliveries/deliveries.ts';
import { enterAgain } from '../../platform/records/secret-fields.ts';
import { isMask, readSecret, writeSecret } from '../../platform/outgoing/secrets.ts';
import { changeTemplate } from '../messages/templates.ts';
import {
  SENDER,
  TABLE,
  eraseSecrets,
  eventsTaken,
  fullSettings,
  isPending,
  isThere,
  needKind,
  rowOf,
  rowsOf,
  secretFields,
  writeRow,
} from '../../platform/integrations/store-integrations.ts';
import { readDeliveryDays } from './delivery-days.ts';
import { forgetPointsLater } from './loyalty-balance.ts';
import { baseOf, checkCredentials, isSameServer } from './vendor.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** How long a person may be away at the vendor (ms). */
const AWAY_MS = 30 * 60_000;
const cancelled = (): Refusal => new Refusal(400, 'INTEGRATION_CANCELLED', t`The connection was cancelled.`);

/** The rank of the lowest plan that has an integration: the lowest paid one where its file names none. */
export function planRank({ definitions }: Pick<Context, 'definitions'>, kind: IntegrationKind): number {
  const named = kind.plan && definitions.plans.find(plan => plan.name === kind.plan);
  return named
    ? named.rank
    : Math.min(...definitions.plans.filter(plan => !plan.flagged && Number(plan.fixedCharge) > 0).map(plan => plan.rank));
}

/** @throws Refusal 403 below its plan, 409 beside another loyalty app */
async function mustBeFree(context: Context, kind: IntegrationKind): Promise<void> {
  if (context.session.plan.rank < planRank(context, kind)) throw new Refusal(403, 'PLAN', t`This integration is part of a higher plan.`);
  if (kind.category !== 'LOYALTY' && !kind.loyalty) return;
  await oneAtATime(context, 'integration');
  for (const [key, row] of await rowsOf(context.trx, context.storeId)) {
    const other = context.definitions.integrations[key];
    if ((other?.category === 'LOYALTY' || other?.loyalty) && key !== kind.key && isThere(row))
      throw invalidState(t`Disconnect ${other.name} first.`);
  }
}

/** What was entered, checked by the form; masks stand for what is kept already. @throws Refusal 422 */
async function entered(context: Context, kind: IntegrationKind, given: JsonObject): Promise<JsonObject> {
  const row = await rowOf(context.trx, context.storeId, kind.key);
  const trimmed = Object.fromEntries(
    Object.entries(given)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== '' && value !== null),
  );
  const before = (row?.settings ?? {}) as JsonObject;
  const isElsewhere = isThere(row) && !isSameServer(kind, before, trimmed);
  // What the vendor gave for one server is not shown to another.
  if (isElsewhere && kind.connect === 'OAUTH_REDIRECT')
    throw invalidState(t`${kind.name} is connected to another address. Disconnect it first.`);
  for (const name of secretFields(kind)) {
    if (isElsewhere && isMask(trimmed[name]))
      throw invalid([enterAgain(`/settings/${name}`, translated(kind.form.properties?.[name]?.title ?? name))]);
    if (!isMask(trimmed[name]) || trimmed[name] !== before[name]) continue;
    const place = { storeId: context.storeId, table: TABLE, column: name, id: kind.key };
    const saved = await readSecret(context, place);
    if (saved !== undefined) trimmed[name] = saved;
  }
  const settings = withDefaults<JsonObject>(kind.form, trimmed);
  const errors = validate(kind.form, compileValidator(kind.form), settings);
  if (errors.length) throw invalid(errors.map(error => ({ ...error, pointer: `/settings${error.pointer}` })));
  return settings;
}

/** Keeps what was entered; of secrets the record has the mask. */
async function keep(context: Context, kind: IntegrationKind, settings: JsonObject): Promise<JsonObject> {
  const saved: JsonObject = { ...settings };
  for (const name of secretFields(kind)) {
    const value = settings[name];
    if (typeof value !== 'string') continue;
    saved[name] = await writeSecret(context, { storeId: context.storeId, table: TABLE, column: name, id: kind.key }, value);
  }
  return saved;
}

/** What an app does besides taking events begins or ends with its connection. */
async function applyEffect(context: Context, kind: IntegrationKind, isOn: boolean): Promise<void> {
  if (!kind.deliveryDays) return;
  await sql`update stores set details = jsonb_set(coalesce(details, '{}'), '{zapiet}', coalesce(details -> 'zapiet', '{}')
    || ${JSON.stringify({ isIntegrated: isOn, ...(isOn ? { appInstalled: true } : {}) })}::jsonb) where id = ${context.storeId}`.execute(
    context.trx,
  );
}

async function connected(context: Context, kind: IntegrationKind, settings: JsonObject): Promise<void> {
  mayConnect(context, kind);
  const before = await rowOf(context.trx, context.storeId, kind.key);
  await writeRow(context.trx, context.storeId, kind.key, {
    status: 'CONNECTED',
    category: kind.category,
    settings: JSON.stringify(await keep(context, kind, settings)),
    connected_at: isThere(before) ? before.connected_at : context.now(),
    connected_by: context.user.email,
    last_error: null,
    refusals: 0,
    oauth_state: null,
    oauth_until: null,
    updated_at: context.now(),
  });
  await applyEffect(context, kind, true);
  await context.log({
    action: 'integration.connected',
    category: 'Settings',
    description: `${kind.name} ${isThere(before) ? 'connected again' : 'connected'}`,
    entity: 'integration',
    entityId: kind.key,
  });
}

/** An app hears what happens to subscriptions, and to whom: it is connected by people who may see them. @throws Refusal 403 */
const mayConnect = (context: Context, { key }: IntegrationKind): void =>
  refuseUse(context, context.definitions.entities.integration as Schema, { identifier: key });

/**
 * Connects an app with what was entered, after its vendor accepted it. The same again is no second connection; other values replace those
 * that were kept. Own transactions: the vendor is asked in between.
 * @throws Refusal 400, 403, 404, 409, 422, 502 (domain, section 1.1)
 */
export async function connectIntegration(context: Context, identifier: string, given: JsonObject): Promise<string> {
  const kind = needKind(context, identifier);
  if (kind.connect === 'OAUTH_REDIRECT')
    throw invalidState(t`${kind.name} is connected on its own page. Choose “Connect” on the page of the app.`);
  mayConnect(context, kind);
  const settings = await context.transaction(async inner => {
    await mustBeFree(inner, kind);
    return entered(inner, kind, given);
  });
  await checkCredentials(context.outgoing, kind, settings, context.config);
  await context.transaction(async inner => {
    await mustBeFree(inner, kind);
    await connected(inner, kind, settings);
  });
  if (kind.deliveryDays) await readDeliveryDays(context, context.storeId);
  return kind.name;
}

/** Where a person is sent to approve the connection; they are expected back within half an hour. `returnTo` is a page of the admin. */
export async function oauthLink(context: Context, identifier: string, given: JsonObject, address: string): Promise<JsonValue> {
  const kind = needKind(context, identifier);
  if (kind.connect !== 'OAUTH_REDIRECT' || !kind.authorize) throw invalidState(t`${kind.name} is connected by its form.`);
  mayConnect(context, kind);
  await mustBeFree(context, kind);
  const settings = await entered(context, kind, given);
  const row = await rowOf(context.trx, context.storeId, kind.key);
  const state = newToken();
  await writeRow(context.trx, context.storeId, kind.key, {
    // A connection that stands goes on while its person is away.
    ...(isThere(row) ? {} : { status: 'PENDING' }),
    settings: JSON.stringify({ ...(row?.settings as JsonObject | undefined), ...settings }),
    oauth_state: state,
    oauth_until: new Date(Date.now() + AWAY_MS),
    updated_at: context.now(),
  });
  const url = new URL(baseOf(kind, settings, context.config) + kind.authorize);
  url.searchParams.set('redirect_uri', `${address}/integrations/${kind.key}`);
  url.searchParams.set('state', state);
  return { url: url.href };
}

/** A person came back from the vendor, with a code or without one. @throws Refusal 400 for another state, a late return or no approval */
export async function finishOauth(context: Context, identifier: string, state: string, code: string | undefined): Promise<string> {
  const kind = needKind(context, identifier);
  const settings = await context.transaction(async inner => {
    const row = await rowOf(inner.trx, inner.storeId, kind.key);
    const isRight = row?.oauth_state === state && row.oauth_until !== null && row.oauth_until.getTime() > Date.now();
    if (!isRight) return undefined;
    await writeRow(inner.trx, inner.storeId, kind.key, {
      ...(row.status === 'PENDING' ? { status: 'NOT_CONNECTED' } : {}),
      oauth_state: null,
      oauth_until: null,
    });
    const { settings: saved } = await fullSettings(inner, inner.storeId, kind, row);
    return code ? { ...saved, accessToken: code } : undefined;
  });
  if (!settings) throw cancelled();
  await checkCredentials(context.outgoing, kind, settings, context.config);
  await context.transaction(async inner => {
    await mustBeFree(inner, kind);
    await connected(inner, kind, settings);
  });
  return kind.name;
}

/** Ends a connection: its secrets are erased, the choice of its events stays, and e-mails that it sent for the store are sent again. */
export async function disconnectIntegration(context: Context, identifier: string): Promise<string> {
  const kind = needKind(context, identifier);
  const row = await rowOf(context.trx, context.storeId, kind.key);
  if (!isThere(row) && !isPending(row, new Date())) throw invalidState(t`This integration is not connected.`);
  await eraseSecrets(context.trx, context.storeId, kind.key);
  const settings = { ...(row?.settings as JsonObject) };
  for (const name of secretFields(kind)) delete settings[name];
  await writeRow(context.trx, context.storeId, kind.key, {
    status: 'NOT_CONNECTED',
    settings: JSON.stringify(settings),
    instead: [],
    connected_at: null,
    connected_by: '',
    last_error: null,
    refusals: 0,
    oauth_state: null,
    oauth_until: null,
    updated_at: context.now(),
  });
  await cancelDeliveries(context.trx, context.storeId, SENDER, kind.key);
  await applyEffect(context, kind, false);
  if (kind.loyalty) await forgetPointsLater(context);
  for (const { name, message } of eventsTaken(context.definitions, kind)) {
    const mail = message && row?.instead.includes(name) ? context.definitions.messages[message] : undefined;
    if (mail)
      await changeTemplate({ ...context, expectedVersion: undefined }, mail, { enabled: true }, `switched on: ${kind.name} is gone`);
  }
  await context.log({
    action: 'integration.disconnected',
    category: 'Settings',
    description: `${kind.name} disconnected`,
    entity: 'integration',
    entityId: kind.key,
  });
  return kind.name;
}
