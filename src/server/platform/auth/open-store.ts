// A store comes into being: its row and its owner, in one transaction.
import { sql, type Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import { SWITCHES_OF_NEW_STORES } from '../../../contract/switches.ts';
import type { Definitions } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';

/** What a store is opened with. */
export interface Opening {
  name: string;
  /** What its domain begins with; made of the name where it is left out. A few random letters make it one of its own. */
  handle?: string;
  /** Of the owner, also the store's first address. */
  email: string;
  firstName: string;
  lastName: string;
  /** ISO 3166, ISO 4217, IANA. */
  countryCode: string;
  currencyCode: string;
  timezone: string;
  widgetVersion?: number;
  /** What the platform tells of it. */
  details: object;
  isDemo: boolean;
}

/** What a platform grants a store that gives all that is asked for, and what is there where no platform has to grant it. */
export const SCOPES = [
  'read_products',
  'write_products',
  'read_own_subscription_contracts',
  'write_own_subscription_contracts',
  'read_customers',
  'write_customers',
  'read_orders',
  'write_orders',
  'write_cart_transforms',
  'write_validations',
] as const;

export interface OpenedStore {
  name: string;
  storeId: number;
  userId: number;
  domain: string;
  email: string;
}

/** What every store begins with, written in the transaction that opens it. All of it can be changed and deleted. Features: new-store.ts. */
export type Beginning = (trx: Kysely<Tables>, definitions: Definitions, opened: OpenedStore, widgetVersion: number) => Promise<void>;
/** What of a server opening a store takes. */
export interface Opener {
  readonly definitions: Definitions;
  readonly beginnings: readonly Beginning[];
}

/** The letters and digits of a name, as domains have them: "Café Müller" -> "cafe-muller". */
const handleOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'store';

/**
 * Opens a store on the free plan, with its owner and what every store begins with, in a transaction that belongs to none (asSystem); from
 * then on the transaction belongs to the store, as every other that writes its rows.
 */
export async function openStore(trx: Kysely<Tables>, { definitions, beginnings }: Opener, opening: Opening): Promise<OpenedStore> {
  const { name, email, firstName, lastName, widgetVersion = 2 } = opening;
  const domain = `${opening.handle ?? handleOf(name)}-${randomBytes(4).toString('hex')}.myshopify.com`;
  const { id: storeId } = await trx
    .insertInto('stores')
    .values({
      myshopify_domain: domain,
      name,
      email,
      shop_owner: `${firstName} ${lastName}`.trim(),
      country_code: opening.countryCode,
      currency_code: opening.currencyCode,
      timezone: opening.timezone,
      plan_name: 'basic',
      billing_plan_id: 1,
      storefront_widget_version: widgetVersion,
      scopes: [...SCOPES],
      feature_switches: [...SWITCHES_OF_NEW_STORES],
      onboarding: null,
      details: JSON.stringify(opening.details),
      is_demo: opening.isDemo,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`select set_config('app.store', ${String(storeId)}, true)`.execute(trx);
  const { id: userId } = await trx
    .insertInto('users')
    .values({ store_id: storeId, email, first_name: firstName, last_name: lastName, type: 'OWNER', permissions: JSON.stringify({}) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const opened = { name, storeId, userId, domain, email };
  for (const begin of beginnings) await begin(trx, definitions, opened, widgetVersion);
  return opened;
}
