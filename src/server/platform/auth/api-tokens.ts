// Tokens of programs: 32 hexadecimal digits that stand for a store and what their scopes open, and for no person.
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { USER_PERMISSION } from '../../../contract/access.ts';
import { areasOfScopes, type Scopes } from './scopes.ts';
import type { Definitions, Rate, Session } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { Refusal, type Store } from '../context.ts';
import { permissionsOf } from './permissions.ts';
import { t } from '../../../domain/text/t.ts';

export interface ApiToken {
  id: number;
  name: string;
  type: 'ADMIN' | 'STOREFRONT';
  scopes: Scopes;
}

/** A new token: 128 random bits (D102: 32 hexadecimal digits). */
export const newApiToken = (): string => randomBytes(16).toString('hex');
/** Whether a text has the form of an API token. */
export const isApiToken = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
/** What people see of a token: its last four digits. */
export const maskedToken = (token: string): string => `••••••••${token.slice(-4)}`;

/** What the token of a header stands for: `authorization`, or else `x-loop-token`. */
export function tokenIn(headers: { authorization?: string; 'x-loop-token'?: string | string[] }): string | undefined {
  const given = headers.authorization ?? headers['x-loop-token'];
  return typeof given === 'string' ? given : undefined;
}

/** The id that stands for a token where work notes for whom it is done: below zero, so that it is no person's. */
export const actingId = (tokenId: number): number => -tokenId;

interface TokenColumns {
  token_id: number;
  token_name: string;
  token_type: ApiToken['type'];
  token_scopes: Scopes;
}
export interface UserOfToken {
  id: number;
  /** What the account log and activities call it. */
  name: string;
}

/**
 * The active token of a hash, or of an id, with its store; undefined: there is none, or it was revoked. `personOf` makes a
 * member of the store, whose rights are replaced by those of the scopes.
 */
export async function readApiToken<Person extends { session: Session }>(
  trx: Kysely<Tables>,
  definitions: Pick<Definitions, 'permissions' | 'common' | 'calls' | 'rates'>,
  by: { hash: Buffer } | { storeId: number; id: number },
  personOf: (store: Store, user: UserOfToken) => Person,
): Promise<(Person & { token: ApiToken }) | undefined> {
  const found = 'hash' in by ? sql`t.token_hash = ${by.hash}` : sql`t.store_id = ${by.storeId}::integer and t.id = ${by.id}::bigint`;
  const { rows } = await sql<Store & TokenColumns>`
    select st.*, t.id as token_id, t.name as token_name, t.type as token_type, t.scopes as token_scopes
    from api_tokens t join stores st on st.id = t.store_id where ${found} and t.status = 'ACTIVE'`.execute(trx);
  if (!rows[0]) return undefined;
  const { token_id, token_name, token_type, token_scopes, ...store } = rows[0];
  const token: ApiToken = { id: token_id, name: token_name, type: token_type, scopes: token_scopes };
  const person = personOf(store, { id: actingId(token_id), name: token_name });
  const areas = areasOfScopes(definitions, token.scopes);
  const { session } = person;
  return {
    ...person,
    token,
    session: {
      ...session,
      // A token has single rights on every plan.
      plan: { ...session.plan, features: [...session.plan.features, USER_PERMISSION] },
      user: {
        ...session.user,
        permissions: permissionsOf(definitions, 'MEMBER', {}).map(area => ({ ...area, access: areas[area.permissionKey] ?? 'NO_ACCESS' })),
      },
    },
  };
}

/** "5 times in a second", as `rateWords` has it, in the language of the request. */
function timesIn({ requests, seconds }: Rate): string {
  if (seconds === 1) return requests === 1 ? t`once in a second` : t`${requests} times in a second`;
  return requests === 1 ? t`once in ${seconds} seconds` : t`${requests} times in ${seconds} seconds`;
}

/**
 * Takes one request off what a token has left: a count holds so many requests, and gets as many again evenly within so many seconds. The
 * count is the database's, so that it is one for all processes.
 * @throws Refusal 429 with the seconds until the next request, and nothing is taken
 */
export async function takeRequest(trx: Kysely<Tables>, storeId: number, tokenId: number, count: string, rate: Rate): Promise<void> {
  const step = rate.seconds / rate.requests;
  const { rows } = await sql<{ wait: number }>`
    insert into api_token_rates as r (store_id, token_id, count, free_at)
    values (${storeId}::integer, ${tokenId}::bigint, ${count}, clock_timestamp() + make_interval(secs => ${step}))
    on conflict (store_id, token_id, count) do update
      set free_at = greatest(r.free_at, clock_timestamp()) + make_interval(secs => ${step})
      where r.free_at <= clock_timestamp() + make_interval(secs => ${rate.seconds - step})
    returning 0 as wait`.execute(trx);
  if (rows.length) return;
  const { rows: full } = await sql<{ wait: number }>`
    select extract(epoch from free_at - clock_timestamp())::float8 - ${rate.seconds - step}::float8 as wait from api_token_rates
    where store_id = ${storeId}::integer and token_id = ${tokenId}::bigint and count = ${count}`.execute(trx);
  const often = timesIn(rate);
  throw new Refusal(
    429,
    'TOO_MANY_REQUESTS',
    count.includes('.')
      ? t`This token may make this call ${often}. Wait and try again.`
      : count === 'list'
        ? t`This token may make calls of lists ${often}. Wait and try again.`
        : t`This token may make calls ${often}. Wait and try again.`,
    undefined,
    undefined,
    Math.max(1, Math.ceil(full[0]?.wait ?? 1)),
  );
}
