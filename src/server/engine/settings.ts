// The settings pages as the engine reads them: one document each, turned into what the rules of the domain take.
import { DUNNING_DEFAULTS, type DunningSettings } from '../../domain/recovery/dunning-settings.ts';
import { INVENTORY_DEFAULTS, type InventorySettings } from '../../domain/schedule/inventory.ts';
import { orderScheduleOf, type OrderScheduleSettings } from '../../domain/schedule/order-schedule-settings.ts';
import type { JsonObject } from '../../contract/types.ts';
import type { GiftPreferencesSettings } from '../../generated/entities.ts';
import { dateFormatOf } from '../../domain/calendar/date-format.ts';
import type { QuietDays } from '../../domain/calendar/quiet-time.ts';
import { PREFERENCES } from '../platform/mail/letterhead.ts';
import { MESSAGES, editsOf, type MessageEdits } from '../platform/mail/message-edits.ts';
import { readMailWords, type Words } from '../platform/mail/mail-words.ts';
import type { EngineContext } from './context.ts';
import { ACCESSIBILITY } from '../platform/mail/account-link.ts';
import { leadsOf, PORTAL_PREFERENCES } from './letters-lead.ts';

export interface EngineSettings {
  /** Hour (0-23) of new schedules in the store's zone; null: each at its own clock time. */
  billingHour: number | null;
  prepaidShippingCharge: 'UPFRONT_ALL' | 'FIRST_ONLY' | 'EACH_DELIVERY';
  /** Whether orders get the note of their subscription, or only the one that was written for them. */
  orderNoteLevel: 'SUBSCRIPTION' | 'ORDER';
  /** Who hears about what happens; never empty. */
  adminEmails: string[];
  /** Who gets reports, such as the letter at the end of a bulk action; those above where no address is named. Never empty. */
  reportEmails: string[];
  dunning: DunningSettings;
  inventory: InventorySettings;
  autoUpdateShippingPrice: boolean;
  orderSchedule: OrderScheduleSettings;
  /** The text of each customer and order tag; empty when the tag is not used. */
  tags: Record<string, string>;
  /** Days before an order on which it is announced. */
  upcomingOrderDays: number;
  /** On which days customers get no e-mail. */
  quiet: QuietDays;
  /** How days are written in e-mails. */
  dateFormat: string;
  /** Messages that the store switched off or rewrote, by key. */
  messages: MessageEdits;
  /** What e-mails say in the languages of the store. */
  words: Words;
  gift: GiftPreferencesSettings;
  /** Whether customers have pages of their own, and enter cards there. */
  hasPortal: boolean;
  letsEnterCards: boolean;
}

/** Days before an order where the store says nothing. */
export const USUAL_ORDER_DAYS = 3;

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : [];

/** Days between retries: one number, or one for each retry when the page says so. */
function dunningOf(page: JsonObject): DunningSettings {
  const { retrySpacing, retrySpacingDaysEach, ...rest } = page;
  const settings = { ...DUNNING_DEFAULTS, ...rest } as DunningSettings;
  if (retrySpacing === 'EACH' && Array.isArray(retrySpacingDaysEach) && retrySpacingDaysEach.length > 0)
    return { ...settings, retrySpacingDays: retrySpacingDaysEach as number[] };
  return settings;
}

/**
 * Reads everything the engine obeys. The pages: general, paymentRecovery, inventory-settings,
 * auto-updates, order-schedule, subscription-tags, notification-preferences, messages, gift-preferences, portal-accessibility,
 * portal-preferences.
 */
export async function readSettings(context: Pick<EngineContext, 'setting' | 'store' | 'storeId' | 'trx'>): Promise<EngineSettings> {
  const page = (name: string): Promise<JsonObject> => context.setting(name);
  const [general, recovery, inventory, updates, schedule, tags, notifications, messages, words, gift, portal, preferences] =
    await Promise.all([
      page('general'),
      page('paymentRecovery'),
      page('inventory-settings'),
      page('auto-updates'),
      page('order-schedule'),
      page('subscription-tags'),
      page(PREFERENCES),
      page(MESSAGES),
      readMailWords(context),
      page('gift-preferences'),
      page(ACCESSIBILITY),
      page(PORTAL_PREFERENCES),
    ]);
  const named = [list(notifications.adminEmails), list(general.storeEmail)].find(({ length }) => length > 0);
  const adminEmails = named ?? [context.store.email];
  const reports = list(general.adminReportingEmail);
  return {
    billingHour: typeof general.billingHour === 'number' ? general.billingHour : null,
    prepaidShippingCharge: (general.prepaidShippingCharge as EngineSettings['prepaidShippingCharge'] | undefined) ?? 'UPFRONT_ALL',
    orderNoteLevel: general.orderNoteLevel === 'ORDER' ? 'ORDER' : 'SUBSCRIPTION',
    adminEmails,
    reportEmails: reports.length ? reports : adminEmails,
    dunning: dunningOf(recovery),
    inventory: { ...INVENTORY_DEFAULTS, ...inventory } as InventorySettings,
    autoUpdateShippingPrice: updates.autoUpdateShippingPrice === true,
    orderSchedule: orderScheduleOf(schedule),
    tags: Object.fromEntries(Object.entries(tags).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    upcomingOrderDays: typeof notifications.upcomingOrderDaysBefore === 'number' ? notifications.upcomingOrderDaysBefore : USUAL_ORDER_DAYS,
    quiet: { sendOnWeekends: notifications.sendOnWeekends !== false, quietDays: list(notifications.quietDays) },
    dateFormat: dateFormatOf(notifications),
    messages: editsOf(messages),
    words,
    gift: gift as GiftPreferencesSettings,
    ...leadsOf(portal, preferences),
  };
}
