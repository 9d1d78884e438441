// What's new: the feed of schemas/common/whats-new.json with what the person has not seen yet.
import type { JsonObject } from '../../../contract/types.ts';
import { inTheirWords } from '../../platform/records/documents.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

/** The news, the newest first, and how many of them came after the last one that this person saw. */
export async function news(context: RuleContext): Promise<JsonObject> {
  const { news: all } = context.definitions;
  const mark = await context.trx
    .selectFrom('notice_marks')
    .select('state')
    .where('store_id', '=', context.storeId)
    .where('user_id', '=', context.user.id)
    .where('kind', '=', 'news')
    .where('key', '=', 'seen')
    .executeTakeFirst();
  const seen = mark === undefined ? -1 : all.findIndex(one => one.id === mark.state);
  const unread = seen < 0 ? all.length : seen;
  return { items: inTheirWords(all).map((one, i) => ({ ...one, isUnread: i < unread })), unread };
}
