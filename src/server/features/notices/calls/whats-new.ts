// What's new: noting what was seen.
import type { JsonObject } from '../../../../contract/types.ts';
import { notFound, type Context } from '../../../platform/context.ts';
import { later } from '../../../../domain/text/t.ts';

/** Notes the newest piece of news that was seen. @throws Refusal 404 */
export async function seen(context: Context, { newsId }: { newsId: string }): Promise<JsonObject> {
  if (!context.definitions.news.some(one => one.id === newsId)) throw notFound(later`piece of news`);
  await context.trx
    .insertInto('notice_marks')
    .values({ store_id: context.storeId, user_id: context.user.id, kind: 'news', key: 'seen', state: newsId, at: context.now() })
    .onConflict(conflict => conflict.columns(['store_id', 'user_id', 'kind', 'key']).doUpdateSet({ state: newsId, at: context.now() }))
    .execute();
  return { newsId };
}
