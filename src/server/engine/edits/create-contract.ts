// Creating a contract by hand.
import { isErased, refuseErased } from '../erased.ts';
import { sql } from 'kysely';
import { CURRENCY_CODES } from '../../../domain/money/money.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { FieldError } from '../../../contract/types.ts';
import { invalid, Refusal } from '../../platform/context.ts';
import { aggregateOf, isUsable, type Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import {
  savedAddress,
  shipAs,
  shippingPriceOf,
  updateToLocalDelivery,
  updateToPickup,
  updateToShipping,
} from '../delivery/contract-delivery.ts';
import { addDiscount } from './discounts.ts';
import { policyErrors, type BillingPolicy } from './frequency.ts';
import { mustStayChargeable } from '../largest-order.ts';
import { makeLine } from './lines.ts';
import { priceOf, priceVariant, quantityOf, saleable, type Pricing } from './line-prices.ts';
import { mailCreated } from '../mails.ts';
import type { NewContract } from './new-contract.ts';
import { policyFor } from './plan-of-contract.ts';
import { requestUpdate } from './payment-methods.ts';
import { adoptSchedule } from './order-schedule.ts';
import { frequencyOf } from '../price.ts';
import { hasRate } from '../../platform/records/exchange-rates.ts';
import type { ContractRow, CustomerRow, MethodRow } from '../rows.ts';
import { deliveriesPerCharge, onChosenDay, syncSchedule } from '../schedule.ts';
import { epoch } from '../status.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { t } from '../../../domain/text/t.ts';
import { uniqueTags } from '../../../domain/text/tags.ts';

/** The platform's id of a contract that we made ourselves. */
const platformId = (id: number): number => 12_000_000_000 + id;

/** Where a contract comes from, by the part of the product that makes it; the admin where nothing is named. */
const SOURCES: Partial<Record<EngineContext['source'], string>> = { API: 'API', Shopify: 'CHECKOUT' };

/** @throws Refusal 409 for one who was erased, 422 for one who is not there */
export async function customerOf(
  { trx, storeId }: EngineContext,
  input: Pick<NewContract, 'customerId' | 'customerShopifyId'>,
): Promise<CustomerRow> {
  const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${storeId}::integer
        and ${
          input.customerId === undefined
            ? sql`shopify_id = ${input.customerShopifyId ?? 0}::bigint`
            : sql`id =
          ${input.customerId}::bigint`
        } for key share`.execute(trx);
  if (!rows[0])
    throw invalid([
      {
        pointer: input.customerId === undefined ? '/customerShopifyId' : '/customerId',
        rule: 'CUSTOMER_DOES_NOT_EXIST',
        message: t`This customer doesn't exist.`,
      },
    ]);
  if (isErased(rows[0].email)) throw refuseErased();
  return rows[0];
}

/**
 * Creates an active contract; its first order is due on the day given. `letters`: the e-mails it sends.
 * @throws Refusal 422 with every field that is wrong
 */
export async function createContract(
  context: EngineContext,
  given: NewContract,
): Promise<{ subscription: Aggregate; work: UnitOfWork; letters: { recipient: string; subject: string }[] }> {
  const work = await UnitOfWork.open(context);
  const customer = await customerOf(context, given);
  const methods = (
    await sql<MethodRow>`select * from payment_methods where store_id = ${context.storeId}::integer and customer_id = ${customer.id}::bigint
        order by id`.execute(context.trx)
  ).rows;
  const subscription = await buildContract(work, given, { customer, methods, source: SOURCES[context.source] ?? 'ADMIN' });
  mailCreated(work, subscription, given.sendEmail ?? false);
  if (!given.paymentMethodId) await requestUpdate(work, subscription);
  const letters = work.letters.map(one => ({ ...one }));
  await work.flush();
  return { subscription, work, letters };
}

/** What a new contract is made of besides its input: whose it is, and where it comes from. */
export interface ContractBasis {
  customer: CustomerRow;
  /** All payment methods of the customer. */
  methods: MethodRow[];
  source: string;
  /** Orders that were placed elsewhere before; its prices and its end count them. */
  completedOrders?: number;
  /** What the app it comes from calls it. */
  externalId?: string;
}

/**
 * Makes a contract in memory, with all checks and the note of its beginning; the caller writes the work, or forgets it.
 * @throws Refusal 422 with every field that is wrong
 */
