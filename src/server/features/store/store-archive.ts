// Everything that a store holds, as one archive that any computer opens: what its definitions call records, in JSON, a page of them in a
// file, and its settings. Nothing that opens anything is in it: no key, no password, and not their masks.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sql } from 'kysely';
import { isoDay } from '../../../domain/calendar/calendar.ts';
import type { Context } from '../../platform/context.ts';
import { END_OF_TAR, tarEntry } from '../../platform/db/embedded/tarball.ts';
import { writeLog } from '../../platform/records/account-log.ts';
import { yieldToEventLoop } from '../../platform/queue/yield-to-event-loop.ts';
import type { EntityMapping } from '../../platform/records/entity-mapping.ts';
import { recordOf } from '../../platform/records/record-repository.ts';
import { concealed } from '../../platform/records/rules.ts';
import { readSetting } from '../../platform/records/settings.ts';

/** Records of a file. */
const PAGE = 1000;
const pack = promisify<Buffer, Buffer>(gzip);

/** Kinds of records that are kept one by one; others are worked out of them when they are looked at, or are rows of a file. */
const kept = ({ definitions, shape }: Context): EntityMapping[] =>
  Object.entries(definitions.entities)
    .filter(([, schema]) => schema['x-record'])
    .map(([entity]) => shape(entity))
    .filter(one => one.isDocument || one.has('id'));

/** In a mask, whatever stands around it. */
const MASKED = '••••';
const bare = (_name: string, value: unknown): unknown => (typeof value === 'string' && value.includes(MASKED) ? undefined : value);
const asText = (value: unknown): string => JSON.stringify(value, bare, 2);
const entry = (name: string, text: string): Buffer => tarEntry(name, Buffer.from(`${text}\n`));

/** Records of a kind, each in JSON, a page at a time: each page is read by itself and put into words bit by bit, so that work goes on. */
async function* pagesOf(context: Context, shape: EntityMapping): AsyncGenerator<string[]> {
  const { db, storeId } = context;
  const table = sql.table(shape.isDocument ? 'records' : shape.table);
  for (let after: unknown; ;) {
    const { rows, texts } = await db.inStore(
      storeId,
      async trx => {
        const now = { ...context, trx };
        const where = [
          sql`r.store_id = ${storeId}::integer`,
          ...(shape.isDocument ? [sql`r.entity = ${shape.entity} and r.deleted_at is null`] : []),
          ...(after === undefined ? [] : [sql`r.id > ${after}`]),
          ...(shape.rules.scope ? [shape.rules.scope(now)] : []),
        ];
        const found = await sql<{ id: unknown }>`select r.* from ${table} r where ${sql.join(where, sql` and `)}
          order by r.id limit ${PAGE}`.execute(trx);
        const hiding = shape.rules.conceal?.(now);
        const turn = yieldToEventLoop();
        const inWords: string[] = [];
        for (const row of found.rows) {
          const record = recordOf(now, shape, row as never);
          for (const name of shape.secrets) delete record[name];
          inWords.push(asText(hiding ? concealed(hiding, record) : record));
          await turn();
        }
        return { rows: found.rows, texts: inWords };
      },
      { readOnly: true },
    );
    if (texts.length) yield texts;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id;
  }
}

/** The account log says who took it: what is read leaves nothing there else. */
const noteTaken = ({ db, storeId, user, source, ip, requestId, now }: Context): Promise<void> =>
  db.inStore(storeId, trx =>
    writeLog(
      trx,
      storeId,
      { action: 'store.exported', category: 'Store', description: 'All data of the store exported', entity: 'store', entityId: storeId },
      { userId: user.id, userEmail: user.email, source, ip, requestId, at: now() },
    ),
  );

/** The archive (.tar.gz) as it is written. Pieces that are packed one by one are one packed file. */
export async function* storeArchive(context: Context): AsyncGenerator<Uint8Array> {
  const { db, storeId, store, definitions, now } = context;
  await noteTaken(context);
  const contents: Record<string, number> = {};
  for (const shape of kept(context)) {
    let page = 0;
    for await (const records of pagesOf(context, shape)) {
      contents[shape.entity] = (contents[shape.entity] ?? 0) + records.length;
      page++;
      yield await pack(entry(`${shape.entity}/${String(page).padStart(5, '0')}.json`, `[${records.join(',\n')}]`));
    }
  }
  for (const name of Object.keys(definitions.settings)) {
    const { data } = await db.inStore(storeId, trx => readSetting({ trx, storeId, definitions }, name), { readOnly: true });
    yield await pack(entry(`settings/${name}.json`, asText(data)));
  }
  const about = {
    store: { name: store.name, domain: store.myshopify_domain, currency: store.currency_code, timezone: store.timezone },
    madeOn: isoDay(now().getTime(), store.timezone),
    about:
      'Everything of the store, as it was while this file was written. Each folder is a kind of record; keys and passwords are left out.',
    records: contents,
  };
  yield await pack(Buffer.concat([entry('contents.json', asText(about)), END_OF_TAR]));
}
