// A process that opens an embedded database and writes until it is killed, telling its parent what was answered.
// usage: writer.ts <data folder> single|batch [how many]
import { sql } from 'kysely';
import { openDatabase } from '../../../../../src/server/platform/db/database.ts';
import { scratch } from '../scratch.ts';

const [folder, mode, most] = process.argv.slice(2);
const say = (message: object): void => {
  process.send!(message);
};
const started = performance.now();
const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: folder!, migrations: scratch }).catch((error: Error) => {
  say({ refused: error.message, after: performance.now() - started });
  process.exit(3);
});

/** Rows carry their number in `n`; a batch is a thousand rows with the same size. */
const {
  rows: [state],
} = await db.ownerQuery<{ rows: number; top: number; torn: number; indexed: number }>(`
  SELECT (SELECT count(*) FROM things) AS rows, (SELECT coalesce(max(n), 0) FROM things) AS top,
    (SELECT count(*) FROM (SELECT size FROM things WHERE size > 1 GROUP BY size HAVING count(*) <> 1000) AS torn) AS torn,
    (SELECT count(*) FROM (SELECT name FROM things WHERE store_id = 1 ORDER BY name) AS indexed) AS indexed`);
say({ opened: state, after: performance.now() - started });

let n = state!.top;
const times = most === undefined ? Number.POSITIVE_INFINITY : Number(most);
for (let i = 0; i < times; i++) {
  if (mode === 'single') {
    n++;
    await db.inStore(1, trx => sql`INSERT INTO things (store_id, name, n) VALUES (1, ${`single ${n}`}, ${n})`.execute(trx));
  } else {
    const batch = n + 2;
    await db.inStore(1, async trx => {
      for (let part = 0; part < 5; part++) {
        await sql`INSERT INTO things (store_id, name, n, size) SELECT 1, 'batch ' || i, i, ${batch} FROM generate_series(${n + 1}::int8, ${n + 200}::int8) i`.execute(
          trx,
        );
        n += 200;
      }
    });
  }
  say({ answered: n });
}
if (most !== undefined) say({ finished: n });
setInterval(() => undefined, 1000);