export async function buildContract(work: UnitOfWork, given: NewContract, basis: ContractBasis): Promise<Aggregate> {
  const { context } = work;
  const { billing, delivery } = await policyFor(context, given);
  const input = { ...given, billingPolicy: billing };
  const { storeId, store } = context;
  const { customer, methods } = basis;
  const currency = input.currencyCode ?? store.currency_code;
  const due = onChosenDay(new Date(input.nextBillingDateEpoch * 1000), work.zone, work.settings.billingHour, null);

  const errors: FieldError[] = policyErrors(input.billingPolicy, delivery);
  if (due <= work.at)
    errors.push({ pointer: '/nextBillingDateEpoch', rule: 'INVALID_BILLING_DATE', message: t`Choose a date in the future.` });
  if (input.lines.length === 0 && !input.besides)
    errors.push({ pointer: '/lines', rule: 'INVALID_LINES', message: t`Add at least one product.` });
  if (!CURRENCY_CODES.includes(currency) || !hasRate(store, currency))
    errors.push({ pointer: '/currencyCode', rule: 'CURRENCY_NOT_ENABLED', message: t`The store doesn't sell in ${currency}.` });
  const method = methods.find(one => one.id === input.paymentMethodId);
  if (!input.paymentMethodId) {
    if (!input.askForPaymentMethod)
      errors.push({
        pointer: '/paymentMethodId',
        rule: 'required',
        message: t`Choose a payment method, or ask the customer for one.`,
      });
  } else if (!method)
    errors.push({ pointer: '/paymentMethodId', rule: 'CUSTOMER_MISMATCH', message: t`This payment method belongs to another customer.` });
  else if (!isUsable(method, work))
    errors.push({
      pointer: '/paymentMethodId',
      rule: 'INVALID_PAYMENT_METHOD',
      message: t`This payment method can't be charged any more.`,
    });
  if (errors.length) throw invalid(errors);

  const id = await work.ids.next('contracts');
  const subscription = aggregateOf(
    {
      contract: freshRow(storeId, id, currency, input, delivery, due, work.at, basis),
      lines: [],
      discounts: [],
      orders: [],
      methods,
    },
    true,
  );
  work.add(subscription);
  const notes = work.notes.length;
  for (const [index, line] of input.lines.entries())
    await addFirstLine(work, subscription, { ...(input.sellingPlanId ? { sellingPlanId: input.sellingPlanId } : {}), ...line }, index);
  await input.besides?.add(work, subscription);
  chooseDelivery(
    work,
    subscription,
    input.addressId ? { ...input, address: await savedAddress(context, customer.id, input.addressId) } : input,
  );
  adoptSchedule(work, subscription, due);
  if (input.deliveryPrice !== undefined) subscription.contract.delivery_price = shippingPriceOf(input.deliveryPrice, currency);
  for (const code of input.discountCodes ?? []) await addDiscount(work, subscription, { code });
  if (input.discount && input.discount.kind !== 'NONE') await addFirstDiscount(work, subscription, input.discount);
  subscription.contract.has_custom_plan = subscription.lines.some(
    line => !line.one_time_added && (line.selling_plan_id === null || line.price_is_manual),
  );
  syncSchedule(subscription, work.zone);
  mustStayChargeable(work, subscription);
  work.clearNotes(notes);
  work.note(subscription, 'subscription_created', {
    source: subscription.contract.source,
    products: subscription.lines.map(line => ({ name: line.product_title, quantity: line.quantity })),
    nextBillingDateEpoch: epoch(subscription.contract.next_billing_at ?? due),
  });
  // The e-mail reads columns that are otherwise brought up to date when the work is written.
  subscription.contract.frequency = frequencyOf(subscription.contract);
  return subscription;
}

/** What addDiscount finds wrong, told at the part of the form that holds it. */
async function addFirstDiscount(
  work: UnitOfWork,
  subscription: Aggregate,
  { kind, ...discount }: NonNullable<NewContract['discount']>,
): Promise<void> {
  if (kind === 'CODE' && !discount.code?.trim())
    throw invalid([{ pointer: '/discount/code', rule: 'required', message: t`Enter a code.` }]);
  await below('/discount', () => addDiscount(work, subscription, discount));
}

/** Runs a rule whose complaints are about a part of the input. */
async function below<T>(pointer: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal && error.errors) throw invalid(error.errors.map(one => ({ ...one, pointer: `${pointer}${one.pointer}` })));
    throw error;
  }
}

