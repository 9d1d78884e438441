// Signing in by a one-time link, or as a demo user, and signing out.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { countAttempt } from '../../../platform/auth/attempts.ts';
import { LINK_MINUTES, makeLoginLink } from '../../../platform/auth/login-links.ts';
import { openSession } from '../../../platform/auth/sessions.ts';
import { hashToken, isToken } from '../../../platform/auth/tokens.ts';
import { Refusal, type Context, type PublicContext } from '../../../platform/context.ts';
import { isOwnHost } from '../../../platform/http/hosts.ts';
import { openNewStore, NEW_STORE } from '../../demo/new-store.ts';
import { secondStore } from '../../demo/second-store.ts';
import { anySso } from '../single-sign-on/flow.ts';
import { noteEntered, openBySignUp, type SignUp } from '../opened.ts';
import { joinByReferral } from '../../referrals/join.ts';
import { fillMessage } from '../../../platform/mail/message.ts';
import { enqueueMail } from '../../../platform/mail/outbox.ts';
import { t } from '../../../../domain/text/t.ts';

export { beginSso, finishSso } from '../single-sign-on/flow.ts';

/**
 * Sends a link to the address if it belongs to a user, one for each store. The answer and its time say nothing about whether it does:
 * looking, writing and sending happen after the answer.
 */
export async function requestLink(context: PublicContext, { email }: { email: string }): Promise<JsonObject> {
  await context.db.asSystem(trx => countAttempt(trx, { email, ip: context.ip }));
  context.background(sendLinks(context, email.trim()));
  return { sent: true };
}

/** Where single sign-on is the only way in, links are for the owner alone, who is never locked out. */
const LINKS_OPEN = sql<boolean>`(not stores.sso_required or users.type = 'OWNER')`;

/** `storeId`: of this store alone. */
async function sendLinks(context: PublicContext, email: string, storeId?: number): Promise<void> {
  const users = await context.db.asSystem(
    trx =>
      trx
        .selectFrom('users')
        .innerJoin('stores', 'stores.id', 'users.store_id')
        .select(['users.store_id', 'users.id', 'users.email', 'users.first_name', 'stores.name as store_name', 'stores.clock_offset_ms'])
        .where(sql<string>`lower(users.email)`, '=', email.toLowerCase())
        .where('users.removed_at', 'is', null)
        .where(LINKS_OPEN)
        .$if(storeId !== undefined, query => query.where('users.store_id', '=', storeId ?? 0))
        .limit(20)
        .execute(),
    { readOnly: true },
  );
  for (const user of users) {
    await context.db.inStore(user.store_id, async trx => {
      const address = await makeLoginLink(trx, user.store_id, user.id, context.config.publicUrl ?? context.address);
      await enqueueMail(
        trx,
        user.store_id,
        {
          to: user.email,
          sendBefore: new Date(Date.now() + LINK_MINUTES * 60_000),
          ...fillMessage(
            context.definitions.messages,
            'SIGN_IN_LINK',
            { store: { name: user.store_name } },
            { firstName: user.first_name || 'there', minutes: LINK_MINUTES, link: address },
          ),
        },
        new Date(Date.now() + user.clock_offset_ms),
      );
    });
  }
  if (users.length) context.mailer.kick();
}

/**
 * Opens a store and sends its owner the link by which they come in. Pressed again, the link is sent again. @throws Refusal 404 where this
 * server lets no one open a store, 422, 429
 */
export async function signUp(context: PublicContext, given: SignUp): Promise<JsonObject> {
  if (!context.config.signUp) throw new Refusal(404, 'NOT_FOUND', t`Stores can't be opened here. Ask who runs this server.`);
  await context.db.asSystem(trx => countAttempt(trx, { email: given.email, ip: context.ip }));
  const { storeId, email } = await context.db.asSystem(async trx => {
    const made = await openBySignUp(trx, context, given);
    if (given.ref !== undefined) await joinByReferral(trx, context.definitions, made, given.ref);
    return made;
  });
  context.background(sendLinks(context, email, storeId));
  return { sent: true };
}

