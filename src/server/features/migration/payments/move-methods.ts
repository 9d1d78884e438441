// Checks accounts at providers and moves payment methods: what is waiting is asked of the provider one after another, between transactions,
// and what was answered is written once. A process that dies in between leaves it waiting.
import { act, type EngineContext, newIds, tellMethodAdded, transactIn, updateMethod } from '../../../engine/index.ts';
import { readSecret } from '../../../platform/outgoing/secrets.ts';
import type { Services } from '../../../platform/services.ts';
import { checkAccount, faultOf, ProviderFault, readMethod, type Account, type MovedMethod, type ProviderKey } from './providers.ts';

/** What the work needs of the server. */
export type MovingServices = Pick<Services, 'db' | 'definitions' | 'config' | 'outgoing' | 'secrets'>;

/** Works off what is waiting in a store. */
export async function moveWaiting(services: MovingServices, storeId: number, signal: AbortSignal): Promise<void> {
  while (await checkNext(services, storeId)) signal.throwIfAborted();
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const last = await moveNext(services, storeId, after);
    if (last === undefined) return;
    after = last;
  }
}

/** Asks about an account that is waiting. False: none is. */
async function checkNext(services: MovingServices, storeId: number): Promise<boolean> {
  const transact = transactIn(services, storeId);
  const waiting = await transact(async ({ trx }) => {
    const row = await trx
      .selectFrom('payment_providers')
      .select(['id', 'provider', 'account_id'])
      .where('store_id', '=', storeId)
      .where('status', '=', 'PENDING')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row && { id: row.id, account: await accountOf(services, trx, storeId, row) };
  });
  if (!waiting) return false;
  const fault = await faultIn(() => checkAccount(services, waiting.account));
  await transact(({ trx, now }) =>
    trx
      .updateTable('payment_providers')
      .set({
        status: fault ? 'NOT_CONNECTED' : 'CONNECTED',
        error: fault?.message ?? null,
        connected_at: fault ? null : now(),
        updated_at: now(),
      })
      .where('store_id', '=', storeId)
      .where('id', '=', waiting.id)
      .where('status', '=', 'PENDING')
      .execute(),
  );
  return true;
}

interface Waiting {
  id: number;
  provider: ProviderKey;
  customerId: number;
  tokens: { customer: string; payment: string };
  account: Account | undefined;
}

/** Moves the next method that is waiting; answers its id, or undefined where none is. */
async function moveNext(services: MovingServices, storeId: number, after: number): Promise<number | undefined> {
  const transact = transactIn(services, storeId);
  const waiting = await transact(async ({ trx }): Promise<Waiting | undefined> => {
    const row = await trx
      .selectFrom('payment_migrations')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('status', '=', 'PENDING')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const provider = await trx
      .selectFrom('payment_providers')
      .select(['id', 'provider', 'account_id'])
      .where('store_id', '=', storeId)
      .where('provider', '=', row.provider)
      .where('status', '=', 'CONNECTED')
      .executeTakeFirst();
    return {
      id: row.id,
      provider: row.provider as ProviderKey,
      customerId: row.customer_id,
      tokens: { customer: row.provider_customer_id, payment: row.provider_payment_id },
      account: provider && (await accountOf(services, trx, storeId, provider)),
    };
  });
  if (!waiting) return undefined;
  let method: MovedMethod | undefined;
  const fault = await faultIn(async () => {
    if (!waiting.account) throw faultOf(waiting.provider, 'GATEWAY_NOT_ENABLED');
    method = await readMethod(services, waiting.account, waiting.tokens);
  });
  await transact(context => settle({ ...context, mails: 'NONE' }, waiting, method, fault));
  return waiting.id;
}

