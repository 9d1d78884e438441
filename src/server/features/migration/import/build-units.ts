// Makes contracts of units: in memory and forgotten (a dry run), or written. Both go the same way, so that what the one finds wrong the
// other refuses.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { lockEmails, newCustomerRow } from '../../customers/new-customer.ts';
import type { Address } from '../../../../domain/places/address.ts';
import {
  type Aggregate,
  buildContract,
  cancel,
  type CustomerRow,
  type EngineContext,
  insertMany,
  type MethodRow,
  newIds,
  optionsFor,
  pause,
  readCatalogue,
  type SoldVariant,
  UnitOfWork,
  updateShippingDetails,
} from '../../../engine/index.ts';
import { keepWaiting, type NamedMethod } from '../payments/move-methods.ts';
import { problemsOf } from './problems.ts';
import type { ImportUnit } from './read-file.ts';
import { readUnit, type ReadUnit, type RowProblem } from './read-unit.ts';

/** What became of a unit, or what would. */
export type UnitOutcome =
  | { unit: ImportUnit; status: 'FAILED'; problems: RowProblem[] }
  | { unit: ImportUnit; status: 'SKIPPED'; contractId: number }
  | { unit: ImportUnit; status: 'MADE'; contractId: number; /** Where it made the customer. */ customerId: number | null };

/** Where imported contracts come from. */
const SOURCE = 'MIGRATION';

/**
 * Makes the contracts of units. `rehearse`: none is written, and ids that are given out mean nothing. A unit that is refused leaves no
 * trace; one whose external id is known is left alone. Sends no e-mail and asks no customer for a card.
 * `by`: who imports.
 */
