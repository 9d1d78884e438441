// A first start that is killed in the middle of the demo store leaves nothing of it: the next one starts over, with every index.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isEmpty, seedStores } from '../../../../src/server/features/demo/seed.ts';
import { openDatabase, type Database } from '../../../../src/server/platform/db/database.ts';
import { openTestDatabase, temporaryFolder } from '../../../support/database.ts';
import { startProgram } from '../../../support/program.ts';

const child = fileURLToPath(new URL('child.ts', import.meta.url));
const indexes = async (db: Database) =>
  (await db.ownerQuery<{ indexdef: string }>("select indexdef from pg_indexes where schemaname = 'public' order by 1")).rows.map(
    row => row.indexdef,
  );

it('a killed seeding leaves neither stores nor missing indexes, and is made up for', async () => {
  const fresh = await openTestDatabase('embedded');
  const all = await indexes(fresh.db);
  await fresh.remove();

  const folder = temporaryFolder();
  const run = await startProgram(child, [folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const said: unknown[] = [];
  await new Promise<void>(resolve => {
    run.on('message', message => {
      said.push((message as { done: unknown }).done);
      run.kill('SIGKILL');
    });
    run.once('exit', () => resolve());
  });
  expect(said.length).toBeGreaterThan(0);
  expect(said).not.toContain('all');

  const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: folder, upkeep: false });
  try {
    expect(await isEmpty(db)).toBe(true);
    expect(await indexes(db)).toEqual(all);
    await seedStores(db, { seed: 3, contracts: 60, areas: ['subscriptionDetails'] });
    expect((await db.ownerQuery<{ n: number }>('select count(*) as n from contracts')).rows[0]?.n).toBe(60);
    expect(await indexes(db)).toEqual(all);
  } finally {
    await db.close();
  }
}, 300_000);
