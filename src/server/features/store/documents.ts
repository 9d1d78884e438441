// What calls of the session and of the store answer parts of, each in the form that its line says.
import { CURRENCY_CODES, currencyName, currencySymbol } from '../../../contract/domain/money.ts';
import type { JsonObject, Session } from '../../../contract/types.ts';
import { sessionNow } from '../../handlers/start-up.ts';
import type { RuleContext } from '../../verbs/rules.ts';

const detailsOf = ({ store }: RuleContext): JsonObject => (store.details ?? {}) as JsonObject;

/** S252 to S260, S276 to S278, C013: the session with the state of the storefront widget and the plan's key. */
export async function session(context: RuleContext): Promise<JsonObject> {
  const now = (await sessionNow(context)) as unknown as Session;
  return {
    ...(now as unknown as JsonObject),
    widgetStatus: detailsOf(context).widgetStatus ?? 'ACTIVE',
    planKey: now.plan.name.toLowerCase().replace(/\W+/g, '_'),
  };
}

/** The same with what the platform says about the shop: its places, and its currency in words. */
export async function store(context: RuleContext): Promise<JsonObject> {
  const { locations } = detailsOf(context);
  const code = context.store.currency_code;
  const isKnown = CURRENCY_CODES.includes(code);
  return {
    ...(await session(context)),
    locations: Array.isArray(locations) ? locations : [],
    currencyName: isKnown ? currencyName(code) : code,
    currencySymbol: isKnown ? currencySymbol(code) : code,
  };
}