const refused = (): Refusal => new Refusal(400, 'LINK_EXPIRED', t`This sign-in link has expired or was used already. Ask for a new one.`);

/** Turns a link into a session, once. */
export async function redeemLink(context: PublicContext, { token }: { token: string }): Promise<JsonObject> {
  await context.db.asSystem(trx => countAttempt(trx, { ip: context.ip }));
  if (!isToken(token)) throw refused();
  return context.db.asSystem(async trx => {
    const { rows } = await sql<{ store_id: number; user_id: number }>`update login_links l set used_at = now()
      where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > now()
        and exists (select 1 from users join stores on stores.id = users.store_id
          where users.store_id = l.store_id and users.id = l.user_id and users.removed_at is null and ${LINKS_OPEN})
      returning l.store_id, l.user_id`.execute(trx);
    const link = rows[0];
    if (!link) throw refused();
    await noteEntered(trx, link.store_id);
    const { token: session, expiresAt } = await openSession(trx, link.store_id, link.user_id, context.config.tokenHours);
    return { token: session, expiresAt: expiresAt.toISOString() };
  });
}

/**
 * Why the demo refuses to sign people in here: the request came by a name that is not this server's, so a page of that name could be
 * asking. Undefined: it does.
 */
function notHere({ config, address, host }: PublicContext): string | undefined {
  if (isOwnHost(host, config)) return undefined;
  const own = config.publicUrl ?? address;
  return t`The demo signs in at ${own} only. To use another address, set PERENNIAL_PUBLIC_URL to it and start the server again.`;
}

/** @throws Refusal 404 where this server is no demo, 403 by a name that is not its own */
function requireDemo(context: PublicContext, otherwise: string): void {
  if (!context.config.demo) throw new Refusal(404, 'NOT_FOUND', otherwise);
  const refusal = notHere(context);
  if (refusal !== undefined) throw new Refusal(403, 'FORBIDDEN', refusal);
}

/**
 * The users that demo mode offers: those of demo stores, the first store first. Empty when this server is no demo, or (with the reason) by
 * a foreign name.
 */
export async function demoUsers(context: PublicContext): Promise<JsonObject> {
  const { signUp: canSignUp } = context.config;
  const ways = { canSignUp, hasSso: await anySso(context) };
  if (!context.config.demo) return { isDemo: false, users: [], ...ways };
  const refusal = notHere(context);
  if (refusal !== undefined) return { isDemo: false, users: [], refusal, ...ways };
  const users = await context.db.asSystem(
    trx =>
      trx
        .selectFrom('users')
        .innerJoin('stores', 'stores.id', 'users.store_id')
        .select([
          'users.id',
          'users.first_name',
          'users.last_name',
          'users.email',
          'users.type',
          'users.permissions',
          'stores.name as store_name',
        ])
        .where('stores.is_demo', '=', true)
        // Stores of one kind or another have a way of their own.
        .where(sql`stores.details ->> 'demo'`, 'is', null)
        .where('users.removed_at', 'is', null)
        .where('users.type', '<>', 'LOOP_USER')
        .orderBy('users.store_id')
        .orderBy('users.id')
        .limit(12)
        .execute(),
    { readOnly: true },
  );
  return {
    isDemo: users.length > 0,
    ...ways,
    users: users.map(user => ({
      userId: user.id,
      firstName: user.first_name,
      lastName: user.last_name,
      email: user.email,
      loopUserType: user.type,
      storeName: user.store_name,
      // Members differ by what they may change: the page tells them apart by it.
      canWrite: user.type !== 'MEMBER' || Object.values((user.permissions ?? {}) as Record<string, string>).includes('WRITE'),
    })),
  };
}

/**
 * Signs in as a user of a demo store, without any proof: only where this server is a demo, and only at its own address. @throws Refusal
 * 403, 404
 */
