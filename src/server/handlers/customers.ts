// Customers of the store; list is the generic verb.
import { Reply, type Context } from '../context.ts';
import { listRecords } from '../verbs/list.ts';

/** One page of all customers, newest first, found by words of their name and e-mail address. */
export async function all(context: Context, { q, page = 1, pageSize = 25 }: { q?: string; page?: number; pageSize?: number }): Promise<Reply> {
  const { records, pageInfo } = await listRecords(context, context.shape('customer'), { q, page, size: pageSize });
  return new Reply(records, { pageInfo });
}
