// The port, on both engines: values, transactions, row-level security, errors and time limits.
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CheckViolation,
  DatabaseBusy,
  DatabaseError,
  DatabaseMisuse,
  ForeignKeyViolation,
  SerializationFailure,
  StoreViolation,
  UniqueViolation,
} from '../../../../src/server/platform/db/errors.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { prepared } from '../../../../src/server/platform/db/prepared-statements.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { scratch } from './scratch.ts';

const count = async (db: Database): Promise<number> => (await db.ownerQuery<{ n: number }>('SELECT count(*) AS n FROM things')).rows[0]!.n;
const add = (trx: Kysely<never>, store: number, name: string) =>
  sql`INSERT INTO things (store_id, name) VALUES (${store}, ${name})`.execute(trx);
const names = async (trx: Kysely<never>) =>
  (await sql<{ name: string }>`SELECT name FROM things ORDER BY name`.execute(trx)).rows.map(({ name }) => name);

describe.each(engines)('the port on %s', kind => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await openTestDatabase(kind, { migrations: scratch });
    ({ db } = test);
  });
  afterAll(() => test.remove());
  const clear = () => db.exec('TRUNCATE things, parts');

  it('reads values the same way everywhere', async () => {
    const { rows } =
      await db.query(`SELECT 9007199254740991::int8 AS int8, 7::int4 AS int4, 12.50::numeric AS numeric, 0.5::float8 AS float8, true AS bool,
      timestamptz '2024-02-29 23:30:00+01' AS instant, timestamp '2024-02-29 23:30:00' AS local, date '2024-02-29' AS date, time '23:30' AS time, interval '1 day 02:00' AS span,
      '{"a":[1,null]}'::jsonb AS jsonb, '[1]'::json AS json, 'é' AS text, '\\x00ff'::bytea AS bytea, null::text AS nothing,
      array[1,null,3]::int8[] AS int8s, array[1.10]::numeric[] AS numerics, array['2024-02-29']::date[] AS dates, array['a,"b"']::text[] AS texts, array[array[1,2]]::int8[] AS nested,
      array['2024-02-29 00:00Z']::timestamptz[] AS instants, gen_random_uuid() = gen_random_uuid() AS same, count(*) AS counted, sum(1::int8) AS summed`);
    expect(rows[0]).toEqual({
      int8: 9_007_199_254_740_991,
      int4: 7,
      numeric: '12.50',
      float8: 0.5,
      bool: true,
      instant: new Date('2024-02-29T22:30:00Z'),
      local: new Date('2024-02-29T23:30:00Z'),
      date: '2024-02-29',
      time: '23:30:00',
      span: '1 day 02:00:00',
      jsonb: { a: [1, null] },
      json: [1],
      text: 'é',
      bytea: Buffer.from([0, 255]),
      nothing: null,
      int8s: [1, null, 3],
      numerics: ['1.10'],
      dates: ['2024-02-29'],
      texts: ['a,"b"'],
      nested: [[1, 2]],
      instants: [new Date('2024-02-29T00:00:00Z')],
      same: false,
      counted: 1,
      summed: '1',
    });
  });

  it('reads instants of every size to the millisecond, and what is no usual instant', async () => {
    const texts = [
      '2026-11-22 14:39:24+00',
      '1969-12-31 23:59:59.999999+00',
      '0001-01-01 00:00:00+00',
      '9999-12-31 23:59:59.29+00',
      '2000-02-29 00:00:00.1+00',
      '12026-01-01 10:00:00+00',
    ];
    const { rows } = await db.query<{ at: Date; ms: number }>(
      "SELECT t::timestamptz AS at, floor(extract(epoch FROM date_trunc('milliseconds', t::timestamptz)) * 1000)::int8 AS ms FROM unnest($1::text[]) WITH ORDINALITY AS given(t, i) ORDER BY i",
      [texts],
    );
    expect(rows.map(row => row.at.getTime())).toEqual(rows.map(row => row.ms));
    const {
      rows: [odd],
    } = await db.query<{ bc: Date; never: number }>(
      "SELECT timestamptz '0044-03-15 12:00:00+00 BC' AS bc, timestamptz 'infinity' AS never",
    );
    expect(odd).toEqual({ bc: new Date('-000043-03-15T12:00:00Z'), never: Number.POSITIVE_INFINITY });
  });

  it('plans a marked statement once for each connection, for every value, and plans it again when the table has changed', async () => {
    await clear();
    await db.inStore(1, async trx => {
      await add(trx as never, 1, 'first');
      await add(trx as never, 1, 'second');
    });
    const read = (name: string) =>
      db.inStore(
        1,
        async trx => {
          const { rows } = await prepared(sql<Record<string, unknown>>`SELECT * FROM things WHERE name = ${name}`).execute(trx);
          const kept = await sql<{
            name: string;
          }>`SELECT name FROM pg_prepared_statements WHERE statement LIKE '%SELECT * FROM things WHERE name =%' AND name <> ''`.execute(
            trx,
          );
          return { columns: Object.keys(rows[0] ?? {}), names: rows.map(row => row.name), kept: kept.rows.length };
        },
        { readOnly: true },
      );
    for (const name of ['first', 'second', 'none', 'first', 'second', 'first', 'second'])
      expect(await read(name)).toMatchObject({ names: name === 'none' ? [] : [name], kept: 1 });
    await db.exec('ALTER TABLE things ADD COLUMN colour text');
    try {
      expect(await read('second')).toMatchObject({ names: ['second'], columns: expect.arrayContaining(['colour']) });
    } finally {
      await db.exec('ALTER TABLE things DROP COLUMN colour');
    }
    expect((await read('first')).columns).not.toContain('colour');
    // Another store sees nothing by the kept plan.
    expect(
      await db.inStore(2, async trx => (await prepared(sql`SELECT * FROM things WHERE name = ${'first'}`).execute(trx)).rows, {
        readOnly: true,
      }),
    ).toEqual([]);
  });

  it('takes values the same way everywhere', async () => {
    const values = [
      5,
      2 ** 53 - 1,
      '1.10',
      true,
      new Date('2024-02-29T22:30:00.123Z'),
      { a: [1] },
      ['x', 'y'],
      null,
      Buffer.from([1, 2]),
      undefined,
    ];
    const { rows } = await db.query(
      'SELECT $1::int4 AS a, $2::int8 AS b, $3::numeric AS c, $4::bool AS d, $5::timestamptz AS e, $6::jsonb AS f, $7::text[] AS g, $8::text AS h, $9::bytea AS i, $10::text AS j',
      values,
    );
    expect(rows[0]).toEqual({
      a: 5,
      b: 2 ** 53 - 1,
      c: '1.10',
      d: true,
      e: values[4],
      f: { a: [1] },
      g: ['x', 'y'],
      h: null,
      i: Buffer.from([1, 2]),
      j: null,
    });
  });

  it('refuses a number that JavaScript cannot hold instead of rounding it', async () => {
    await expect(db.query('SELECT 9007199254740993::int8')).rejects.toThrow('9007199254740993 is too large');
    expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('tells how many rows a statement touched', async () => {
    await clear();
    await db.inStore(1, async trx => {
      const inserted = await sql`INSERT INTO things (store_id, name) VALUES (1, 'a'), (1, 'b'), (1, 'c')`.execute(trx);
      expect(inserted.numAffectedRows).toBe(3n);
      expect(await sql`UPDATE things SET name = name || '!' WHERE name < 'c' RETURNING name`.execute(trx)).toMatchObject({
        numAffectedRows: 2n,
        rows: [{ name: 'a!' }, { name: 'b!' }],
      });
    });
    expect((await db.ownerQuery('DELETE FROM things')).affected).toBe(3);
  });

  it('works with queries built by Kysely', async () => {
    await clear();
    await db.inStore(1, async trx => {
      const typed = trx as Kysely<{ things: { id: number; store_id: number; name: string } }>;
      const { id } = await typed
        .insertInto('things')
        .values({ store_id: 1, name: 'kysely' } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(await typed.selectFrom('things').select(['id', 'name']).where('id', '=', id).execute()).toEqual([{ id, name: 'kysely' }]);
    });
  });

  describe('a transaction', () => {
    it('keeps what its work did when the work is done', async () => {
      await clear();
      expect(
        await db.inStore(1, async trx => {
          await add(trx as never, 1, 'a');
          return 'done';
        }),
      ).toBe('done');
      expect(await count(db)).toBe(1);
    });

    it('undoes everything when the work throws, and passes the error on', async () => {
      await clear();
      const error = new Error('changed my mind');
      await expect(
        db.inStore(1, async trx => {
          await add(trx as never, 1, 'a');
          throw error;
        }),
      ).rejects.toBe(error);
      expect(await count(db)).toBe(0);
    });

    it('is not reported as done when a failed statement was swallowed', async () => {
      await clear();
      await expect(
        db.inStore(1, async trx => {
          await add(trx as never, 1, 'a');
          await sql`SELECT 1/0`.execute(trx).catch(() => undefined);
        }),
      ).rejects.toThrow('nothing was changed');
      expect(await count(db)).toBe(0);
    });

    it('refuses writes when it is for reading only', async () => {
      await expect(db.inStore(1, trx => add(trx as never, 1, 'a'), { readOnly: true })).rejects.toMatchObject({ code: '25006' });
    });

    it('leaves nothing open between the statements of reads, and asks again in the same store', async () => {
      await clear();
      await db.inStore(1, trx => add(trx as never, 1, 'mine'));
      await db.inStore(2, trx => add(trx as never, 2, 'theirs'));
      const at = (trx: Kysely<never>) =>
        sql<{ at: string }>`SELECT now()::text AS at, pg_sleep(0.002)`.execute(trx).then(({ rows }) => rows[0]?.at);
      const [together, first, second, seen] = await db.inStore(
        1,
        async trx => {
          const both = await Promise.all([at(trx as never), at(trx as never)]);
          return [both, await at(trx as never), await at(trx as never), await names(trx as never)];
        },
        { readOnly: true },
      );
      // The moment of a transaction is that of its beginning.
      expect(together[0]).toBe(together[1]);
      expect(new Set([together[0], first, second]).size).toBe(3);
      expect(seen).toEqual(['mine']);
    });

    it('reads at one moment when a stricter isolation is asked for', async () => {
      const [first, second] = await db.inStore(
        1,
        async trx => {
          const at = async () => (await sql<{ at: string }>`SELECT now()::text AS at, pg_sleep(0.002)`.execute(trx)).rows[0]?.at;
          return [await at(), await at()];
        },
        { readOnly: true, isolation: 'repeatable read' },
      );
      expect(first).toBe(second);
    });

    it('ends reads that are given up in the middle of a batch before anybody else writes on their connection', async () => {
      await clear();
      const given = () =>
        db.inStore(
          1,
          async trx => {
            void names(trx as never).catch(() => undefined);
            // In the microtasks right after those that send it.
            for (let i = 0; i < 20; i++) await Promise.resolve();
            throw new Error('given up');
          },
          { readOnly: true },
        );
      // More of both than there are connections, so that each takes over one that was just given back; half of the writes are taken back.
      const done = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) => [
          given(),
          db.inStore(1, async trx => {
            await add(trx as never, 1, `kept or not ${i}`);
            if (i % 2) throw new Error('taken back');
          }),
        ]).flat(),
      );
      expect(done.filter(one => one.status === 'rejected' && one.reason.message === 'given up')).toHaveLength(40);
      expect(done.filter(one => one.status === 'fulfilled')).toHaveLength(20);
      expect(await count(db)).toBe(20);
    });

    it('goes on reading after a statement that failed', async () => {
      const read = await db.inStore(
        1,
        async trx => {
          await expect(sql`SELECT 1 / 0`.execute(trx)).rejects.toMatchObject({ code: '22012' });
          return (await sql<{ one: number }>`SELECT 1 AS one`.execute(trx)).rows;
        },
        { readOnly: true },
      );
      expect(read).toEqual([{ one: 1 }]);
    });

    it('refuses the port inside, which would wait for itself', async () => {
      for (const nested of [
        () => db.query('SELECT 1'),
        () => db.inStore(2, async () => 1),
        () => db.asOwner(async () => 1),
        () => sql`SELECT 1`.execute(db.kysely),
      ]) {
        await expect(db.inStore(1, () => nested() as Promise<unknown>)).rejects.toThrow('use its trx instead');
      }
      await expect(db.inStore(1, async () => 'free again')).resolves.toBe('free again');
    });

    it('refuses statements after its end', async () => {
      let kept: Kysely<never> | undefined;
      await db.inStore(1, async trx => {
        kept = trx as never;
      });
      await expect(add(kept!, 1, 'late')).rejects.toBeInstanceOf(DatabaseMisuse);
      expect(await db.inStore(1, async () => 1)).toBe(1);
    });

    it('is opened by the port alone', async () => {
      await expect(db.kysely.transaction().execute(async () => 1)).rejects.toThrow('inStore');
      await expect(db.inStore(1, trx => trx.transaction().execute(async () => 1))).rejects.toThrow();
    });

    it('leaves no trace on the connection for the next one', async () => {
      await db.inStore(7, async () => undefined);
      await db.asOwner(async () => undefined);
      await db.exec("SET statement_timeout = '7s'");
      const { rows } = await db.query("SELECT current_user::text AS role, current_setting('app.store') AS store");
      expect(rows[0]).toEqual({ role: 'perennial_app', store: '' });
    });

    it('of many at once does not mix up its statements with others', async () => {
      await clear();
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          db
            .inStore(1 + (i % 3), async trx => {
              await add(trx as never, 1 + (i % 3), `n${i}`);
              if (i % 4 === 0) throw new Error('undone');
              return (await sql<{ store: string }>`SELECT current_setting('app.store') AS store`.execute(trx)).rows[0]!.store;
            })
            .catch((error: Error) => error.message),
        ),
      );
      expect(results).toEqual(Array.from({ length: 60 }, (_, i) => (i % 4 === 0 ? 'undone' : String(1 + (i % 3)))));
      expect(await count(db)).toBe(45);
    });

    it('is tried again after a serialisation failure, and only so often', async () => {
      let runs = 0;
      const fail = (until: number) =>
        db.inStore(1, async trx => {
          runs++;
          if (runs <= until) await sql`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`.execute(trx);
          return 'done';
        });
      expect(await fail(3)).toBe('done');
      expect(runs).toBe(4);
      runs = 0;
      await expect(fail(99)).rejects.toBeInstanceOf(SerializationFailure);
      expect(runs).toBe(10);
    });
  });

  describe('row-level security', () => {
    beforeAll(async () => {
      await clear();
      await db.asOwner(async trx => {
        for (const [store, name] of [
          [1, 'one'],
          [2, 'two'],
          [2, 'deux'],
        ] as const)
          await add(trx as never, store, name);
      });
    });

    it('hides the rows of other stores from a query without a filter', async () => {
      expect(await db.inStore(1, trx => names(trx as never), { readOnly: true })).toEqual(['one']);
      expect(await db.inStore(2, trx => names(trx as never), { readOnly: true })).toEqual(['deux', 'two']);
      expect(await db.inStore(3, trx => names(trx as never), { readOnly: true })).toEqual([]);
    });

    it('binds writes too', async () => {
      await expect(db.inStore(1, trx => add(trx as never, 2, 'foreign'))).rejects.toBeInstanceOf(StoreViolation);
      await expect(db.inStore(1, trx => sql`UPDATE things SET store_id = 2`.execute(trx))).rejects.toBeInstanceOf(StoreViolation);
      expect((await db.inStore(1, trx => sql`DELETE FROM things`.execute(trx))).numAffectedRows).toBe(1n);
      expect(await db.inStore(2, trx => names(trx as never))).toEqual(['deux', 'two']);
    });

    it('shows nothing and takes nothing without a store', async () => {
      expect(await db.asSystem(trx => names(trx as never))).toEqual([]);
      expect((await db.query('SELECT * FROM things')).rows).toEqual([]);
      await expect(db.asSystem(trx => add(trx as never, 1, 'unknown'))).rejects.toBeInstanceOf(StoreViolation);
    });

    it('cannot be left by the role that calls run as', async () => {
      await expect(db.inStore(1, trx => sql`ALTER TABLE things DISABLE ROW LEVEL SECURITY`.execute(trx))).rejects.toMatchObject({
        code: '42501',
      });
      await expect(
        db.inStore(1, trx => sql`SET LOCAL row_security = off`.execute(trx).then(() => names(trx as never))),
      ).rejects.toMatchObject({ code: '42501' });
      await expect(db.inStore(1, trx => sql`DROP TABLE things`.execute(trx))).rejects.toMatchObject({ code: '42501' });
    });

    it('takes whole numbers above 0 for a store and nothing else', async () => {
      for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53, '1' as unknown as number, "1'; DROP TABLE things; --" as unknown as number]) {
        await expect(db.inStore(id, async () => 1)).rejects.toBeInstanceOf(DatabaseMisuse);
      }
    });
  });

  describe('an error', () => {
    it.each([
      [
        'UniqueViolation',
        UniqueViolation,
        "INSERT INTO things (store_id, name) VALUES (1, 'same'), (1, 'same')",
        { constraint: 'things_name', table: 'things' },
      ],
      [
        'ForeignKeyViolation',
        ForeignKeyViolation,
        'INSERT INTO parts (store_id, thing_id) VALUES (1, 99)',
        { constraint: 'parts_thing', table: 'parts' },
      ],
      [
        'CheckViolation',
        CheckViolation,
        "INSERT INTO things (store_id, name, size) VALUES (1, 'x', -1)",
        { constraint: 'things_size_check' },
      ],
      ['CheckViolation', CheckViolation, 'INSERT INTO things (store_id) VALUES (1)', { constraint: 'name' }],
      ['DatabaseError', DatabaseError, 'SELEKT 1', { code: '42601' }],
      ['DatabaseError', DatabaseError, "SELECT 'x'::int", { code: '22P02' }],
    ])('is a %s', async (name, type, statement, parts) => {
      const error = await db.inStore(1, trx => sql.raw(statement).execute(trx)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ name, ...parts });
    });

    it('in a statement outside of a transaction leaves the connection usable', async () => {
      for (let i = 0; i < 12; i++) await expect(db.query('SELECT $1::int', ['x'])).rejects.toBeInstanceOf(DatabaseError);
      await expect(db.exec('BEGIN; SELECT 1/0; COMMIT')).rejects.toMatchObject({ code: '22012' });
      await expect(db.exec('BEGIN; SELECT 1')).resolves.toBeUndefined();
      expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    it('does not repeat the values of a row', async () => {
      const error = await db
        .inStore(1, trx => sql`INSERT INTO things (store_id, name) VALUES (1, 'ada@mail.example'), (1, 'ada@mail.example')`.execute(trx))
        .catch((thrown: unknown) => thrown);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('ada@mail.example');
    });
  });

  describe('a time limit', () => {
    it('ends a transaction whose work does not come to an end, and gives its connection back', async () => {
      await clear();
      await expect(
        db.inStore(
          1,
          async trx => {
            await add(trx as never, 1, 'slow');
            await new Promise(() => undefined);
          },
          { timeoutMs: 300 },
        ),
      ).rejects.toBeInstanceOf(DatabaseBusy);
      expect(await count(db)).toBe(0);
      await Promise.all(Array.from({ length: 12 }, () => db.query('SELECT 1')));
    });

    it('covers the wait for a connection', async () => {
      const held = kind === 'embedded' ? 1 : 5;
      let free: (() => void) | undefined;
      const freed = new Promise<void>(resolve => {
        free = resolve;
      });
      const holders = Array.from({ length: held }, () => db.inStore(1, () => freed, { timeoutMs: 20_000 }));
      await expect(db.inStore(1, async () => 1, { timeoutMs: 400 })).rejects.toBeInstanceOf(DatabaseBusy);
      free!();
      await Promise.all(holders);
      expect(await db.inStore(1, async () => 1)).toBe(1);
    });

    it('is ended by a slow statement with DatabaseBusy', async () => {
      await expect(db.inStore(1, trx => sql`SELECT pg_sleep(1.2)`.execute(trx), { timeoutMs: 300 })).rejects.toBeInstanceOf(DatabaseBusy);
      expect(await db.inStore(1, async () => 1)).toBe(1);
    });
  });

  it('answers a ping', async () => {
    await expect(db.ping()).resolves.toBeUndefined();
  });

  it('keeps its rows over a restart and refuses work after its end', async () => {
    await clear();
    await db.inStore(1, trx => add(trx as never, 1, 'kept'));
    const before = db;
    db = await test.reopen();
    expect(await db.inStore(1, trx => names(trx as never))).toEqual(['kept']);
    await expect(before.query('SELECT 1')).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  });
});