export async function demoSignIn(context: PublicContext, { userId }: { userId: number }): Promise<JsonObject> {
  requireDemo(context, t`This server has no demo users.`);
  return context.db.asSystem(async trx => {
    const user = await trx
      .selectFrom('users')
      .innerJoin('stores', 'stores.id', 'users.store_id')
      .select(['users.store_id', 'users.id'])
      .where('users.id', '=', userId)
      .where('stores.is_demo', '=', true)
      .where('users.removed_at', 'is', null)
      .where('users.type', '<>', 'LOOP_USER')
      .executeTakeFirst();
    if (!user) throw new Refusal(404, 'NOT_FOUND', t`This demo user does not exist.`);
    const { token, expiresAt } = await openSession(trx, user.store_id, user.id, context.config.tokenHours);
    return { token, expiresAt: expiresAt.toISOString() };
  });
}

/** A demo makes no more new stores than this: attempts to fill the disk find an end. */
const MAX_NEW_STORES = 500;

/**
 * Makes a store as it is on its first day, and signs in as its owner; `ref` names the merchant whose link led here. Only where this server
 * is a demo, at its own address. @throws Refusal 403, 404, 429
 */
export async function demoNewStore(
  context: PublicContext,
  { ref, widgetVersion }: { ref?: string; widgetVersion?: number } = {},
): Promise<JsonObject> {
  requireDemo(context, t`This server has no demo stores.`);
  await context.db.asSystem(trx => countAttempt(trx, { ip: context.ip }));
  return context.db.asSystem(async trx => {
    const { n } = await trx
      .selectFrom('stores')
      .select(count => count.fn.countAll().as('n'))
      .where(sql`details ->> 'demo'`, '=', NEW_STORE)
      .executeTakeFirstOrThrow();
    if (Number(n) >= MAX_NEW_STORES)
      throw new Refusal(
        429,
        'TOO_MANY_REQUESTS',
        t`This demo has made all the new stores it can. Choose a user of the demo store instead.`,
      );
    const made = await openNewStore(trx, context, widgetVersion);
    if (ref !== undefined) await joinByReferral(trx, context.definitions, made, ref);
    const { token, expiresAt } = await openSession(trx, made.storeId, made.userId, context.config.tokenHours);
    return { token, expiresAt: expiresAt.toISOString(), myshopifyDomain: made.domain, email: made.email };
  });
}

/**
 * Signs in as the owner of the demo store whose widget has this version. Only where this server is a demo, at its own address.
 * @throws Refusal 403, 404, 429
 */
export async function demoStore(context: PublicContext, { widgetVersion }: { widgetVersion: number }): Promise<JsonObject> {
  requireDemo(context, t`This server has no demo stores.`);
  await context.db.asSystem(trx => countAttempt(trx, { ip: context.ip }));
  const second = widgetVersion === 1 ? await secondStore(context.db, Object.keys(context.definitions.permissions)) : undefined;
  return context.db.asSystem(async trx => {
    const owner = await trx
      .selectFrom('users')
      .innerJoin('stores', 'stores.id', 'users.store_id')
      .select(['users.store_id', 'users.id'])
      .where('users.type', '=', 'OWNER')
      .where('users.removed_at', 'is', null)
      .where('stores.is_demo', '=', true)
      .where(second === undefined ? sql<boolean>`stores.details ->> 'demo' is null` : sql<boolean>`stores.id = ${second}::integer`)
      .orderBy('users.store_id')
      .executeTakeFirst();
    if (!owner) throw new Refusal(404, 'NOT_FOUND', t`This server has no demo stores.`);
    const { token, expiresAt } = await openSession(trx, owner.store_id, owner.id, context.config.tokenHours);
    return { token, expiresAt: expiresAt.toISOString() };
  });
}

/** Ends the session: its token is refused from now on. */
export async function logout(context: Context): Promise<JsonObject> {
  if (context.sessionKey)
    await sql`update sessions set revoked_at = now() where store_id = ${context.storeId}
        and token_hash = ${Buffer.from(context.sessionKey)} and revoked_at is null`.execute(context.trx);
  return { signedOut: true };
}
