// What only the embedded database has to prove: its lock, kills, power cuts, failing disks, upkeep, backups and quick starts.
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { restore } from '../../../../src/server/platform/db/embedded/backup.ts';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';
import { openEmbedded } from '../../../../src/server/platform/db/embedded/embedded-engine.ts';
import { DatabaseUnavailable } from '../../../../src/server/platform/db/errors.ts';
import { FolderLocked } from '../../../../src/server/platform/db/embedded/folder-lock.ts';
import { findSnapshot } from '../../../../src/server/platform/db/embedded/snapshot.ts';
import { Upkeep } from '../../../../src/server/platform/db/embedded/upkeep.ts';
import { keepCompiled, temporaryFolder } from '../../../support/database.ts';
import { killAgainAndAgain, seeded, startWriter, type Said } from '../../../support/torture/embedded-kill.ts';
import { scratch } from './scratch.ts';

const children = path.join(path.dirname(fileURLToPath(import.meta.url)), 'children');
const open = (folder: string, more: { upkeep?: boolean } = {}): Promise<Database> =>
  openDatabase({ database: { kind: 'embedded' }, dataFolder: folder, migrations: scratch, timeoutMs: 30_000, ...more });
const add = (db: Database, name: string) => db.inStore(1, trx => sql`INSERT INTO things (store_id, name) VALUES (1, ${name})`.execute(trx));
const names = async (db: Database) =>
  (await db.ownerQuery<{ name: string }>('SELECT name FROM things ORDER BY name')).rows.map(({ name }) => name);
const until = async (check: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await check())) await new Promise(resolve => setTimeout(resolve, 50));
};
/** Runs a writer until it has said what is waited for; gives everything it said. */
const writer = async (
  folder: string,
  done: (said: Said[]) => boolean,
  options: { most?: number; env?: NodeJS.ProcessEnv; mode?: 'single' | 'batch' } = {},
): Promise<Said[]> => {
  const heard: Said[] = [];
  const child = await startWriter(
    folder,
    options.mode ?? 'single',
    said => {
      heard.push(said);
      if (done(heard)) child.kill('SIGKILL');
    },
    options,
  );
  await once(child, 'exit');
  return heard;
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await keepCompiled();
});

describe('the folder of an embedded database', () => {
  it('is made with the newest schema, and opened again as it was left', async () => {
    let db = await open(folder);
    await add(db, 'first');
    await db.close();
    expect(fs.readdirSync(folder)).toEqual(['db']);
    db = await open(folder);
    expect(await names(db)).toEqual(['first']);
    await db.close();
  });

  it('is not opened by a second process, whose error names the one that has it', async () => {
    const db = await open(folder);
    db.announce('http://127.0.0.1:3000');
    const [said] = await writer(folder, () => false);
    expect(said!.refused).toContain(`in use by process ${process.pid}`);
    expect(said!.refused).toContain('http://127.0.0.1:3000');
    await expect(open(folder)).rejects.toBeInstanceOf(FolderLocked);
    await add(db, 'still mine');
    await db.close();
  });

  it('goes to one of two processes that start at the same moment', async () => {
    const heard: Said[][] = await Promise.all(
      [1, 2].map(() => writer(folder, said => said.some(({ finished }) => finished), { most: 20 })),
    );
    const refused = heard.filter(said => said[0]?.refused !== undefined);
    // Both may get through one after the other when the machine is slow, but never both at a time: no row of either is missing.
    const db = await open(folder);
    expect((await names(db)).length).toBe(20 * (2 - refused.length));
    await db.close();
  });

  it('left by a killed process is taken over', async () => {
    const heard = await writer(folder, said => said.length > 5);
    expect(fs.existsSync(path.join(folder, 'lock'))).toBe(true);
    const db = await open(folder);
    expect((await names(db)).length).toBeGreaterThanOrEqual(heard.filter(({ answered }) => answered).length);
    await db.close();
  });

  it('that a kill left half made is made again', async () => {
    fs.mkdirSync(path.join(folder, 'db.new-1'));
    fs.writeFileSync(path.join(folder, 'db.new-1', 'PG_VERSION'), '18\n');
    const db = await open(folder);
    expect(await names(db)).toEqual([]);
    await db.close();
    expect(fs.readdirSync(folder)).toEqual(['db']);
  });

  it('that holds something else is refused with what to do', async () => {
    fs.mkdirSync(path.join(folder, 'db'));
    fs.writeFileSync(path.join(folder, 'db', 'holiday.jpg'), '');
    await expect(open(folder)).rejects.toThrow('is not empty and is not a database');
    fs.writeFileSync(path.join(folder, 'db', 'PG_VERSION'), '16\n');
    await expect(open(folder)).rejects.toThrow('holds a database of PostgreSQL 16');
    expect(fs.existsSync(path.join(folder, 'lock'))).toBe(false);
  });
});

