// Who is calling: the user (or the program), the store and the rights behind a token, read at most once a second.
import { sql, type Kysely } from 'kysely';
import type { Definitions, Session } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Owner } from '../http/tally.ts';
import { isApiToken, readApiToken, type ApiToken, type UserOfToken } from './api-tokens.ts';
import { planOf } from './store-plan.ts';
import { permissionsOf, RANK, shared, type UserType } from './permissions.ts';
import { hashToken, isToken, newToken } from './tokens.ts';

/** A person of a store's team with the store they work in. `session` holds no counts; the session call adds them. */
export interface Person {
  store: Store;
  user: { id: number; email: string; name: string; type: UserType };
  session: Session;
}

/** A signed-in person, or a program with a token of the store. */
export interface Caller extends Person {
  /** The hash of the token, by which the session is kept. */
  key: Buffer;
  /** Of a program: its token, which stands for no person. */
  token?: ApiToken;
}

/** As whom a caller's work counts where the machine's time is shared. */
export const ownerOf = ({ store, user }: { store: { id: number }; user: { id: number } }): Owner => ({
  person: `${store.id} ${user.id}`,
  store: String(store.id),
});

/** How long what was read stands for the next calls (ms): a right that was withdrawn elsewhere binds after it. */
const FRESH = 1000;
/** Not more often than this is a session marked as used (ms). */
const SEEN_EVERY = 60_000;
const MAX = 20_000;
/** How long a token that was found good tells its person apart from others (ms). */
const KNOWN_FOR = 3_600_000;

/** What a token is kept by. */
const nameOf = (key: Buffer): string => key.toString('base64url');

interface Entry {
  at: number;
  caller: Promise<Caller | undefined>;
  storeId?: number;
  seenAt: number;
}

export class Sessions {
  readonly #db: Database;
  readonly #hours: number;
  readonly #definitions: () => Definitions;
  readonly #entries = new Map<string, Entry>();
  /** The people of tokens that were found good, the one found last at the end. */
  readonly #known = new Map<string, { owner: Owner; at: number }>();
  /** Work that goes on after the answer. */
  readonly #background: (work: Promise<unknown>) => void;

  constructor(db: Database, hours: number, definitions: () => Definitions, background: (work: Promise<unknown>) => void) {
    this.#db = db;
    this.#hours = hours;
    this.#definitions = definitions;
    this.#background = background;
  }

