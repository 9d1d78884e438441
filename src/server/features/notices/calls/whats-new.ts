// What's new: the feed of schemas/common/whats-new.json with what the person has not seen yet.
import type { JsonObject } from '../../../../contract/types.ts';
import { notFound, type Context } from '../../../platform/context.ts';

/** The news, the newest first, and how many of them came after the last one that this person saw. */
export async function feed(context: Context): Promise<JsonObject> {
  const { news } = context.definitions;
  const mark = await context.trx
    .selectFrom('notice_marks')
    .select('state')
    .where('store_id', '=', context.storeId)
    .where('user_id', '=', context.user.id)
    .where('kind', '=', 'news')
    .where('key', '=', 'seen')
    .executeTakeFirst();
  const seen = mark === undefined ? -1 : news.findIndex(one => one.id === mark.state);
  const unread = seen < 0 ? news.length : seen;
  return { items: news.map((one, i) => ({ ...one, isUnread: i < unread })), unread };
}

/** Notes the newest piece of news that was seen. @throws Refusal 404 */
export async function seen(context: Context, { newsId }: { newsId: string }): Promise<JsonObject> {
  if (!context.definitions.news.some(one => one.id === newsId)) throw notFound('piece of news');
  await context.trx
    .insertInto('notice_marks')
    .values({ store_id: context.storeId, user_id: context.user.id, kind: 'news', key: 'seen', state: newsId, at: context.now() })
    .onConflict(conflict => conflict.columns(['store_id', 'user_id', 'kind', 'key']).doUpdateSet({ state: newsId, at: context.now() }))
    .execute();
  return { newsId };
}
