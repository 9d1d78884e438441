// Migrations, on both engines: each once, in order, whole or not at all; two processes at once; clear words when it cannot be.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../../src/server/platform/db/embedded/embedded-engine.ts';
import type { Engine } from '../../../../src/server/platform/db/engine.ts';
import { migrate, readMigrations, type Migration, type MigrateOptions } from '../../../../src/server/platform/db/migrate.ts';
import { openPostgres } from '../../../../src/server/platform/db/postgres-engine.ts';
import { findSnapshot } from '../../../../src/server/platform/db/embedded/snapshot.ts';
import { createPostgresDatabase, engines, keepCompiled, onServer, temporaryFolder } from '../../../support/database.ts';
import { PostgresCluster, skipPostgres } from '../../../support/postgres.ts';
import { startProgram } from '../../../support/program.ts';
import { migration } from './scratch.ts';

const child = path.join(path.dirname(fileURLToPath(import.meta.url)), 'children', 'migrator.ts');
interface Said {
  started?: true;
  applied?: string[];
  failed?: string;
}
const migrator = async (where: string, folder: string, hear: (said: Said, self: ChildProcess) => void): Promise<void> => {
  const self = await startProgram(child, [where, folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  self.on('message', said => hear(said as Said, self));
  await once(self, 'exit');
};

const one = migration(1, 'one', 'CREATE TABLE one (id int); INSERT INTO one VALUES (1);');
const two = migration(2, 'two', 'CREATE TABLE two (id int); INSERT INTO one VALUES (2);');

describe.each(engines)('migrations on %s', kind => {
  let engine: Engine;
  let where: string;
  let end: () => Promise<void>;
  const open = (): Promise<Engine> =>
    kind === 'postgres'
      ? openPostgres({ url: where, statementMs: 4500 })
      : openEmbedded({ folder: where, upkeep: false, seed: () => findSnapshot([]) });
  beforeAll(async () => {
    if (kind === 'embedded') await keepCompiled();
  });
  beforeEach(async () => {
    const made = kind === 'postgres' ? await createPostgresDatabase() : undefined;
    where = made?.url ?? temporaryFolder();
    engine = await open();
    end = async () => {
      await engine.close();
      await made?.remove();
      if (!made) fs.rmSync(where, { recursive: true, force: true });
    };
  });
  afterEach(() => end());
  const run = (migrations: readonly Migration[], more: MigrateOptions = {}) =>
    engine.session(client => migrate(client, { migrations, ...more }));
  const rows = async (text: string) => (await engine.session(client => client.query<{ v: unknown }>(text))).rows.map(({ v }) => v);

  it('run once, in order, also when more come later', async () => {
    expect(await run([one])).toEqual(['001-one.sql']);
    expect(await run([one])).toEqual([]);
    expect(await run([one, two])).toEqual(['002-two.sql']);
    expect(await rows('SELECT id AS v FROM one ORDER BY id')).toEqual([1, 2]);
    expect(await rows('SELECT name AS v FROM perennial_migrations ORDER BY number')).toEqual(['001-one.sql', '002-two.sql']);
  });

  it('make the role for calls, which can do nothing but what it is granted', async () => {
    await run([one]);
    expect(
      await rows("SELECT rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole AS v FROM pg_roles WHERE rolname = 'perennial_app'"),
    ).toEqual([false]);
    await engine.bind('perennial_app');
    const lease = await engine.acquire('app', 1000);
    await expect(lease.client.query('SELECT * FROM one')).rejects.toMatchObject({ code: '42501' });
    lease.release();
  });

  it('that fail are undone as a whole and say where', async () => {
    const broken = migration(2, 'broken', 'CREATE TABLE two (id int);\nINSERT INTO one VALUES (7);\nINSERT INTO nowhere VALUES (1);');
    await expect(run([one, broken])).rejects.toThrow(
      /002-broken\.sql failed in line 3: relation "nowhere" does not exist\. Nothing of it was kept/,
    );
    expect(await rows('SELECT id AS v FROM one')).toEqual([1]);
    expect(await rows("SELECT to_regclass('two') AS v")).toEqual([null]);
    expect(await run([one, two])).toEqual(['002-two.sql']);
  });

  it('that end their own transaction are refused', async () => {
    await expect(run([migration(1, 'sly', 'CREATE TABLE x (id int); ROLLBACK;')])).rejects.toThrow(
      'leave BEGIN, COMMIT and ROLLBACK out of it',
    );
  });

  it('may not change after they ran', async () => {
    await run([one]);
    await expect(run([migration(1, 'one', `${one.sql} -- better`)])).rejects.toThrow('001-one.sql was changed after it had been applied');
  });

  it('of a newer release stop an older one', async () => {
    await run([one, two]);
    await expect(run([one])).rejects.toThrow('002-two.sql, which this release does not know');
  });

  it('cannot slip in before others that ran', async () => {
    await run([one, migration(3, 'three', 'SELECT 1')]);
    await expect(run([one, two, migration(3, 'three', 'SELECT 1')])).rejects.toThrow('002-two.sql comes before 003-three.sql');
  });

  it('killed in the middle go on where they were', async () => {
    const folder = temporaryFolder();
    await engine.close();
    fs.writeFileSync(path.join(folder, '001-one.sql'), one.sql);
    fs.writeFileSync(path.join(folder, '002-two.sql'), `${two.sql} SELECT pg_sleep(1.5);`);
    fs.writeFileSync(path.join(folder, '003-three.sql'), 'CREATE TABLE three (id int);');
    // Killed at several moments, most of them within the second migration.
    for (const afterMs of [60, 400, 800]) {
      await migrator(where, folder, ({ started }, self) => {
        if (started) setTimeout(() => self.kill('SIGKILL'), afterMs);
      });
    }
    engine = await open();
    const migrations = readMigrations(folder);
    const done = await run(migrations);
    expect(done.at(-1)).toBe('003-three.sql');
    expect(await rows('SELECT id AS v FROM one ORDER BY id')).toEqual([1, 2]);
    expect(await rows('SELECT number AS v FROM perennial_migrations ORDER BY number')).toEqual([1, 2, 3]);
    fs.rmSync(folder, { recursive: true });
  });

  it.runIf(kind === 'postgres')('run once when several processes start at the same moment', async () => {
    const folder = temporaryFolder();
    await engine.close();
    fs.writeFileSync(path.join(folder, '001-one.sql'), `${one.sql} SELECT pg_sleep(0.3);`);
    fs.writeFileSync(path.join(folder, '002-two.sql'), two.sql);
    const heard: Said[] = [];
    await Promise.all(Array.from({ length: 3 }, () => migrator(where, folder, said => heard.push(said))));
    expect(heard.filter(({ failed }) => failed)).toEqual([]);
    expect(heard.flatMap(({ applied }) => applied ?? [])).toEqual(['001-one.sql', '002-two.sql']);
    engine = await open();
    expect(await rows('SELECT id AS v FROM one ORDER BY id')).toEqual([1, 2]);
    fs.rmSync(folder, { recursive: true });
  });
});

describe('the files of migrations', () => {
  it('are read in order, the same on every system', () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, '002-b.sql'), 'SELECT 2;\r\nSELECT 3;\r\n');
    fs.writeFileSync(path.join(folder, '001-a.sql'), 'SELECT 1;\n');
    fs.writeFileSync(path.join(folder, 'notes.md'), '');
    const read = readMigrations(folder);
    expect(read.map(({ name }) => name)).toEqual(['001-a.sql', '002-b.sql']);
    expect(read[1]!.sql).toBe('SELECT 2;\nSELECT 3;\n');
    fs.writeFileSync(path.join(folder, '002-c.sql'), '');
    expect(() => readMigrations(folder)).toThrow('002-b.sql and 002-c.sql have the same number');
    fs.rmSync(path.join(folder, '002-c.sql'));
    fs.writeFileSync(path.join(folder, 'later.sql'), '');
    expect(() => readMigrations(folder)).toThrow('later.sql must be named like 001-stores.sql');
    fs.rmSync(folder, { recursive: true });
  });
});