/** Writes what was answered, in one transaction: the method, once, and the subscriptions that have none. */
async function settle(context: EngineContext, waiting: Waiting, method: MovedMethod | undefined, fault: ProviderFault | undefined) {
  const { trx, storeId, now } = context;
  const row = await trx
    .selectFrom('payment_migrations')
    .select(['id', 'payment_method_id'])
    .where('store_id', '=', storeId)
    .where('id', '=', waiting.id)
    .where('status', '=', 'PENDING')
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const methodId = method ? (row.payment_method_id ?? (await keepMethod(context, waiting, method))) : null;
  await trx
    .updateTable('payment_migrations')
    .set({
      status: methodId === null ? 'FAILED' : 'IMPORTED',
      reason: fault?.reason ?? null,
      error: fault?.message ?? null,
      payment_method_id: methodId,
      updated_at: now(),
    })
    .where('store_id', '=', storeId)
    .where('id', '=', waiting.id)
    .execute();
  if (methodId === null) return;
  const contracts = await trx
    .selectFrom('contracts')
    .select('id')
    .where('store_id', '=', storeId)
    .where('customer_id', '=', waiting.customerId)
    .where('payment_method_id', 'is', null)
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .where('dunning', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of contracts)
    await act(context, id, { action: 'updatePaymentMethod' }, (work, subscription) =>
      updateMethod(work, subscription, { customerPaymentMethodId: methodId }),
    );
}

/** The token says whose it is: the provider of before goes on charging it until the customer enters a new method. */
async function keepMethod(context: EngineContext, waiting: Waiting, method: MovedMethod): Promise<number> {
  const { trx, storeId, now } = context;
  const [id] = (await newIds(trx, 'payment_methods', 1)) as [number];
  await trx
    .insertInto('payment_methods')
    .values({
      store_id: storeId,
      id,
      shopify_id: `moved-${id}`,
      customer_id: waiting.customerId,
      type: method.type,
      brand: method.brand,
      last_digits: method.lastDigits,
      name: method.name,
      expiry_month: method.expiryMonth,
      expiry_year: method.expiryYear,
      paypal_account_email: method.paypalEmail,
      gateway_token: `moved_${waiting.provider.toLowerCase()}:${waiting.tokens.customer}:${waiting.tokens.payment}`,
      created_at: now(),
      updated_at: now(),
    })
    .execute();
  await tellMethodAdded(context, { id, customer_id: waiting.customerId, brand: method.brand, last_digits: method.lastDigits });
  return id;
}

async function accountOf(
  { secrets }: MovingServices,
  trx: EngineContext['trx'],
  storeId: number,
  row: { id: number; provider: string; account_id: string },
): Promise<Account> {
  const key = await readSecret({ trx, secrets }, { storeId, table: 'payment-provider', column: 'apiKey', id: row.id });
  return { provider: row.provider as ProviderKey, id: row.account_id, key: key ?? '' };
}

async function faultIn(work: () => Promise<void>): Promise<ProviderFault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ProviderFault) return error;
    throw error;
  }
}

/** A payment method as a file names it. */
export interface NamedMethod {
  provider: ProviderKey;
  customer: string;
  payment: string;
}
/**
 * Keeps methods that are to be moved. One that was moved already is looked at again, for subscriptions that have none.
 */
export async function keepWaiting(
  { trx, storeId, now }: Pick<EngineContext, 'trx' | 'storeId' | 'now'>,
  methods: readonly (NamedMethod & { customerId: number })[],
  by: string,
): Promise<void> {
  const rows = new Map(methods.map(one => [`${one.customerId} ${one.provider} ${one.payment}`, one]));
  if (rows.size === 0) return;
  await trx
    .insertInto('payment_migrations')
    .values(
      [...rows.values()].map(({ customerId, provider, customer, payment }) => ({
        store_id: storeId,
        customer_id: customerId,
        provider,
        provider_customer_id: customer,
        provider_payment_id: payment,
        created_by: by,
        created_at: now(),
        updated_at: now(),
      })),
    )
    .onConflict(conflict =>
      conflict
        .columns(['store_id', 'customer_id', 'provider', 'provider_payment_id'])
        .doUpdateSet({ status: 'PENDING', updated_at: now() }),
    )
    .execute();
}
