// The file of a report as it is written: each page of it is counted, and writing ends when a person stops it.
import { Refusal, Reply, type Context, type ReplyFile } from '../context.ts';
import { t } from '../../../domain/text/t.ts';
import type { EntityMapping } from '../records/entity-mapping.ts';
import type { ListQuery } from '../records/list/list.ts';

/** A started export that nothing was heard of for so long has lost its reader. */
const LOST_MINUTES = 10;
/** At so many files at once in one store. */
const AT_ONCE = 3;

/** The same file, kept in the list of exports. @throws Refusal 409 while three others of the store are under way */
export async function noted(context: Context, report: string, reply: Reply): Promise<Reply> {
  const { file } = reply;
  if (!file || typeof file.content === 'string' || file.content instanceof Uint8Array) return reply;
  const { n } = await context.trx
    .selectFrom('report_exports')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('store_id', '=', context.storeId)
    .where('status', '=', 'IN_PROGRESS')
    .where('updated_at', '>', lostBefore(context))
    .executeTakeFirstOrThrow();
  if (Number(n) >= AT_ONCE) throw new Refusal(409, 'INVALID_STATE', t`Wait until a running export has finished.`);
  return new Reply(null, { status: reply.status, file: { ...file, content: counted(context, report, file.content) } });
}
const lostBefore = ({ now }: Pick<Context, 'now'>): Date => new Date(now().getTime() - LOST_MINUTES * 60_000);

/** A new line of the list; those that lost their reader are over. */
const begin = ({ db, storeId, user, now }: Context, report: string): Promise<number> =>
  db.inStore(storeId, async trx => {
    await trx
      .updateTable('report_exports')
      .set({ status: 'FAILED', finished_at: now() })
      .where('store_id', '=', storeId)
      .where('status', '=', 'IN_PROGRESS')
      .where('updated_at', '<=', lostBefore({ now }))
      .execute();
    const row = await trx
      .insertInto('report_exports')
      .values({ store_id: storeId, report, requested_by: user.email, created_at: now(), updated_at: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(row.id);
  });

async function* counted(context: Context, report: string, content: ReplyFile['content']): AsyncGenerator<Uint8Array | string> {
  const { db, storeId, now } = context;
  const id = await begin(context, report);
  let [rows, size] = [-1, 0];
  const keep = (status?: 'COMPLETED' | 'FAILED' | 'CANCELLED'): Promise<boolean> =>
    db.inStore(storeId, async trx => {
      const saved = await trx
        .updateTable('report_exports')
        .set({
          rows_written: Math.max(0, rows),
          file_size: size,
          updated_at: now(),
          ...(status ? { status, finished_at: now() } : {}),
        })
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .where('status', '=', 'IN_PROGRESS')
        .returning('id')
        .executeTakeFirst();
      return saved !== undefined;
    });
  let ended: 'COMPLETED' | 'FAILED' | 'CANCELLED' = 'CANCELLED';
  try {
    for await (const piece of content as AsyncIterable<Uint8Array | string>) {
      const text = typeof piece === 'string' ? piece : '';
      // The first line is the head. Cells with line breaks of their own stand in quotes.
      rows += text.replace(/"[^"]*"/g, '').split('\n').length - 1;
      size += Buffer.byteLength(piece);
      if (!(await keep())) throw new Refusal(409, 'INVALID_STATE', t`This export was stopped.`);
      yield piece;
    }
    ended = 'COMPLETED';
  } catch (error) {
    ended = 'FAILED';
    throw error;
  } finally {
    // Closing the page stops the file: nothing reads it any more.
    await keep(ended);
  }
}

/** A report reads its own columns alone, where no rule of the entity works members out of others. */
export function reportFields(
  { definitions }: Pick<Context, 'definitions'>,
  report: string | undefined,
  { rules, key }: EntityMapping,
): Pick<ListQuery, 'only'> {
  const known = report === undefined ? undefined : definitions.reports[report];
  if (!known || rules.derive || rules.conceal) return {};
  const names = new Set([key.name, 'currencyCode', 'contractId', ...known.columns, ...known.more]);
  return { only: field => names.has(field.name) };
}
