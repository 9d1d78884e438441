// A store that a person opens at the sign-in page, where the server lets them. It has nothing but its owner, who comes in by a link that is
// sent to their address: who never does leaves nothing behind.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { CURRENCY_CODES } from '../../../domain/money/money.ts';
import { COUNTRIES } from '../../../domain/text/countries.ts';
import { t } from '../../../domain/text/t.ts';
import { openStore, type OpenedStore, type Opener } from '../../platform/auth/open-store.ts';
import { Refusal } from '../../platform/context.ts';
import type { Database } from '../../platform/db/database.ts';

export interface SignUp {
  storeName: string;
  firstName: string;
  lastName: string;
  email: string;
  countryCode: string;
  currencyCode: string;
  timezone: string;
  ref?: string;
}

/** How the details of such a store name it. */
const SIGN_UP = 'SIGN_UP';
/** Stores that no one entered so far: attempts to fill the database find an end. */
const MAX_UNENTERED = 500;
/** Days after which a store that no one entered is deleted. */
const UNENTERED_DAYS = 7;
/** Of stores `s`. */
const UNENTERED = `s.details ->> 'openedBy' = '${SIGN_UP}' and s.details ->> 'enteredAt' is null`;

/** What the platform would tell of a store, where there is none: nothing yet. */
const DETAILS = {
  widgetStatus: 'DRAFT',
  paymentProviders: [],
  checkoutProfiles: [],
  locations: [],
  shippingOptions: [],
  discountCodes: [],
  usdRates: {},
  openedBy: SIGN_UP,
};

const wrong = (field: keyof SignUp, message: string): Refusal =>
  new Refusal(422, 'VALIDATION_FAILED', message, [{ pointer: `/${field}`, rule: 'value', message }]);

/**
 * Opens the store in a transaction that belongs to none (asSystem). @throws Refusal 422 for a country, currency or time zone that there is
 * not; 429 where too many stores wait to be entered
 */
export async function openBySignUp(trx: Kysely<Tables>, server: Opener, given: SignUp): Promise<OpenedStore> {
  const { countryCode, currencyCode, timezone } = given;
  for (const field of ['storeName', 'firstName', 'lastName'] as const) if (!given[field].trim()) throw wrong(field, t`Enter a name.`);
  if (!COUNTRIES.includes(countryCode)) throw wrong('countryCode', t`There is no country ${countryCode}.`);
  if (!CURRENCY_CODES.includes(currencyCode)) throw wrong('currencyCode', t`There is no currency ${currencyCode}.`);
  if (!isZone(timezone)) throw wrong('timezone', t`There is no time zone ${timezone}.`);
  // Pressed again, also at once: the same store, and another link.
  await sql`select pg_advisory_xact_lock(hashtextextended('sign-up ' || lower(${given.email.trim()}), 0))`.execute(trx);
  const known = await sql<{ storeId: number; userId: number; domain: string; name: string }>`select s.id as "storeId", u.id as "userId",
      s.myshopify_domain as domain, s.name from stores s join users u on u.store_id = s.id and u.type = 'OWNER'
    where lower(s.email) = lower(${given.email.trim()}) and s.name = ${given.storeName.trim()} and ${sql.raw(UNENTERED)} limit 1`.execute(
    trx,
  );
  if (known.rows[0]) return { ...known.rows[0], email: given.email.trim() };
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from stores s where ${sql.raw(UNENTERED)}`.execute(trx);
  if ((rows[0]?.n ?? 0) >= MAX_UNENTERED)
    throw new Refusal(429, 'TOO_MANY_REQUESTS', t`Too many stores were opened in these days. Try again tomorrow.`);
  return openStore(trx, server, {
    ...given,
    name: given.storeName.trim(),
    firstName: given.firstName.trim(),
    lastName: given.lastName.trim(),
    email: given.email.trim(),
    details: DETAILS,
    isDemo: false,
  });
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // An offset is no zone: it knows no summer time.
    return !/^[+-]\d/.test(name);
  } catch {
    return false;
  }
}

/** The owner came in: the store stays. `trx` belongs to none. */
export const noteEntered = (trx: Kysely<Tables>, storeId: number): Promise<unknown> =>
  sql`update stores s set details = s.details || jsonb_build_object('enteredAt', now()) where s.id = ${storeId}::integer
    and ${sql.raw(UNENTERED)}`.execute(trx);

/** Deletes stores that no one entered within a week, with all that the server wrote for them. @returns how many */
export async function deleteUnentered(db: Database): Promise<number> {
  return db.asOwner(async trx => {
    const { rows } = await sql<{ id: number }>`select s.id from stores s where ${sql.raw(UNENTERED)}
      and s.created_at < now() - make_interval(days => ${UNENTERED_DAYS}) order by s.id limit 100 for update`.execute(trx);
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const { rows: tables } = await sql<{ name: string }>`select c.table_name as name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.column_name = 'store_id' order by c.table_name`.execute(trx);
    // All that the server writes for a store by itself hangs on the store or on its users.
    for (const { name } of tables) await sql`delete from ${sql.table(name)} where store_id = any(${ids}::integer[])`.execute(trx);
    await sql`delete from stores where id = any(${ids}::integer[])`.execute(trx);
    return ids.length;
  });
}
