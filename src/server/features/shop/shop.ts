// A visit of the shop: the store, its look, and the language of the visitor among those that the store publishes.
import { t } from '../../../domain/text/t.ts';
import { type Config, hasShop } from '../../platform/config.ts';
import { inLanguage } from '../../platform/languages.ts';
import { nothingHere } from '../../platform/http/page-refusals.ts';
import type { PageRequest, PageServices, Visitor } from '../../platform/http/page-request.ts';
import type { PageAnswer } from '../../platform/http/public-pages.ts';
import { storeNamed } from '../../platform/http/store-in-path.ts';
import { brandOf, BRANDING } from '../../platform/mail/letterhead.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import { languagesOf } from '../../platform/texts/values.ts';
import { languageOfVisitor } from '../../platform/texts/visitor-language.ts';
import { readWords, type Words } from '../../platform/texts/words.ts';
import {
  type EngineContext,
  hasPortal,
  mailSpeech,
  nameOfVariant,
  type OfferedPlan,
  type SoldGift,
  type SoldVariant,
  transactIn,
  asCustomer,
  type CustomerContext,
} from '../../engine/index.ts';
import { liveTheme, type Theme } from '../../platform/portal-look/theme.ts';
import { takesCardsBy } from '../../platform/gateway/gateway.ts';

/** Where the shop of a store is. */
export const SHOP_PATH = '/shop/:store';
/** The cookie that says whose cart it is. */
export const CART_COOKIE = 'perennial.cart';
/** What every page of the shop reads of its address. */
export const ASKS = ['lang'];

export interface Shop {
  context: CustomerContext;
  config: Config;
  theme: Theme;
  /** Empty: the name of the store stands in its place. */
  logo: string;
  languages: readonly { locale: string; name: string }[];
  speech: Speech;
  visitor: Visitor;
  /** Whether customers have pages of their own. */
  hasAccounts: boolean;
  /** Whether what is bought once can be paid: a provider's page takes subscriptions alone, because nothing else makes an order yet. */
  sellsOnce: boolean;
  /** Whether the product serves what a page's script reads (`/storefront/…`), and with it the script. */
  hasScript: boolean;
  /** The address of a page of the shop, such as "/cart"; a language that was chosen stays in it. */
  to(path?: string, query?: Readonly<Record<string, string | number>>): string;
  /** An amount in minor units of the store's currency. */
  money(minor: number): string;
  /** What a product with its variant is called. */
  nameOf(variant: SoldVariant): string;
  planName(offered: OfferedPlan): string;
  groupName(offered: Pick<OfferedPlan, 'groupId' | 'groupName'>): string;
  giftPlanName(sold: SoldGift): string;
  /** What is said of a bundle at a place ("name", "boxSizes.2.name") in the visitor's words; undefined where there are none. */
  bundleText(bundleId: number, place: string): string | undefined;
}

const NO_ONE: Visitor = { cookie: '', languages: '', network: '', agent: '' };

/** The number of a store that is there and has a shop; 0 for all others. */
export const shopNamed = async (services: Pick<PageServices, 'config' | 'db'>, store: string | undefined): Promise<number> =>
  hasShop(services.config) ? storeNamed(services, store) : 0;

/** Does work of the shop that the address names, in the visitor's language; a page in its place where there is none. */
export async function inShop(services: PageServices, request: PageRequest, work: (shop: Shop) => Promise<PageAnswer>): Promise<PageAnswer> {
  const storeId = await shopNamed(services, request.params.store);
  if (!storeId) return nothingHere();
  return transactIn(
    services,
    storeId,
  )(async opened => {
    if (takesCardsBy(opened.store) === null) return nothingHere();
    const shop = await shopOf(services, opened, request);
    return inLanguage(shop.speech.language, async () => work(shop));
  });
}

async function shopOf(services: PageServices, opened: EngineContext, { query, visitor = NO_ONE }: PageRequest): Promise<Shop> {
  const context: CustomerContext = { ...asCustomer(services, opened), source: 'Shopify' };
  const languages = (await languagesOf(context)).filter(one => one.isPrimary || one.isPublished);
  const primary = languages[0]?.locale ?? 'en';
  const chosen = languages.find(one => one.locale === query.lang)?.locale;
  const locale = chosen ?? languageOfVisitor(visitor.languages, languages, primary);
  const { speech } = await mailSpeech(context);
  const words = await readWords(context, ['selling-plan-group', 'gift-program', 'bundle']);
  const speaking = speech(locale);
  return {
    context,
    config: services.config,
    theme: await liveTheme(context),
    logo: brandOf(await context.setting(BRANDING), '').logoUrl,
    languages: languages.map(one => ({ locale: one.locale, name: nameIn(one.locale) })),
    speech: speaking,
    visitor,
    hasAccounts: await hasPortal(context),
    sellsOnce: takesCardsBy(context.store) === 'TEST',
    hasScript: services.pages?.some(({ path }) => path.startsWith('/storefront/')) ?? false,
    to: (path = '', more = {}) => {
      const given = {
        ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])),
        ...(chosen ? { lang: chosen } : {}),
      };
      const at = new URLSearchParams(given).toString();
      return `/shop/${context.storeId}${path}${at && `?${at}`}`;
    },
    money: minor => speaking.money(minor, context.store.currency_code),
    nameOf: variant => nameOfVariant(speaking.named(variant)),
    planName: ({ groupId, plan }) => worded(words, locale, groupId, `sellingPlans.${plan.lspId}.name`) ?? plan.name,
    groupName: ({ groupId, groupName }) => worded(words, locale, groupId, 'name') ?? groupName,
    giftPlanName: ({ program, plan }) =>
      words.find(locale, { ownerKind: 'gift-program', ownerId: String(program.id), key: `plans.${plan.loopId}.label` })?.value ??
      plan.label,
    bundleText: (bundleId, key) => words.find(locale, { ownerKind: 'bundle', ownerId: String(bundleId), key })?.value,
  };
}

const worded = (words: Words, locale: string, groupId: number, key: string): string | undefined =>
  words.find(locale, { ownerKind: 'selling-plan-group', ownerId: String(groupId), key })?.value;

/** A language in its own words: "Deutsch". */
function nameIn(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** How often a plan delivers, and that it is paid ahead, in the visitor's words; '' where the plan's name says it. */
export function rhythmOf({ speech, planName }: Pick<Shop, 'speech' | 'planName'>, offered: OfferedPlan, deliveries: number): string {
  const { recurringDeliveryPolicyInterval: interval, recurringDeliveryPolicyIntervalCount: intervalCount } = offered.plan;
  const often = speech.every({ interval, intervalCount });
  if (deliveries > 1) return t`Delivered ${often}, ${deliveries} deliveries paid at once`;
  return planName(offered).toLowerCase().includes(often.toLowerCase()) ? '' : t`Delivered ${often}`;
}