  /** The caller behind a token; undefined when it is unknown, expired or revoked, or its user was removed. */
  async caller(token: string): Promise<Caller | undefined> {
    const isProgram = isApiToken(token);
    if (!isProgram && !isToken(token)) return undefined;
    const key = hashToken(token);
    const name = nameOf(key);
    let entry = this.#entries.get(name);
    const now = performance.now();
    if (!entry || now - entry.at > FRESH) {
      if (this.#entries.size > MAX) this.#entries.clear();
      const fresh: Entry = {
        at: now,
        caller: isProgram ? this.#readToken(key) : this.#read(key),
        seenAt: entry?.seenAt ?? Number.NEGATIVE_INFINITY,
      };
      this.#entries.set(name, (entry = fresh));
      fresh.caller.then(
        caller => {
          fresh.storeId = caller?.store.id;
          if (!caller) this.#entries.delete(name);
          this.#know(name, caller);
        },
        () => this.#entries.delete(name),
      );
    }
    const caller = await entry.caller;
    if (caller && now - entry.seenAt > SEEN_EVERY) {
      entry.seenAt = now;
      this.#background(this.#seen(caller));
    }
    return caller;
  }

  /**
   * The person and store of a token that was found good within the hour; undefined for every other, without a look into the database. It
   * tells callers apart where they wait and says nothing about their rights: the token may have been revoked since.
   */
  knownPerson(token: string): Owner | undefined {
    if (this.#known.size === 0 || !(isToken(token) || isApiToken(token))) return undefined;
    const known = this.#known.get(nameOf(hashToken(token)));
    return known && performance.now() - known.at < KNOWN_FOR ? known.owner : undefined;
  }

  #know(name: string, caller: Caller | undefined): void {
    this.#known.delete(name);
    if (!caller) return;
    this.#known.set(name, { owner: ownerOf(caller), at: performance.now() });
    if (this.#known.size <= MAX) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      break;
    }
  }

  /**
   * A person's session with those of their rights that a role of their store has too, for a look at the admin as its people see it.
   * @returns undefined where the store has no such role
   */
  async asRole(caller: Caller, roleId: string): Promise<Caller | undefined> {
    if (!/^\d{1,15}$/.test(roleId)) return undefined;
    const { rows } = await this.#db.inStore(
      caller.store.id,
      trx =>
        sql<{ data: { name: string; systemType: UserType | null; permissions: unknown } }>`select data from records
        where store_id = ${caller.store.id} and entity = 'role' and id = ${Number(roleId)} and deleted_at is null`.execute(trx),
      { readOnly: true },
    );
    const role = rows[0]?.data;
    if (!role) return undefined;
    const { user } = caller.session;
    const type = role.systemType ?? 'MEMBER';
    const given = permissionsOf(this.#definitions(), type, {}, role.systemType ? undefined : role.permissions);
    // A look at a larger role shows no more than the person may see anyway.
    const least = RANK[type] < RANK[user.loopUserType] ? type : user.loopUserType;
    const session = {
      ...caller.session,
      user: { ...user, loopUserType: least, permissions: shared(given, user.permissions) },
      rolePreview: { id: Number(roleId), name: role.name },
    };
    return { ...caller, user: { ...caller.user, type: least }, session };
  }

  /** Forgets what was read of a store (or of all), so that the next call reads it again. */
  forget(storeId?: number): void {
    for (const [name, entry] of this.#entries)
      if (storeId === undefined || entry.storeId === storeId || entry.storeId === undefined) this.#entries.delete(name);
  }

  async #read(key: Buffer): Promise<Caller | undefined> {
    return this.#db.asSystem(
      async trx => {
        const { rows } = await sql<Store & UserColumns>`
        select ${PERSON}
        from sessions s join users u on u.store_id = s.store_id and u.id = s.user_id join stores st on st.id = s.store_id
        where s.token_hash = ${key} and s.revoked_at is null and s.expires_at > now() and u.removed_at is null`.execute(trx);
        return rows[0] && { ...personOf(this.#definitions(), rows[0]), key };
      },
      { readOnly: true },
    );
  }

  async #readToken(key: Buffer): Promise<Caller | undefined> {
    return this.#db.asSystem(
      async trx => {
        const found = await readApiToken(trx, this.#definitions(), { hash: key }, (store, user) =>
          program(this.#definitions(), store, user),
        );
        return found && { ...found, key };
      },
      { readOnly: true },
    );
  }

  /** Marks the session as used and lets it live on; the lifetime counts from the last use, but never beyond ten lifetimes from sign-in. */
  async #seen(caller: Caller): Promise<void> {
    const { token, store } = caller;
    if (token) {
      await this.#db.inStore(store.id, trx =>
        sql`update api_tokens set last_used_at = now() + ${store.clock_offset_ms}::bigint * interval '1 millisecond'
          where store_id = ${store.id}::integer and id = ${token.id}::bigint`.execute(trx),
      );
      return;
    }
    await this.#db.inStore(caller.store.id, async trx => {
      await sql`update sessions set last_seen_at = now(), expires_at = least(now() + make_interval(secs => ${this.#hours * 3600}),
        created_at + make_interval(secs => ${this.#hours * 36_000}))
        where store_id = ${caller.store.id} and token_hash = ${caller.key} and revoked_at is null
          and last_seen_at < now() - interval '30 seconds'`.execute(trx);
      await sql`update users set last_active_at = now() where store_id = ${caller.store.id} and id = ${caller.user.id}`.execute(trx);
    });
  }
}

/** What of the joined rows of store (`st`) and user (`u`) makes a person. */
const PERSON = sql`st.*, u.id as user_id, u.shopify_id as user_shopify_id, u.email as user_email, u.first_name as user_first_name,
    u.last_name as user_last_name, u.type as user_type, u.permissions as user_permissions, u.role_permissions`;

/** What a program calls as, before its scopes say what it may. */
const program = (definitions: SessionDefinitions, store: Store, { id, name }: UserOfToken): Person =>
  personOf(definitions, {
    ...store,
    user_id: id,
    user_shopify_id: null,
    user_email: name,
    user_first_name: name,
    user_last_name: '',
    user_type: 'MEMBER',
    user_permissions: {},
    role_permissions: null,
  });

/**
 * A person of the team (or a token, by the id that stands for it) as they are now, for work that goes on for them; undefined when they were
 * removed. One query, in the store's transaction.
 */
export async function personNow(
  trx: Kysely<Tables>,
  definitions: SessionDefinitions,
  storeId: number,
  userId: number,
): Promise<Person | undefined> {
  if (userId < 0) return readApiToken(trx, definitions, { storeId, id: -userId }, (store, user) => program(definitions, store, user));
  return (await peopleNow(trx, definitions, storeId, [userId]))[0];
}