const addFirstLine = (work: UnitOfWork, subscription: Aggregate, input: NewContract['lines'][number], index: number): Promise<void> =>
  below(`/lines/${index}`, async () => {
    const variant = await saleable(work, input);
    const pricing: Pricing = input.isOneTime ? { discountType: 'NONE' } : input;
    const line = await makeLine(work, subscription, variant, await priceVariant(work, subscription, variant, pricing), {
      quantity: quantityOf(input.quantity ?? 1),
      oneTimeCycle: input.isOneTime ? 1 : null,
      attributes: input.attributes,
      position: index + 1,
    });
    if (input.price !== undefined) {
      line.price = priceOf(input.price, subscription.contract.currency_code);
      line.price_is_manual = true;
    }
    subscription.lines.push(line);
  });

function chooseDelivery(work: UnitOfWork, subscription: Aggregate, input: NewContract): void {
  if (input.deliveryType === 'LATER' || !subscription.lines.some(line => line.requires_shipping && !line.one_time_added)) return;
  if (input.shippedAs) shipAs(work, subscription, input.shippedAs);
  else if (input.deliveryType === 'PICKUP') updateToPickup(work, subscription, { optionCode: input.optionCode });
  else if (!input.address)
    throw invalid([
      {
        pointer: '/address',
        rule: 'DELIVERY_METHOD_REQUIRED',
        message: t`The delivery method can't be blank when a product needs shipping. Enter an address.`,
      },
    ]);
  else if (input.deliveryType === 'LOCAL_DELIVERY')
    updateToLocalDelivery(work, subscription, { address: input.address, phone: input.phone, instructions: input.instructions });
  else updateToShipping(work, subscription, { address: input.address, optionCode: input.optionCode });
}

function freshRow(
  storeId: number,
  id: number,
  currency: string,
  input: NewContract & { billingPolicy: BillingPolicy },
  delivery: Interval,
  due: Date,
  at: Date,
  { customer, source, completedOrders = 0, externalId }: ContractBasis,
): ContractRow {
  const { billingPolicy: billing } = input;
  const row: ContractRow = {
    store_id: storeId,
    id,
    shopify_id: platformId(id),
    version: 1,
    is_returning: false,
    status: 'ACTIVE',
    source,
    customer_id: customer.id,
    origin_order_shopify_id: null,
    loyalty_points: null,
    loyalty_points_at: null,
    external_id: externalId ?? null,
    bundles: null,
    bundle_ids: null,
    currency_code: currency,
    billing_interval: billing.interval,
    billing_interval_count: billing.intervalCount,
    delivery_interval: delivery.interval,
    delivery_interval_count: delivery.intervalCount,
    min_cycles: billing.minCycles ?? null,
    max_cycles: billing.maxCycles ?? null,
    anchor_type: billing.anchorType ?? null,
    anchor_day: billing.anchorType ? (billing.anchorDay ?? null) : null,
    anchor_month: billing.anchorType === 'YEARDAY' ? (billing.anchorMonth ?? null) : null,
    cut_off_days: null,
    pre_anchor_behavior: null,
    base_at: due,
    base_hour: null,
    base_cycle: 1,
    next_cycle: 1,
    next_billing_at: due,
    charge_offset_days: 0,
    schedule_type: 'BILLING',
    billing_days: [],
    date_fields: null,
    resume_at: null,
    completed_orders: completedOrders,
    is_prepaid: false,
    prepaid_credits: 0,
    is_marked_for_cancellation: false,
    has_custom_plan: false,
    has_discount: false,
    delivery_price: 0,
    delivery_method: null,
    shipping_address: null,
    payment_method_id: input.paymentMethodId ?? null,
    backup_payment_method_id: null,
    note: input.note ?? '',
    next_order_note: '',
    custom_attributes: input.customAttributes ?? [],
    dunning: null,
    successive_failed_cycles: 0,
    last_payment_status: null,
    last_payment_category: null,
    last_inventory_action: null,
    cancellation_reason: null,
    cancellation_comment: null,
    cancellation_source: null,
    paused_at: null,
    cancelled_at: null,
    expired_at: null,
    created_at: at,
    updated_at: at,
    customer_name: `${customer.first_name} ${customer.last_name}`.trim(),
    customer_first_name: customer.first_name,
    customer_email: customer.email,
    customer_locale: customer.locale,
    country_code: customer.country_code,
    delivery_type: 'NONE',
    frequency: '',
    products_label: '',
    total: 0,
    next_charge: null,
    recurring_charge: null,
    subtotal: 0,
    product_ids: [],
    variant_ids: [],
    plan_group_ids: [],
    tags: uniqueTags(input.tags ?? []),
    search: '',
  };
  row.is_prepaid = deliveriesPerCharge(row) > 1;
  return row;
}
