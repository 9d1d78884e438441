// Signing in at a store's own service: leaving for it, and coming back. The browser keeps the state of a sign-in that it began and brings
// no other, so that a foreign link signs no person in; the server keeps what belongs to the state, and takes it once.
import { sql } from 'kysely';
import type { SingleSignOnSettings } from '../../../../generated/entities.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { t, translated } from '../../../../domain/text/t.ts';
import { countAttempt } from '../../../platform/auth/attempts.ts';
import { openSession } from '../../../platform/auth/sessions.ts';
import { hashToken, isToken } from '../../../platform/auth/tokens.ts';
import { Refusal, type Context, type PublicContext } from '../../../platform/context.ts';
import { writeLog } from '../../../platform/records/account-log.ts';
import { secretOfPage } from '../../../platform/records/secret-fields.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { admit, hostOfSubject, type Admitted } from './admit.ts';
import { arrive, depart, unreachable, type Arrival, type SignInService } from './sign-in-service.ts';

export const PAGE = 'single-sign-on';
/** How long a person may take at the service (minutes). */
const MINUTES = 15;
/** Stores that a person can choose from. */
const MOST_STORES = 20;

/** Where people come back to. */
export const backAddress = ({ config, address }: Pick<PublicContext, 'config' | 'address'>): string =>
  `${config.publicUrl ?? address}/login`;

/** Whether any store has a sign-in service, so that the page offers it. */
export const anySso = ({ db }: Pick<PublicContext, 'db'>): Promise<boolean> =>
  db.asSystem(async trx => (await sql`select from stores where sso_domains <> '{}' limit 1`.execute(trx)).rows.length > 0, {
    readOnly: true,
  });

/** What a store entered; undefined while single sign-on is off. */
export async function serviceOf(
  context: Pick<Context, 'trx' | 'storeId' | 'definitions' | 'secrets'>,
): Promise<{ page: SingleSignOnSettings; service: SignInService } | undefined> {
  const page = (await readSetting(context, PAGE)).data as SingleSignOnSettings;
  const { enabled, issuer, clientId } = page;
  const clientSecret = enabled ? await secretOfPage(context, PAGE, 'clientSecret') : undefined;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { page, service: { issuer, clientId, clientSecret } };
}

const inStoreOf = ({ db, definitions, secrets }: PublicContext, storeId: number) =>
  db.inStore(storeId, trx => serviceOf({ trx, storeId, definitions, secrets }), { readOnly: true });

const none = (): Refusal => new Refusal(404, 'NOT_FOUND', t`There is no single sign-on for this address. Use a link by e-mail.`);
const over = (): Refusal => new Refusal(400, 'SSO_EXPIRED', t`This sign-in took too long, or it was used already. Begin again.`);

/**
 * Where a person signs in: at the service of the store, or of the only one that knows the domain of their address. Several: the stores, to
 * choose from. @throws Refusal 404, 429, 502
 */
export async function beginSso(context: PublicContext, { email, store: named }: { email?: string; store?: number }): Promise<JsonObject> {
  await context.db.asSystem(trx => countAttempt(trx, { ip: context.ip, at: 'sso' }));
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
  const stores = await context.db.asSystem(
    trx =>
      trx
        .selectFrom('stores')
        .select(['id', 'name'])
        .where(sql<boolean>`sso_domains <> '{}'`)
        .where(named === undefined ? sql<boolean>`sso_domains @> array[${domain}]::text[]` : sql<boolean>`id = ${named}::integer`)
        .orderBy('name')
        .limit(MOST_STORES)
        .execute(),
    { readOnly: true },
  );
  const [store, another] = stores;
  if (!store) throw none();
  if (another) return { stores: stores.map(one => ({ storeId: one.id, name: one.name })) };
  const found = await inStoreOf(context, store.id);
  if (!found) throw none();
  const { url, state, nonce, verifier } = await asked(context, found.service, store.id, () =>
    depart(context, found.service, backAddress(context), email),
  );
  await context.db.inStore(store.id, trx =>
    sql`insert into sso_flows (store_id, state_hash, nonce, verifier, expires_at)
      values (${store.id}::integer, ${hashToken(state)}, ${nonce}, ${verifier}, now() + make_interval(mins => ${MINUTES}))`.execute(trx),
  );
  return { url, state };
}

