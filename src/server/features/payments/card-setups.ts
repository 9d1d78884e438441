// A card that a customer enters on the payment provider's own page: written down, entered there, then stored and charged from then on. Who
// comes back, an event of the provider and the job that looks every few minutes all settle it here, once.
import { sql } from 'kysely';
import type { GatewayName } from '../../platform/gateway/gateway.ts';
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import type { PageState } from '../../platform/gateway/hosted-pages.ts';
import type { Services } from '../../platform/services.ts';
import { addCard, type EngineContext, isErased, type PendingCharge, transactIn } from '../../engine/index.ts';
import { othersOf, payAllBy } from './pay-by.ts';

export type SetupServices = Pick<Services, 'db' | 'definitions' | 'config' | 'hostedPages'>;

export interface Setup {
  id: number;
  gateway: GatewayName;
  contractId: number;
  customerId: number;
  others: boolean;
  reference: string | null;
  status: 'OPEN' | 'DONE' | 'ENDED';
}
/** `isUsed`: the subscription is paid by the card from now on; `charges` are written down, and taken by the caller that settles it. */
export type Settled = Exclude<PageState, { is: 'DONE' }> | { is: 'DONE'; isUsed: boolean; charges: PendingCharge[] };

const SETUP = sql`id, gateway, contract_id as "contractId", customer_id as "customerId", others, reference, status`;
const keyOf = (storeId: number, { id }: Pick<Setup, 'id'>): string => `card-${storeId}-${id}`;

/** The page of a subscription that is open, or a new one: pressed twice, there is one. */
export async function beginSetup(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  { gateway, contractId, customerId, others }: Pick<Setup, 'gateway' | 'contractId' | 'customerId' | 'others'>,
): Promise<Setup> {
  const { rows } = await sql<Setup>`insert into card_setups (store_id, gateway, contract_id, customer_id, others)
      values (${storeId}::integer, ${gateway}, ${contractId}::bigint, ${customerId}::bigint, ${others}::boolean)
    on conflict (store_id, contract_id) where status = 'OPEN' do update set others = excluded.others, customer_id = excluded.customer_id
    returning ${SETUP}`.execute(trx);
  return rows[0] as Setup;
}

/** A setup by its number; undefined where there is none. */
export async function setupOf({ trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>, id: number): Promise<Setup | undefined> {
  const { rows } = await sql<Setup>`select ${SETUP} from card_setups where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(
    trx,
  );
  return rows[0];
}

/** The setup whose page the provider calls so; undefined where there is none. */
export async function setupByReference(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  reference: string,
): Promise<Setup | undefined> {
  const { rows } = await sql<Setup>`select ${SETUP} from card_setups where store_id = ${storeId}::integer
    and reference = ${reference}`.execute(trx);
  return rows[0];
}

/**
 * Opens the provider's page for a setup that is written down. `back`: the address that the customer comes back to, to which `setup=<id>`
 * and "left" are added. No transaction is open meanwhile. @throws NoOutcome, OutgoingError where the provider gives no page
 */
export async function openSetup(
  services: SetupServices,
  storeId: number,
  { setup, back, language }: { setup: Setup; back: string; language: string },
): Promise<Settled> {
  if (setup.reference !== null) return settleSetup(services, storeId, setup);
  const transact = transactIn(services, storeId);
  const customer = await transact(context => customerOf(context, setup.customerId));
  if (!customer) return { is: 'ENDED' };
  const to = (more: Record<string, string>): string => {
    const url = new URL(back);
    for (const [name, value] of Object.entries({ setup: String(setup.id), ...more })) url.searchParams.set(name, value);
    return url.href;
  };
  const opened = await services.hostedPages.openPage({
    storeId,
    gateway: setup.gateway,
    key: keyOf(storeId, setup),
    customer,
    doneUrl: to({}),
    leftUrl: to({ left: '1' }),
    language,
  });
  await transact(({ trx }) =>
    trx
      .updateTable('card_setups')
      .set({ reference: opened.reference, provider_customer: opened.customer })
      .where('store_id', '=', storeId)
      .where('id', '=', setup.id)
      .execute(),
  );
  return { is: 'OPEN', url: opened.url };
}

/** The customer, with the name that the provider gave them before. Undefined where they were erased. */
async function customerOf(
  { trx, storeId }: EngineContext,
  customerId: number,
): Promise<{ reference: string | null; email: string; name: string } | undefined> {
  const { rows } = await sql<{ email: string; name: string; reference: string | null }>`
    select email, name, coalesce(
      (select s.provider_customer from card_setups s where s.store_id = c.store_id and s.customer_id = c.id
        and s.provider_customer is not null order by s.id desc limit 1),
      (select split_part(m.gateway_token, ':', 2) from payment_methods m where m.store_id = c.store_id and m.customer_id = c.id
        and m.gateway_token like 'moved\\_stripe:_%:%' order by m.id desc limit 1)) as reference
    from customers c where store_id = ${storeId}::integer and id = ${customerId}::bigint`.execute(trx);
  const [row] = rows;
  return row && !isErased(row.email) ? row : undefined;
}

/** Looks at the provider's page and stores the card that was entered there, once. @throws NoOutcome, OutgoingError without an answer */
export async function settleSetup(services: SetupServices, storeId: number, setup: Setup): Promise<Settled> {
  if (setup.status !== 'OPEN') return over(setup.status);
  if (setup.reference === null) return { is: 'ENDED' };
  const { gateway, reference } = setup;
  const state = await services.hostedPages.pageState({ storeId, gateway, key: keyOf(storeId, setup), reference });
  if (state.is === 'OPEN') return state;
  return transactIn(services, storeId)(context => finish({ ...context, source: 'Customer portal' }, setup, state));
}
const over = (status: 'DONE' | 'ENDED'): Settled => (status === 'DONE' ? { is: 'DONE', isUsed: true, charges: [] } : { is: 'ENDED' });

async function finish(context: EngineContext, { id }: Setup, state: Exclude<PageState, { is: 'OPEN' }>): Promise<Settled> {
  const { trx, storeId } = context;
  const { rows } = await sql<Setup>`select ${SETUP} from card_setups where store_id = ${storeId}::integer and id = ${id}::bigint
    for update`.execute(trx);
  const [setup] = rows;
  if (!setup) return { is: 'ENDED' };
  if (setup.status !== 'OPEN') return over(setup.status);
  const { contractId, customerId, others } = setup;
  const isThere = state.is === 'DONE' && (await customerOf(context, customerId)) !== undefined;
  const methodId = isThere ? await keepCard(context, customerId, state.card) : null;
  await trx
    .updateTable('card_setups')
    .set({ status: isThere ? 'DONE' : 'ENDED', payment_method_id: methodId, settled_at: new Date() })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
  if (methodId === null) return { is: 'ENDED' };
  const ids = [contractId, ...(others ? await othersOf(context, { id: contractId, customerId }) : [])];
  const { charges, changed } = await payAllBy(context, ids, methodId);
  return { is: 'DONE', isUsed: changed.includes(contractId), charges };
}

/** The method that a card is; the same card of the provider is one. */
async function keepCard(context: EngineContext, customerId: number, card: Vaulted): Promise<number> {
  const known = await context.trx
    .selectFrom('payment_methods')
    .select('id')
    .where('store_id', '=', context.storeId)
    .where('customer_id', '=', customerId)
    .where('gateway_token', '=', card.token)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return known?.id ?? addCard(context, customerId, card);
}
