// The demo's second store, whose theme has the widget of version 1 in its code. Made when a person first opens it, so that no start waits.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { SUBSCRIPTION_WIDGET } from '../themes/themes.ts';
import { seedStore } from './seed.ts';

/** How the details of that store say which it is. */
export const SECOND_STORE = 'SECOND_STORE';
const CONTRACTS = 24;
const NAME = 'Moss & Kettle';
const DOMAIN = 'mossandkettle.myshopify.com';
const COPPER = '#8A3F12';
const LOOK = {
  styles: {
    purchaseOptionSelected: { backgroundColor: '#FBF3EC', borderColor: COPPER },
    radio: { accentColor: COPPER },
    addToCartButton: { backgroundColor: COPPER },
  },
  texts: { purchaseOptionLabel: 'Once, or always in the house?' },
};

/** The number of the second store; it is made where it is not there yet. Safe to ask twice at once. */
export async function secondStore(db: Database, areas: readonly string[], now = Date.now()): Promise<number> {
  return db.asOwner(async trx => {
    await sql`select pg_advisory_xact_lock(hashtext(${SECOND_STORE}))`.execute(trx);
    return (await findSecondStore(trx)) ?? (await make(trx, areas, now));
  });
}

async function findSecondStore(trx: Kysely<Tables>): Promise<number | undefined> {
  const found = await trx
    .selectFrom('stores')
    .select('id')
    .where(sql`details ->> 'demo'`, '=', SECOND_STORE)
    .executeTakeFirst();
  return found?.id;
}

async function make(trx: Kysely<Tables>, areas: readonly string[], now: number): Promise<number> {
  const { id } = await trx
    .selectFrom('stores')
    .select(({ fn }) => sql<number>`${fn.max('id')} + 1`.as('id'))
    .executeTakeFirstOrThrow();
  await seedStore(trx, { id, name: NAME, domain: DOMAIN, email: 'hello@mossandkettle.example' }, { areas, contracts: CONTRACTS, now });
  const details: JsonObject = { widgetStatus: 'ACTIVE', demo: SECOND_STORE, hasSimulatedCustomers: true };
  await sql`update stores set storefront_widget_version = 1, details = details || ${JSON.stringify(details)}::jsonb
    where id = ${id}::integer`.execute(trx);
  await sql`update store_themes set name = 'Hearth', takes_blocks = false, snippets = array[${SUBSCRIPTION_WIDGET}::text]
    where store_id = ${id}::integer and role = 'MAIN'`.execute(trx);
  await sql`insert into settings (store_id, name, data, updated_by)
    values (${id}::integer, 'widget-design', ${JSON.stringify(LOOK)}::jsonb, 'amira@mossandkettle.example')`.execute(trx);
  return id;
}
