// The file of a report as it is written: each page of it is counted, and writing ends when a person stops it. What was written whole can be
// fetched again for some days by the person who requested it.
import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { notFound, Refusal, Reply, type Context, type ReplyFile } from '../context.ts';
import { csvAsWritten } from '../csv/csv-file.ts';
import { fillMessage } from '../mail/message.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { t } from '../../../domain/text/t.ts';
import type { EntityMapping } from '../records/entity-mapping.ts';
import type { ListQuery } from '../records/list/list.ts';

/** A started export that nothing was heard of for so long has lost its reader. */
const LOST_MINUTES = 10;
/** At so many files at once in one store. */
const AT_ONCE = 3;
const KEPT_DAYS = 7;
/** Larger files (bytes) are not kept. */
const MOST_KEPT = 200 * 1_048_576;
/** A piece of what is kept holds so many characters, before it is packed. */
const PIECE = 1_048_576;
/** Files of more rows are announced by e-mail as well. */
const MAILED_FROM = 1_000;
const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

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
  return new Reply(null, { status: reply.status, file: { ...file, content: counted(context, report, file) } });
}
const lostBefore = ({ now }: Pick<Context, 'now'>): Date => new Date(now().getTime() - LOST_MINUTES * 60_000);

/** A new line of the list; those that lost their reader are over. */
const begin = ({ db, storeId, user, now }: Context, report: string, fileName: string): Promise<number> =>
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
      .values({ store_id: storeId, report, file_name: fileName, requested_by: user.email, created_at: now(), updated_at: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(row.id);
  });

type Ending = 'COMPLETED' | 'FAILED' | 'CANCELLED';

async function* counted(context: Context, report: string, { content, name }: ReplyFile): AsyncGenerator<Uint8Array | string> {
  const { db, storeId, now } = context;
  const id = await begin(context, report, name);
  let [rows, size, pieces, piece] = [-1, 0, 0, ''];
  /** What was written up to now, with the piece that is full; false once a person stopped it. */
  const keep = async (status?: Ending): Promise<boolean> => {
    const isFull = size <= MOST_KEPT && (piece.length >= PIECE || (status === 'COMPLETED' && piece !== ''));
    const packed = isFull ? await pack(piece) : undefined;
    if (isFull) piece = '';
    const until = status === 'COMPLETED' && size <= MOST_KEPT ? new Date(now().getTime() + KEPT_DAYS * 86_400_000) : null;
    return db.inStore(storeId, async trx => {
      const saved = await trx
        .updateTable('report_exports')
        .set({
          rows_written: Math.max(0, rows),
          file_size: size,
          updated_at: now(),
          ...(status ? { status, finished_at: now(), kept_until: until } : {}),
        })
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .where('status', '=', 'IN_PROGRESS')
        .returning('id')
        .executeTakeFirst();
      if (saved && packed)
        await trx.insertInto('report_export_pieces').values({ store_id: storeId, export_id: id, no: pieces++, content: packed }).execute();
      if (saved && until && rows > MAILED_FROM) await announce(context, trx, { id, report, rows, until });
      return saved !== undefined;
    });
  };
  let ended: Ending = 'CANCELLED';
  try {
    for await (const part of content as AsyncIterable<Uint8Array | string>) {
      const text = typeof part === 'string' ? part : '';
      // The first line is the head. Cells with line breaks of their own stand in quotes.
      rows += text.replace(/"[^"]*"/g, '').split('\n').length - 1;
      size += Buffer.byteLength(part);
      piece = size <= MOST_KEPT ? piece + text : '';
      if (!(await keep())) throw new Refusal(409, 'INVALID_STATE', t`This export was stopped.`);
      yield part;
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

/** A letter to the person who requested a large file: where it can be fetched again. */
async function announce(
  { definitions, store, storeId, user, address, now }: Context,
  trx: Context['trx'],
  { id, report, rows, until }: { id: number; report: string; rows: number; until: Date },
): Promise<void> {
  const values = {
    report: definitions.reports[report]?.title ?? report,
    rows: rows.toLocaleString('en-US'),
    until: dateLabel(until.getTime(), store.timezone),
    link: `${address}/analytics/reports`,
  };
  const letter = fillMessage(definitions.messages, 'ADMIN_REPORT_READY', { store: { name: store.name } }, values);
  await enqueueMail(trx, storeId, { ...letter, to: user.email, dedupeKey: `REPORT:${id}` }, now());
}

/**
 * A finished file once more, for the person who requested it.
 * @throws Refusal 404 for another person's, 409 for one that is not stored any more
 */
export async function keptFile(context: Context, id: number): Promise<{ report: string; reply: Reply }> {
  const { trx, db, storeId, user, now } = context;
  const row = await trx
    .selectFrom('report_exports')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .where('requested_by', '=', user.email)
    .executeTakeFirst();
  if (!row) throw notFound('export');
  const gone = () => new Refusal(409, 'INVALID_STATE', t`This file is not kept any more. Export the report again.`);
  if (row.kept_until === null || row.kept_until <= now()) throw gone();
  const pieceOf = (one: Context['trx'], no: number) =>
    one
      .selectFrom('report_export_pieces')
      .select('content')
      .where('store_id', '=', storeId)
      .where('export_id', '=', id)
      .where('no', '=', no)
      .executeTakeFirst();
  // Erasing a customer deletes all files of the store.
  const first = await pieceOf(trx, 0);
  if (!first) throw gone();
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let no = 1, piece: typeof first | undefined = first; piece; no++) {
      yield await unpack(piece.content);
      const next = no;
      piece = await db.inStore(storeId, one => pieceOf(one, next), { readOnly: true });
    }
  }
  return { report: row.report, reply: csvAsWritten(row.file_name, content()) };
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
