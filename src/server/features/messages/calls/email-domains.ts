// Looking for the records of an own domain when a person asks for it.
import { Refusal, Reply, notFound, ownTransactions, type Context } from '../../../platform/context.ts';
import { lookUp, noteLooked, wantedRecords } from '../domains.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';

/** Between two looks at one domain. */
const REST_MS = 60_000;

const SAID: Record<string, string> = {
  VERIFIED: later`All records are there. E-mails come from this address from now on, where it is the default sender.`,
  PENDING: later`Not all records are there yet. It can take a day or two until a change is known everywhere.`,
  FAILED: later`Records that were there are missing. E-mails come from the shared address until they are back.`,
  NOT_VERIFIED: later`No DNS server answered for this domain. Try again in a few minutes.`,
};

/** @throws Refusal 404, 429 within a minute of the last look */
export const check = ownTransactions(async (context: Context, { id }: { id: number }): Promise<Reply> => {
  const { storeId } = context;
  const at = context.now();
  const records = await context.transaction(async ({ trx }) => {
    const domain = await trx
      .selectFrom('email_domains')
      .select('last_checked_at')
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!domain) throw notFound(later`e-mail domain`);
    const rest = domain.last_checked_at ? domain.last_checked_at.getTime() + REST_MS - at.getTime() : 0;
    if (rest > 0) {
      const seconds = Math.ceil(rest / 1000);
      throw new Refusal(
        429,
        'TOO_MANY_REQUESTS',
        seconds === 1
          ? t`The records were checked a moment ago. Check again in 1 second.`
          : t`The records were checked a moment ago. Check again in ${seconds} seconds.`,
        undefined,
        undefined,
        seconds,
      );
    }
    await trx.updateTable('email_domains').set({ last_checked_at: at }).where('store_id', '=', storeId).where('id', '=', id).execute();
    return (await wantedRecords({ trx, storeId, secrets: context.secrets }, id)) ?? [];
  });
  // DNS is asked while no transaction is open.
  const looked = await lookUp(records, context.domainRecords);
  const status = await context.transaction(({ trx }) => noteLooked(trx, { storeId, id, at }, looked));
  if (!status) throw notFound(later`e-mail domain`);
  const message = looked.isUnreachable ? SAID.NOT_VERIFIED : SAID[status];
  return new Reply({ id, status, records: looked.records as [] }, { ...(message ? { message: translated(message) } : {}) });
});