/** Asks the service; what it did wrong is for the log, the person reads what helps. */
async function asked<T>(context: PublicContext, { issuer }: SignInService, storeId: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    context.log.warn({ err: error, storeId, issuer, requestId: context.requestId }, 'A sign-in service did not answer as it should.');
    throw unreachable(new URL(issuer).host);
  }
}

interface Answered {
  state: string;
  code?: string;
  iss?: string;
  error?: string;
}

/** Turns the answer of a service into a session, once. @throws Refusal 400, 403, 429, 502 */
export async function finishSso(context: PublicContext, { state, code, iss, error }: Answered): Promise<JsonObject> {
  await context.db.asSystem(trx => countAttempt(trx, { ip: context.ip, at: 'sso' }));
  if (!isToken(state)) throw over();
  const flow = await context.db.asSystem(async trx => {
    const { rows } = await sql<{ store_id: number; nonce: string; verifier: string }>`delete from sso_flows
      where state_hash = ${hashToken(state)} and expires_at > now() returning store_id, nonce, verifier`.execute(trx);
    return rows[0];
  });
  const found = flow && (await inStoreOf(context, flow.store_id));
  if (!found) throw over();
  const { service, page } = found;
  const { host } = new URL(service.issuer);
  if (error !== undefined || code === undefined) {
    context.log.warn(
      { storeId: flow.store_id, issuer: service.issuer, answer: error ?? 'no code' },
      'A sign-in service let a person not in.',
    );
    throw new Refusal(
      403,
      'SSO_REFUSED',
      error === 'access_denied'
        ? t`You did not sign in at ${host}, or it does not let you in here. Begin again, or ask who looks after it.`
        : t`${host} could not sign you in. Begin again, or ask who looks after it.`,
    );
  }
  const back = new URL(backAddress(context));
  for (const [name, value] of Object.entries({ code, state, iss })) if (value !== undefined) back.searchParams.set(name, value);
  const arrival = await asked(context, service, flow.store_id, () => arrive(context, service, back, { state, ...flow }));
  const admitted = await context.db.inStore(flow.store_id, async trx => {
    const one = await admit(trx, flow.store_id, page, arrival);
    await note(context, trx, flow.store_id, arrival, one);
    return 'refusal' in one ? one : openSession(trx, flow.store_id, one.userId, context.config.tokenHours, true);
  });
  if ('refusal' in admitted) throw new Refusal(403, 'SSO_REFUSED', translated(admitted.refusal));
  return { token: admitted.token, expiresAt: admitted.expiresAt.toISOString() };
}

/** The account log says who joined, and who was not let in and why. */
async function note(
  { ip, requestId }: PublicContext,
  trx: Context['trx'],
  storeId: number,
  { email = '', subject }: Arrival,
  admitted: Admitted,
): Promise<void> {
  if ('isNew' in admitted && !admitted.isNew) return;
  const told =
    'refusal' in admitted
      ? {
          action: 'user.signInRefused',
          description: `${email || 'A person without an address'} was not let in from ${hostOfSubject(subject)}. ${admitted.refusal}`,
        }
      : {
          action: 'user.joined',
          description: `${email} joined the team from ${hostOfSubject(subject)} as ${admitted.roleName}`,
          entityId: admitted.userId,
        };
  const by = { userEmail: email, source: 'Admin portal', ip, requestId, ...('refusal' in admitted ? {} : { userId: admitted.userId }) };
  await writeLog(trx, storeId, { category: 'Users', entity: 'user', ...told }, by);
}
