// All data of a store, for its owner.
import { isoDay } from '../../../../domain/calendar/calendar.ts';
import { t } from '../../../../domain/text/t.ts';
import { inLine, Refusal, Reply, type Context } from '../../../platform/context.ts';
import { storeArchive } from '../store-archive.ts';

/** Everything of the store as an archive, written while it is fetched. @throws Refusal 403 for all but the owner */
export const exportStore = inLine('exports', async (context: Context): Promise<Reply> => {
  const { user, store } = context;
  if (user.type !== 'OWNER') throw new Refusal(403, 'FORBIDDEN', t`Only the owner of the store can export all of it.`);
  const [handle = 'store'] = store.myshopify_domain.split('.');
  const day = isoDay(context.now().getTime(), store.timezone);
  return new Reply(null, {
    file: { name: `${handle}-${day}.tar.gz`, contentType: 'application/gzip', content: storeArchive(context) },
  });
});
