// What there is to choose from while a subscription is made by hand, or gets another address.
import { sql } from 'kysely';
import method from '../../../../schemas/entities/payment-method.json' with { type: 'json' };
import { mayReadOf } from '../../../contract/mask.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { notFound, type Context } from '../../platform/context.ts';
import { soldName } from '../../../domain/text/variant-name.ts';
import type { Address } from '../../../domain/places/address.ts';
import {
  commonPlans,
  deliveryOptions,
  engineOf,
  findVariants,
  groupsOfBundles,
  isUsable,
  type MethodRow,
  momentOf,
  planWords,
} from '../../engine/index.ts';
import { CARDS } from '../../platform/auth/personal-data.ts';
import { intlLocale, later, t } from '../../../domain/text/t.ts';

interface Choosing {
  id?: number;
  customerId?: number;
  variantIds?: number[];
  quantities?: number[];
  sellingPlanId?: number | null;
  address?: Address;
  addressId?: number | null;
}

const BRANDS = new Map<string | null, string>(method.properties.brand.oneOf.map(one => [one.const, one.title]));
const twoDigits = (n: number): string => String(n).padStart(2, '0');

/**
 * The customer's payment methods and saved addresses, the plans that all chosen products share, and the ways to deliver them to the
 * address; each with the words
 * that it is chosen by. A part is empty until what it depends on is chosen. `id`: the customer and the products of this subscription; its
 * plans unless other variants are named.
 */
export async function creationChoices(
  context: Context,
  { id, customerId: named, variantIds: chosen = [], quantities = [], sellingPlanId, address, addressId }: Choosing,
): Promise<JsonValue> {
  const engine = engineOf(context);
  const { trx, storeId, store } = context;
  const customerId = id === undefined ? named : await customerOf(context, id);
  const variantIds = id === undefined || chosen.length ? chosen : await variantsOf(context, id);
  const methods =
    customerId === undefined
      ? []
      : (
          await sql<MethodRow>`select * from payment_methods where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint
            order by id`.execute(trx)
        ).rows;
  const addresses =
    customerId === undefined
      ? []
      : await trx
          .selectFrom('customer_addresses')
          .select(['id', 'is_default', 'address'])
          .where('store_id', '=', storeId)
          .where('customer_id', '=', customerId)
          .orderBy('is_default', 'desc')
          .orderBy('id')
          .execute();
  const kept = await groupsOfBundles(engine);
  const plans =
    variantIds.length === 0
      ? []
      : (
          await commonPlans(
            engine,
            variantIds.map(variantId => ({ variantId })),
          )
        ).filter(({ groupId }) => !kept.has(groupId));
  const variants = new Map(
    (variantIds.length === 0 ? [] : await findVariants(engine, { ids: variantIds })).map(variant => [variant.id, variant]),
  );
  const bought = variantIds.flatMap((variantId, i) => {
    const variant = variants.get(variantId);
    return variant ? [{ variant, quantity: quantities[i] ?? 1 }] : [];
  });
  const parcel = {
    currency: store.currency_code,
    subtotal: bought.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0),
    weightInGrams: bought.reduce((sum, { variant, quantity }) => sum + variant.weight_in_grams * quantity, 0),
    // Without a plan the subscription is of no group.
    groupIds: plans.filter(({ plan }) => plan.lspId === sellingPlanId).map(({ groupId }) => groupId),
  };
  const target = addressId ? (addresses.find(one => one.id === addressId)?.address as Address | undefined) : address;
  const seesCards = mayReadOf(context.session)(CARDS);
  const cash = (minor: number | null): string =>
    minor === null ? t`no price in this currency` : minor === 0 ? t`free` : formatMoney(minor, store.currency_code, intlLocale());
  return {
    paymentMethods: methods
      .filter(one => isUsable(one, momentOf(context)))
      .map(one => ({
        id: one.id,
        title: `${BRANDS.get(one.brand) ?? t`Card`} ${
          !seesCards ? '' : one.last_digits ? `•••• ${one.last_digits}` : (one.paypal_account_email ?? '')
        }`.trim(),
        ...(seesCards && one.expiry_month && one.expiry_year
          ? { detail: t`expires ${twoDigits(one.expiry_month)}/${one.expiry_year}` }
          : {}),
      })),
    addresses: addresses.map(({ id: key, is_default, address: saved }) => ({
      id: key,
      title: inOneLine(saved as Address),
      ...(is_default ? { detail: t`default` } : {}),
    })),
    lines:
      id === undefined
        ? []
        : (
            await trx
              .selectFrom('contract_lines')
              .select(['id', 'product_title', 'variant_title', 'quantity', 'one_time_added'])
              .where('store_id', '=', storeId)
              .where('contract_id', '=', id)
              .orderBy('position')
              .orderBy('id')
              .execute()
          ).map(line => ({
            id: line.id,
            title: soldName(line.product_title, line.variant_title),
            ...(line.one_time_added ? { detail: t`next order only` } : line.quantity > 1 ? { detail: `× ${line.quantity}` } : {}),
          })),
    plans: plans.map(({ groupName, plan }) => ({ id: plan.lspId, ...planWords(groupName, plan) })),
    deliveryOptions: deliveryOptions(store, parcel, target ?? null).map(({ type, code, title, price, pickupTime }) => ({
      type,
      code,
      title,
      detail: [cash(price), pickupTime].filter(Boolean).join(', '),
    })),
  } as JsonValue;
}

async function customerOf({ trx, storeId }: Context, id: number): Promise<number> {
  const row = await trx
    .selectFrom('contracts')
    .select('customer_id')
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound(later`subscription`);
  return row.customer_id;
}

/** The variants of a subscription's recurring products. */
async function variantsOf({ trx, storeId }: Context, id: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('contract_lines')
    .select('variant_id')
    .distinct()
    .where('store_id', '=', storeId)
    .where('contract_id', '=', id)
    .where('one_time_added', '=', false)
    .where('variant_id', 'is not', null)
    .execute();
  return rows.map(row => row.variant_id as number);
}

const inOneLine = ({ firstName, lastName, company, address1, address2, zip, city }: Address): string =>
  [
    company ?? [firstName, lastName].filter(Boolean).join(' '),
    [address1, address2].filter(Boolean).join(' '),
    [city, zip].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ');