describe.skipIf(skipPostgres)('a database user without enough rights', () => {
  let cluster: PostgresCluster;
  const admin = (text: string, database = 'postgres') => onServer(cluster.url(database), client => client.query(text));
  const run = async (user: string, options: MigrateOptions) => {
    const engine = await openPostgres({ url: cluster.url('shop', user), statementMs: 4500 });
    try {
      return await engine.session(client => migrate(client, options));
    } finally {
      await engine.close();
    }
  };
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await admin('CREATE ROLE plain LOGIN');
  });
  afterAll(() => cluster.remove());
  // A server that nothing was done to yet, also for a further try.
  beforeEach(async () => {
    await admin('DROP DATABASE IF EXISTS shop WITH (FORCE)');
    await admin('CREATE DATABASE shop');
    await admin('DROP ROLE IF EXISTS perennial_app, another_app, strong_app, heir_app');
  });

  it('names what an administrator has to run, and that is enough', async () => {
    const refused = async () =>
      (
        await run('plain', { migrations: [one] }).then(
          () => undefined,
          (error: Error) => error.message,
        )
      )?.split('Let an administrator run:\n')[1];
    const steps: string[] = [];
    for (let step = await refused(); step !== undefined; step = await refused()) {
      steps.push(step.replace(/\s+/g, ' ').trim());
      expect(steps.length).toBeLessThan(5);
      await admin(step, 'shop');
    }
    expect(steps).toEqual([
      'CREATE ROLE "perennial_app" NOLOGIN; GRANT "perennial_app" TO "plain";',
      'GRANT CREATE ON DATABASE "shop" TO "plain"; GRANT USAGE, CREATE ON SCHEMA public TO "plain";',
    ]);
    expect(await run('plain', { migrations: [one, two] })).toEqual(['002-two.sql']);
  });

  it('says so when it may not take on a role that is there', async () => {
    await admin('CREATE ROLE another_app NOLOGIN');
    await expect(run('plain', { migrations: [], role: 'another_app' })).rejects.toThrow(
      /may not create or take on the role "another_app"[^]*run:\n {2}GRANT "another_app" TO "plain";$/,
    );
  });

  it('reads how to give the rights again that a restored database lost, and whose tables they are, before anything is changed', async () => {
    const granted = migration(1, 'one', 'CREATE TABLE one (id int); GRANT SELECT ON one TO perennial_app;');
    await admin('CREATE ROLE perennial_app NOLOGIN; GRANT perennial_app TO plain');
    await admin('GRANT CREATE ON DATABASE shop TO plain; GRANT USAGE, CREATE ON SCHEMA public TO plain', 'shop');
    await run('plain', { migrations: [granted] });
    expect(await run('plain', { migrations: [granted] })).toEqual([]);
    // As it is after pg_restore on a server without the role.
    await admin('REVOKE ALL ON one FROM perennial_app', 'shop');
    const again = run('plain', { migrations: [granted, two] });
    await expect(again).rejects.toThrow(/may read no table: [^]*grep ' ACL '[^]*--dbname="shop" FILE$/);
    await admin('GRANT SELECT ON one TO perennial_app', 'shop');
    const refused = { mayStart: () => Promise.reject(new Error('not yet')) };
    await expect(run('plain', { migrations: [granted, two], ...refused })).rejects.toThrow('not yet');
    expect((await admin("SELECT FROM pg_tables WHERE tablename = 'two'", 'shop')).rows).toEqual([]);
    await admin('ALTER TABLE perennial_migrations OWNER TO postgres', 'shop');
    await expect(run('plain', { migrations: [granted, two] })).rejects.toThrow(/belong to postgres, and the server signs in as plain/);
  });

  it('is never given a role that gets around row-level security', async () => {
    await admin('CREATE ROLE strong_app NOLOGIN BYPASSRLS');
    await expect(run('postgres', { migrations: [], role: 'strong_app' })).rejects.toThrow(
      'ALTER ROLE "strong_app" NOSUPERUSER NOBYPASSRLS;',
    );
    await admin('CREATE ROLE heir_app NOLOGIN; GRANT plain TO heir_app');
    await expect(run('postgres', { migrations: [], role: 'heir_app' })).rejects.toThrow('must not be a member of another role (plain)');
  });
});
