// The e-mails about gifts (C464, C466 to C468, C470): those of schemas/messages that are of a gift, by the calls of all e-mails.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { later, t } from '../../../../domain/text/t.ts';
import { invalid, notFound, type Context, type Handler, type Reply } from '../../../platform/context.ts';
import { MESSAGES, editsOf, isSwitchedOff } from '../../../platform/mail/message-edits.ts';
import { pageOf, type Pages } from '../../../platform/records/list/page-of.ts';
import { lockSetting, storeSetting } from '../../../platform/records/settings.ts';
import * as templates from '../../messages/calls/email-templates.ts';
import { giftTemplates, templateWire } from '../../messages/templates.ts';
import { holdsWords } from '../../../../domain/text/fold.ts';

const UPCOMING = 'GIFT_SUBSCRIPTION_UPCOMING_ORDER';
const PREFERENCES = 'gift-preferences';

interface Keyed {
  prefKey: string;
}
/** @throws Refusal 404 for an e-mail that is about no gift */
function mustBeOfGift({ definitions }: Context, prefKey: string): void {
  if (definitions.messages[prefKey]?.gift === undefined) throw notFound(later`e-mail`);
}
/** A call of all e-mails, for those about gifts alone: with what it is marked with, and with what it does before its transaction. */
function ofGifts(call: Handler): Handler {
  const { prepare } = call;
  const checked =
    <O>(work: (context: Context, input: Keyed, prepared?: unknown) => Promise<O>) =>
    async (context: Context, input: Keyed, prepared?: unknown): Promise<O> => {
      mustBeOfGift(context, input.prefKey);
      return work(context, input, prepared);
    };
  return Object.assign(checked(call), { ...call }, prepare ? { prepare: checked(prepare) } : {});
}

export const read = ofGifts(templates.read);
export const save = ofGifts(templates.save);
export const reset = ofGifts(templates.reset);
export const preview = ofGifts(templates.preview);
export const versions = ofGifts(templates.versions);
export const restore = ofGifts(templates.restore);
export const sendTest = ofGifts(templates.sendTest);
const switchTemplate = ofGifts(templates.switch);
export { switchTemplate as switch };

/** Every e-mail about gifts, in the order in which they are sent. */
export async function list(
  context: Context,
  { q = '', filter = {}, ...pages }: Pages & { q?: string; filter?: { status?: string[] } },
): Promise<Reply> {
  const edits = editsOf(await context.setting(MESSAGES));
  const rows = giftTemplates(context.definitions)
    .map(kind => templateWire(kind, edits[kind.key]))
    .filter(record => !filter.status?.length || filter.status.includes(String(record.status)))
    .filter(record => holdsWords(q, record.name, record.description, record.subject));
  return pageOf(rows, pages);
}

/** Which are sent, to whom, and how long before an order (C468). */
export async function fetchNotificationPreferences(context: Context): Promise<JsonValue> {
  const edits = editsOf(await context.setting(MESSAGES));
  const { upcomingOrderDaysBefore = 3 } = await context.setting(PREFERENCES);
  return giftTemplates(context.definitions).map(kind => ({
    key: kind.key,
    isEnabled: !isSwitchedOff(kind, edits[kind.key]),
    recipientType: kind.gift === 'giver' ? 'GIFTER' : 'RECIPIENT',
    channel: 'EMAIL',
    ...(kind.key === UPCOMING ? { daysBefore: upcomingOrderDaysBefore } : {}),
  }));
}

/** Switches some of them on or off, and says how long before an order its recipient hears of it (C464). @throws Refusal 404, 422 */
export async function updateNotificationPreferences(
  context: Context,
  { preferences }: { preferences: { key: string; isEnabled?: boolean; daysBefore?: number }[] },
): Promise<JsonValue> {
  for (const [i, { key, isEnabled, daysBefore }] of preferences.entries()) {
    mustBeOfGift(context, key);
    if (daysBefore !== undefined && key !== UPCOMING)
      throw invalid([{ pointer: `/preferences/${i}/daysBefore`, rule: 'key', message: t`Only the e-mail before an order has days.` }]);
    if (isEnabled !== undefined) await templates.switch(context, { prefKey: key, enabled: isEnabled });
    if (daysBefore !== undefined) await changeDays(context, daysBefore);
  }
  return fetchNotificationPreferences(context);
}

async function changeDays(context: Context, days: number): Promise<void> {
  const document = await lockSetting(context, PREFERENCES);
  const after: JsonObject = { ...document.data, upcomingOrderDaysBefore: days };
  await storeSetting(context, document, after);
  await context.log({
    action: 'settings.updated',
    category: 'Settings',
    description: `Gift preferences changed`,
    entity: 'settings',
    entityId: PREFERENCES,
    before: { upcomingOrderDaysBefore: document.data.upcomingOrderDaysBefore ?? null },
    after: { upcomingOrderDaysBefore: days },
  });
}
