// What has done its duty is deleted in steps, so that the embedded database serves others in between.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOutlived } from '../../../../src/server/features/housekeeping/jobs/tidy.ts';
import type { Database } from '../../../../src/server/platform/db/database.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { jobWith } from '../../../support/job.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../support/database.ts';

const { retention } = await loadModules();

describe.each(oneEngine)('tidying on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database?.remove());

  it('deletes thousands of old rows in several statements, and leaves those that are young', async () => {
    const { db } = database;
    await db.ownerQuery(
      "insert into login_attempts (key, at) select md5(n::text), now() - case when n <= 7 then interval '59 minutes' else interval '61 minutes' end from generate_series(1, 1207) n",
    );
    const statements: number[] = [];
    const watched = {
      ...db,
      kind: db.kind,
      ownerQuery: async (text: string) => {
        const done = await db.ownerQuery(text);
        if (text.includes('login_attempts')) statements.push(done.affected);
        return done;
      },
    };
    await deleteOutlived({ db: watched as Database, retention }, jobWith());
    expect((await db.ownerQuery<{ n: number }>('select count(*) as n from login_attempts')).rows[0]?.n).toBe(7);
    expect(statements.reduce((sum, n) => sum + n, 0)).toBe(1200);
    if (engine === 'embedded') expect(statements[0]).toBe(200);
    else expect(statements).toEqual([1200]);
  });

  it('empties the text of e-mails after twelve months, and keeps that they were sent', async () => {
    const { db } = database;
    await db.ownerQuery(
      "insert into outbox (store_id, template, recipient, subject, text, html, created_at) select 1, 'ORDER_PLACED', 'a@mail.example', 'Yours', 'Dear Ann', '<p>Dear Ann</p>', now() - days * interval '1 day' from unnest(array[360, 370]) days",
    );
    await deleteOutlived({ db, retention }, jobWith());
    const { rows } = await db.ownerQuery('select subject, text, html from outbox order by created_at');
    expect(rows).toEqual([
      { subject: 'Yours', text: '', html: '' },
      { subject: 'Yours', text: 'Dear Ann', html: '<p>Dear Ann</p>' },
    ]);
  });

  it('ends between two statements when the process shuts down', async () => {
    const over = new AbortController();
    over.abort(new Error('The server is shutting down.'));
    await expect(deleteOutlived({ db: database.db, retention }, jobWith(over.signal))).rejects.toThrow('shutting down');
  });
});
