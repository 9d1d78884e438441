// What calls of the session and of the store answer parts of, each in the form that its line says.
import { CURRENCY_CODES, currencyName, currencySymbol } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { sessionNow } from '../../platform/auth/session-now.ts';
import type { Context } from '../../platform/context.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { readSetting } from '../../platform/records/settings.ts';

const detailsOf = ({ store }: RuleContext): JsonObject => (store.details ?? {}) as JsonObject;

/** S252 to S260, S277, S278: the session as the admin starts with it. */
export const session = async (context: Context): Promise<JsonObject> => (await sessionNow(context)) as JsonObject;

/**
 * S276, C013: the same with the state of the storefront widget, the plan's key, and what the platform says about the
 * shop: its places, its currency in words.
 */
export async function store(context: Context): Promise<JsonObject> {
  const now = await sessionNow(context);
  const { locations, widgetStatus = 'ACTIVE' } = detailsOf(context);
  const code = context.store.currency_code;
  const isKnown = CURRENCY_CODES.includes(code);
  return {
    ...(now as JsonObject),
    widgetStatus,
    planKey: now.plan.name.toLowerCase().replace(/\W+/g, '_'),
    locations: Array.isArray(locations) ? locations : [],
    currencyName: isKnown ? currencyName(code) : code,
    currencySymbol: isKnown ? currencySymbol(code) : code,
  };
}

export const DELIVERY_METHODS = ['SHIPPING', 'PICKUP', 'LOCAL_DELIVERY'] as const;
/** Which delivery methods customers may choose: method -> on or off. */
export async function deliveryMethods(context: RuleContext): Promise<JsonObject> {
  const { multipleDeliveryOptions: on } = (await readSetting(context, 'general')).data;
  return Object.fromEntries(DELIVERY_METHODS.map(method => [method, Array.isArray(on) && on.includes(method)]));
}