/** People of the team as they are now, by their ids; without ids all of them. Who was removed is not among them. */
export async function peopleNow(
  trx: Kysely<Tables>,
  definitions: SessionDefinitions,
  storeId: number,
  userIds?: readonly number[],
): Promise<Person[]> {
  const { rows } = await sql<Store & UserColumns>`select ${PERSON} from users u join stores st on st.id = u.store_id
    where u.store_id = ${storeId}::integer and u.removed_at is null
      and ${userIds ? sql`u.id = any(${[...userIds]}::bigint[])` : sql`true`} order by u.id`.execute(trx);
  return rows.map(row => personOf(definitions, row));
}

/** What of the definitions a session is made from. */
export type SessionDefinitions = Pick<Definitions, 'permissions' | 'plans' | 'common' | 'calls' | 'rates'>;

interface UserColumns {
  user_id: number;
  user_shopify_id: number | null;
  user_email: string;
  user_first_name: string;
  user_last_name: string;
  user_type: UserType;
  user_permissions: unknown;
  role_permissions: unknown;
}

const countries = new Intl.DisplayNames(['en'], { type: 'region' });
/** The name of a country; the code itself when it is none. */
export const countryName = (code: string): string => {
  try {
    return countries.of(code) ?? code;
  } catch {
    return code;
  }
};

/** The person of a joined row of store and user. */
function personOf(definitions: SessionDefinitions, row: Store & UserColumns): Person {
  const { user_id, user_shopify_id, user_email, user_first_name, user_last_name, user_type, user_permissions, role_permissions, ...store } =
    row;
  const details = (store.details ?? {}) as Record<string, unknown>;
  const session: Session = {
    user: {
      userId: user_id,
      firstName: user_first_name,
      lastName: user_last_name,
      email: user_email,
      loopUserType: user_type,
      userShopifyId: user_shopify_id,
      myshopifyDomain: store.myshopify_domain,
      storeId: store.id,
      permissions: permissionsOf(definitions, user_type, user_permissions, role_permissions),
    },
    store: {
      storeId: store.id,
      name: store.name,
      email: store.email,
      myshopify_domain: store.myshopify_domain,
      plan_name: store.plan_name,
      country_name: countryName(store.country_code),
      country_code: store.country_code,
      currency_code: store.currency_code,
      timezone: store.timezone,
      shop_owner: store.shop_owner,
      customer_count: 0,
      order_count: 0,
      createdAt: store.created_at.toISOString(),
      storefrontWidgetVersion: store.storefront_widget_version,
      isOnboardingFormComplete: store.onboarding !== null,
      isDemo: store.is_demo,
      now: new Date(Date.now() + store.clock_offset_ms).toISOString(),
      shop_data: (details.shop ?? {}) as Session['store']['shop_data'],
    },
    plan: planOf(definitions, store),
    scopes: store.scopes,
    featureSwitches: store.feature_switches,
    isReferralEligible: false,
    alertCount: 0,
    hasGiftWidget: false,
  };
  session.isReferralEligible = mayRefer(session.plan, Date.parse(session.store.now));
  return {
    store,
    user: { id: user_id, email: user_email, name: `${user_first_name} ${user_last_name}`.trim() || user_email, type: user_type },
    session,
  };
}

/** Stores on a paid plan for at least 30 days may refer others; trials may not (the rule is ours: none is public). */
export const mayRefer = (plan: Pick<Session['plan'], 'rank' | 'billing_plan_id' | 'createdAt'>, now: number): boolean =>
  plan.rank >= 2 && plan.billing_plan_id < 90 && now - Date.parse(plan.createdAt) >= 30 * 86_400_000;

/**
 * Opens a session for a user of a store and gives its token, the only time it exists in clear. The store's rows must be visible to `trx`.
 * `bySso`: its person came through the store's own sign-in service.
 */
export async function openSession(
  trx: Kysely<Tables>,
  storeId: number,
  userId: number,
  hours: number,
  bySso = false,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const { rows } = await sql<{ expires_at: Date }>`insert into sessions (store_id, token_hash, user_id, by_sso, expires_at)
    values (${storeId}, ${hashToken(token)}, ${userId}, ${bySso}, now() + make_interval(secs => ${hours * 3600}))
    returning expires_at`.execute(trx);
  return { token, expiresAt: (rows[0] as { expires_at: Date }).expires_at };
}