export async function buildUnits(
  context: EngineContext,
  units: readonly ImportUnit[],
  { rehearse, by }: { rehearse: boolean; by: string },
): Promise<UnitOutcome[]> {
  const { trx, storeId, store } = context;
  const found = units.map(unit => ({ unit, ...readUnit(unit, store.currency_code, store.timezone) }));
  const readable = found.flatMap(({ read }) => read ?? []);
  const emails = [...new Set(readable.map(read => read.customer.email.toLowerCase()))];
  if (!rehearse) await lockEmails(trx, storeId, emails);
  const [known, customers, catalogue] = [
    await contractsBy(
      context,
      units.map(unit => unit.externalId),
    ),
    await customersBy(context, emails),
    await readCatalogue(context, namesOf(readable)),
  ];
  const methods = await methodsOf(
    context,
    [...customers.values()].map(one => one.id),
  );
  const work = await UnitOfWork.open({ ...context, mails: 'NONE', catalogue });
  const ids = await idsFor(context, units, rehearse);
  work.ids.give('contracts', ids.contracts);
  work.ids.give('contract_lines', ids.lines);
  work.ids.give('contract_discounts', ids.discounts);
  const bySku = groupBySku(catalogue.byId.values());

  const outcomes: UnitOutcome[] = [];
  const made = new Map<string, { customer: CustomerRow; address: Address | undefined }>();
  const payments: (NamedMethod & { customerId: number })[] = [];
  const yieldTurn = yieldToEventLoop();
  for (const { unit, read, problems } of found) {
    await yieldTurn();
    const there = known.get(unit.externalId);
    if (there !== undefined) {
      outcomes.push({ unit, status: 'SKIPPED', contractId: there });
      continue;
    }
    if (!read) {
      outcomes.push({ unit, status: 'FAILED', problems });
      continue;
    }
    const key = read.customer.email.toLowerCase();
    const old = customers.get(key) ?? made.get(key)?.customer;
    const customer = old ?? freshCustomer(context, ids.customers.shift() as number, read);
    const mark = work.mark();
    try {
      const lines = read.lines.map((line, i) => ({
        ...variantOf(line.variant, catalogue, bySku, i),
        quantity: line.quantity,
        ...(line.price === undefined ? {} : { price: line.price }),
      }));
      const subscription = await buildContract(
        work,
        { ...read.contract, lines },
        {
          customer,
          methods: methods.get(customer.id) ?? [],
          source: SOURCE,
          completedOrders: read.completedOrders,
          externalId: read.externalId,
        },
      );
      finish(work, subscription, read);
      if (!old) made.set(key, { customer, address: subscription.contract.shipping_address as Address | undefined });
      if (read.payment) payments.push({ ...read.payment, customerId: customer.id });
      outcomes.push({ unit, status: 'MADE', contractId: subscription.contract.id, customerId: old ? null : customer.id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      work.forget(mark);
      outcomes.push({ unit, status: 'FAILED', problems: problemsOf(error, unit) });
    }
  }
  if (rehearse) return outcomes;
  await insertMany(
    trx,
    'customers',
    [...made.values()].map(({ customer }) => customer),
  );
  await insertMany(
    trx,
    'customer_addresses',
    [...made.values()].flatMap(({ customer, address }) =>
      address ? { store_id: storeId, customer_id: customer.id, is_default: true, address } : [],
    ),
  );
  await work.flush();
  await keepWaiting(context, payments, by);
  return outcomes;
}

/** What the engine does not ask of a contract made by hand: the name of its delivery, and that it doesn't run. */
function finish(work: UnitOfWork, subscription: Aggregate, read: ReadUnit): void {
  if (read.shippingTitle) nameDelivery(work, subscription, read.shippingTitle, read.contract.deliveryPrice !== undefined);
  if (read.status === 'PAUSED') pause(work, subscription, null);
  if (read.status === 'CANCELLED') cancel(work, subscription, { reason: null, comment: null, source: 'MERCHANT', notifyCustomer: false });
}

/** The way of shipping by its name; one that the store does not offer keeps the name it had. */
function nameDelivery(work: UnitOfWork, subscription: Aggregate, title: string, keepShippingPrice: boolean): void {
  const address = subscription.contract.shipping_address as Address | null;
  const option = optionsFor(work, subscription, address).find(
    one => one.type === 'SHIPPING' && one.title.toLowerCase() === title.toLowerCase(),
  );
  const method = subscription.contract.delivery_method as { type: string; shipping?: { shippingOption: object } } | null;
  if (method?.type !== 'SHIPPING' || !method.shipping || !address) return;
  if (option) {
    const notes = work.notes.length;
    updateShippingDetails(work, subscription, { address, optionCode: option.code, keepShippingPrice });
    work.clearNotes(notes);
    return;
  }
  const shippingOption = { ...method.shipping.shippingOption, title, presentmentTitle: title };
  subscription.contract.delivery_method = { ...method, shipping: { ...method.shipping, shippingOption } };
}

const namesOf = (readable: readonly ReadUnit[]) => {
  const variants = readable.flatMap(read => read.lines.map(line => line.variant));
  const ids = variants.flatMap(one => one.id ?? []);
  return { ids, shopifyIds: ids, skus: variants.flatMap(one => one.sku ?? []) };
};

function groupBySku(variants: Iterable<SoldVariant>): Map<string, SoldVariant[]> {
  const found = new Map<string, SoldVariant[]>();
  for (const variant of variants)
    if (variant.sku && !variant.deleted_at) found.set(variant.sku, [...(found.get(variant.sku) ?? []), variant]);
  return found;
}

/** The variant that a row names. The platform's id counts before ours: files of other apps have the former. @throws Refusal 422 */
function variantOf(
  named: { id?: number; sku?: string },
  { byId, byShopifyId }: { byId: ReadonlyMap<number, SoldVariant>; byShopifyId: ReadonlyMap<number, SoldVariant> },
  bySku: ReadonlyMap<string, SoldVariant[]>,
  index: number,
): { variantId: number } {
  const refuse = (field: 'variantId' | 'sku', message: string) =>
    new Refusal(422, 'VALIDATION', message, [{ pointer: `/lines/${index}/${field}`, rule: 'PRODUCT_VARIANT_DOES_NOT_EXIST', message }]);
  if (named.id !== undefined) {
    const variant = byShopifyId.get(named.id) ?? byId.get(named.id);
    if (!variant)
      throw refuse(
        'variantId',
        `Your store has no product variant ${named.id}. Import the product first, or write the id of another variant.`,
      );
    return { variantId: variant.id };
  }
  const [variant, second] = bySku.get(named.sku ?? '') ?? [];
  if (!variant) throw refuse('sku', `Your store has no product with the SKU “${named.sku}”. Import it first, or write another SKU.`);
  if (second) throw refuse('sku', `Several products have the SKU “${named.sku}”. Write the id of the variant instead.`);
  return { variantId: variant.id };
}

async function contractsBy({ trx, storeId }: EngineContext, externalIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; external_id: string }>`select id, external_id from contracts
    where store_id = ${storeId}::integer and external_id = any(${externalIds.filter(Boolean)}::text[])`.execute(trx);
  return new Map(rows.map(row => [row.external_id, row.id]));
}

/** Customers by their e-mail address in small letters; of several with the same the first. */
async function customersBy({ trx, storeId }: EngineContext, emails: readonly string[]): Promise<Map<string, CustomerRow>> {
  const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${storeId}::integer
    and lower(email) = any(${emails}::text[]) and erased_at is null order by id desc for key share`.execute(trx);
  return new Map(rows.map(row => [row.email.toLowerCase(), row]));
}

async function methodsOf({ trx, storeId }: EngineContext, customerIds: readonly number[]): Promise<Map<number, MethodRow[]>> {
  const { rows } = await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer
    and customer_id = any(${customerIds}::bigint[]) order by id`.execute(trx);
  const found = new Map<number, MethodRow[]>();
  for (const row of rows) found.set(row.customer_id, [...(found.get(row.customer_id) ?? []), row]);
  return found;
}

interface Ids {
  contracts: number[];
  lines: number[];
  discounts: number[];
  customers: number[];
}
async function idsFor({ trx }: EngineContext, units: readonly ImportUnit[], rehearse: boolean): Promise<Ids> {
  const rows = units.reduce((sum, unit) => sum + unit.rows.length, 0);
  if (rehearse) {
    const some = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
    return { contracts: some(units.length), lines: some(rows), discounts: some(units.length), customers: some(units.length).map(n => -n) };
  }
  return {
    contracts: await newIds(trx, 'contracts', units.length),
    lines: await newIds(trx, 'contract_lines', rows),
    discounts: [],
    customers: await newIds(trx, 'customers', units.length),
  };
}

/** A customer as the engine looks at one. */
const freshCustomer = ({ storeId, store, now }: EngineContext, id: number, { customer }: ReadUnit): CustomerRow =>
  newCustomerRow(storeId, id, { ...customer, countryCode: customer.countryCode ?? store.country_code }, now()) as CustomerRow;
