// The store as the platform knows it: its data, locations, countries, delivery methods, and the referral programme.
import { CURRENCY_CODES, currencyName, currencySymbol } from '../../contract/domain/money.ts';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { countryName } from '../auth/sessions.ts';
import { invalid, type Context } from '../context.ts';
import { readSetting, settingRecord, writeSetting } from '../verbs/settings.ts';
import { session } from './start-up.ts';

const METHODS = ['SHIPPING', 'PICKUP', 'LOCAL_DELIVERY'] as const;
const details = (context: Context): JsonObject => (context.store.details ?? {}) as JsonObject;

/** The store with its counts, and what the platform says about the shop. */
export async function shopData(context: Context): Promise<JsonValue> {
  return ((await session(context)) as unknown as { store: JsonObject }).store;
}

/** Name, addresses, currency and time zone. */
export async function primaryDetails(context: Context): Promise<JsonValue> {
  const { store } = context;
  return {
    storeId: store.id,
    name: store.name,
    email: store.email,
    shopOwner: store.shop_owner,
    myshopifyDomain: store.myshopify_domain,
    countryCode: store.country_code,
    countryName: countryName(store.country_code),
    currencyCode: store.currency_code,
    currencyName: CURRENCY_CODES.includes(store.currency_code) ? currencyName(store.currency_code) : store.currency_code,
    currencySymbol: CURRENCY_CODES.includes(store.currency_code) ? currencySymbol(store.currency_code) : store.currency_code,
    timezone: store.timezone,
    createdAt: store.created_at.toISOString(),
  };
}

/** The store's own places, as the platform lists them. */
export async function availableLocations(context: Context): Promise<JsonValue> {
  const { locations } = details(context);
  return Array.isArray(locations) ? locations : [];
}

/** ISO 3166 codes of all countries; their names come from the system's own data. */
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  );

/** All countries by name, the store's own first. */
export async function countries(context: Context): Promise<JsonValue> {
  const all = COUNTRIES.map(code => ({ code, name: countryName(code) })).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const own = context.store.country_code;
  return [...all.filter(one => one.code === own), ...all.filter(one => one.code !== own)];
}

/** S258: data.isEligible. */
export async function checkReferralEligibility(context: Context): Promise<JsonValue> {
  return { isEligible: context.session.isReferralEligible };
}

/** Which delivery methods customers may choose: method -> on or off. */
export async function multipleDeliveryOptions(context: Context): Promise<JsonValue> {
  const { multipleDeliveryOptions: on } = await context.setting('general');
  return Object.fromEntries(METHODS.map(method => [method, Array.isArray(on) && on.includes(method)]));
}

/** Changes some of them; at least one stays on. The same document as the settings page general. */
export async function updateMultipleDeliveryOptions(
  context: Context,
  input: Partial<Record<(typeof METHODS)[number], boolean>>,
): Promise<JsonValue> {
  const { data } = await readSetting(context, 'general', true);
  const before = Array.isArray(data.multipleDeliveryOptions) ? data.multipleDeliveryOptions : [];
  const on = METHODS.filter(method => input[method] ?? before.includes(method));
  if (on.length === 0) throw invalid([{ pointer: '', rule: 'minItems', message: 'Keep at least one delivery method on.' }]);
  const { data: after } = await writeSetting(context, 'general', { ...data, multipleDeliveryOptions: on });
  return Object.fromEntries(METHODS.map(method => [method, (after.multipleDeliveryOptions as string[]).includes(method)]));
}

/** Notes that the referral programme was opened. */
export async function merchantReferralClick(context: Context, { source = 'NAVIGATION' }: { source?: string }): Promise<JsonValue> {
  await context.log({
    action: 'referral.opened',
    category: 'Store',
    description: 'Referral programme opened',
    entity: 'store',
    entityId: context.storeId,
    after: { source },
  });
  return { tracked: true };
}

/** A list of addresses in the settings page general; shared by the calls of the app server. */
export async function saveAddresses(context: Context, field: 'storeEmail' | 'adminReportingEmail', emails: string[]): Promise<JsonValue> {
  const { data } = await readSetting(context, 'general', true);
  const document = await writeSetting(context, 'general', { ...data, [field]: emails });
  return { [field]: settingRecord(document)[field] as JsonValue };
}