describe('an answered write', () => {
  it('survives kills at random moments, whole', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const report = await killAgainAndAgain(folder, 2, seeded(seed));
    expect({ seed, lost: report.lost, torn: report.torn, failed: report.failed }).toEqual({ seed, lost: 0, torn: 0, failed: [] });
    expect(report.answered).toBeGreaterThan(0);
  });

  it.runIf(process.platform === 'linux')('survives a power cut that loses everything not flushed to disk', async () => {
    await (await open(folder)).close();
    const place = path.join(folder, 'db');
    const kept = path.join(folder, 'kept');
    fs.mkdirSync(kept);
    // The starting point is on disk: a copy of every file under its inode, and the names.
    const start: Record<string, number> = {};
    for (const entry of fs.readdirSync(place, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      start[file] = fs.statSync(file).ino;
      fs.copyFileSync(file, path.join(kept, String(start[file])));
    }
    fs.writeFileSync(path.join(kept, 'names.json'), JSON.stringify(start));

    const heard = await writer(folder, said => said.filter(({ answered }) => answered).length >= 40, {
      env: { NODE_OPTIONS: `--require ${path.join(children, 'lossy-disk.cjs')}`, LOSSY_FOLDER: place, LOSSY_KEPT: kept },
    });
    const answered = Math.max(...heard.map(said => said.answered ?? 0));
    expect(answered).toBeGreaterThanOrEqual(40);

    // What the disk would hold after the cut: flushed contents under flushed names, in a folder tree as it is.
    const after = path.join(folder, 'after');
    for (const entry of fs.readdirSync(place, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory())
        fs.mkdirSync(path.join(after, 'db', path.relative(place, path.join(entry.parentPath, entry.name))), {
          recursive: true,
          mode: 0o700,
        });
    }
    for (const [file, ino] of Object.entries(
      JSON.parse(fs.readFileSync(path.join(kept, 'names.json'), 'utf8')) as Record<string, number>,
    )) {
      const content = path.join(kept, String(ino));
      const target = path.join(after, 'db', path.relative(place, file));
      if (fs.existsSync(content)) fs.copyFileSync(content, target);
      else fs.writeFileSync(target, '');
    }
    const db = await open(after);
    const {
      rows: [found],
    } = await db.ownerQuery<{ n: number; top: number }>('SELECT count(*) AS n, max(n) AS top FROM things');
    expect(found!.top).toBeGreaterThanOrEqual(answered);
    expect(found!.n).toBe(found!.top);
    await db.close();
  });

  it.each([
    ['fails', ''],
    ['is full', 'full'],
  ])('is not answered while the disk %s, and the database comes back when it works again', async (_, how) => {
    const failing = path.join(folder, 'failing');
    const before = process.env['FAILING_DISK'];
    const options = process.env['NODE_OPTIONS'];
    // Worker threads read these when they start.
    process.env['FAILING_DISK'] = failing;
    process.env['NODE_OPTIONS'] = `${options ?? ''} --require ${path.join(children, 'failing-disk.cjs')}`;
    const db = await open(folder, { upkeep: false });
    try {
      await add(db, 'before');
      fs.writeFileSync(failing, how);
      await expect(add(db, 'never flushed')).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(db.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
      fs.rmSync(failing);
      await until(() =>
        add(db, 'after').then(
          () => true,
          () => false,
        ),
      );
      // What failed may be there or not, as after a cut line: it was not answered.
      expect(await names(db)).toEqual(expect.arrayContaining(['after', 'before']));
    } finally {
      if (before === undefined) delete process.env['FAILING_DISK'];
      else process.env['FAILING_DISK'] = before;
      if (options === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = options;
      fs.rmSync(failing, { force: true });
      await db.close();
    }
  });
});

describe('upkeep', () => {
  it('writes a checkpoint and vacuums when no call waits', async () => {
    const db = await open(folder);
    await db.asOwner(trx => sql`INSERT INTO things (store_id, name) SELECT 1, 'n' || i FROM generate_series(1, 20000) i`.execute(trx));
    await db.asOwner(trx => sql`DELETE FROM things WHERE id % 2 = 0`.execute(trx));
    await until(async () => {
      const {
        rows: [state],
      } = await db.ownerQuery<{ vacuums: number; dead: number; log: number }>(`
        SELECT vacuum_count AS vacuums, n_dead_tup AS dead, (SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 FROM pg_control_checkpoint()) AS log
        FROM pg_stat_user_tables WHERE relname = 'things'`);
      // Looking counts as use, so look seldom.
      await new Promise(resolve => setTimeout(resolve, 1500));
      return state!.vacuums > 0 && state!.dead === 0 && state!.log < 1 << 20;
    });
    await db.close();
  });
});

describe('upkeep and backups', () => {
  it('writes one when its time has come and something changed since the last one', async () => {
    const engine = await openEmbedded({ folder, upkeep: false, seed: () => findSnapshot(scratch) });
    const log: string[] = [];
    const upkeep = new Upkeep({
      idle: () => true,
      borrow: () => engine.acquire('owner', 60_000),
      backup: async () => {
        log.push('backup');
      },
      backedUpAt: Date.now() - 10_000,
      backupMs: 2000,
      log: { info: () => undefined, warn: (_, message) => log.push(message), error: (_, message) => log.push(message) },
    });
    const use = async (text: string) => {
      const lease = await engine.acquire('owner', 60_000);
      await lease.client.query(text);
      lease.release();
      upkeep.touched();
    };
    upkeep.start();
    await use("INSERT INTO things (store_id, name) VALUES (1, 'a')");
    await until(() => log.length === 1);
    // Reading is no reason for another one.
    for (let i = 0; i < 4; i++) {
      await use('SELECT * FROM things');
      await new Promise(resolve => setTimeout(resolve, 1100));
    }
    expect(log).toEqual(['backup']);
    await use("INSERT INTO things (store_id, name) VALUES (1, 'b')");
    await until(() => log.length === 2);
    expect(log).toEqual(['backup', 'backup']);
    upkeep.stop();
    await engine.close();
  });
});

describe('a backup', () => {
  it('holds what was committed, while writing goes on, and can be put back', async () => {
    let db = await open(folder);
    await add(db, 'kept');
    const [file] = await Promise.all([db.backup(), ...Array.from({ length: 30 }, (_, i) => add(db, `meanwhile ${i}`))]);
    await add(db, 'later');
    expect(path.dirname(file)).toBe(path.join(folder, 'backups'));
    expect(fs.readdirSync(path.join(folder, 'backups'))).toEqual([path.basename(file)]);
    await expect(restore(file, folder)).rejects.toBeInstanceOf(FolderLocked);
    await db.close();

    const before = await restore(file, folder);
    db = await open(folder);
    const found = await names(db);
    expect(found).toContain('kept');
    expect(found).not.toContain('later');
    await db.close();

    // What was there before is kept beside it, and opens.
    fs.renameSync(path.join(folder, 'db'), path.join(folder, 'restored'));
    fs.renameSync(before!, path.join(folder, 'db'));
    db = await open(folder);
    expect(await names(db)).toContain('later');
    await db.close();
  });

  it('takes the place of the oldest of three', async () => {
    const db = await open(folder);
    const files: string[] = [];
    for (let i = 0; i < 4; i++) files.push(path.basename(await db.backup()));
    expect(fs.readdirSync(path.join(folder, 'backups')).sort()).toEqual(files.slice(1));
    await db.close();
  });

  it('that is damaged or something else changes nothing', async () => {
    const db = await open(folder);
    await add(db, 'untouched');
    const file = await db.backup();
    await db.close();
    const bytes = fs.readFileSync(file);
    for (const [name, content] of [
      ['short', bytes.subarray(0, bytes.length >> 1)],
      ['wrong', Buffer.from('not a backup')],
    ] as const) {
      const damaged = path.join(folder, `${name}.tar.gz`);
      fs.writeFileSync(damaged, content);
      await expect(restore(damaged, folder)).rejects.toThrow(/damaged|cut short/);
    }
    const again = await open(folder);
    expect(await names(again)).toEqual(['untouched']);
    await again.close();
  });
});

describe('the ready-made empty database', () => {
  it('has the whole schema, so that a first start migrates nothing', async () => {
    const file = await findSnapshot(scratch);
    const engine = await openEmbedded({ folder, seed: async () => file });
    const { rows } = await engine.session(client =>
      client.query<{ name: string }>(
        "SELECT name FROM perennial_migrations UNION ALL SELECT 'queue' WHERE to_regclass('pgboss.job') IS NOT NULL",
      ),
    );
    expect(rows.map(({ name }) => name)).toEqual(['001-things.sql', 'queue']);
    await engine.close();
  });
});
