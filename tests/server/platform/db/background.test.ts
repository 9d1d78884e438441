// Who goes first at the embedded database: what a person waits for, before work in the background that asked at the same time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase('embedded', { timeoutMs: 20_000 });
});
afterAll(() => database?.remove());

test('calls pass the queue, jobs and scripts that wait for the connection, and both keep their own order', async () => {
  const { db } = database;
  let begun: () => void = () => undefined;
  let release: () => void = () => undefined;
  const inside = new Promise<void>(resolve => {
    begun = resolve;
  });
  const gate = new Promise<void>(resolve => {
    release = resolve;
  });
  const holder = db.asOwner(async trx => {
    await trx.selectFrom('stores').select('id').execute();
    begun();
    await gate;
  });
  await inside;
  const went: string[] = [];
  const note = (name: string) => (): void => {
    went.push(name);
  };
  const all = [
    db.ownerQuery('select 1').then(note('queue')),
    db.inStore(1, trx => trx.selectFrom('stores').select('id').execute(), { timeoutMs: 60_000 }).then(note('job')),
    db.inStore(1, trx => trx.selectFrom('stores').select('id').execute(), { readOnly: true }).then(note('call')),
    db.exec('select 1').then(note('script')),
    db.query('select 1').then(note('another call')),
    db.asSystem(trx => trx.selectFrom('stores').select('id').execute()).then(note('sign-in')),
  ];
  release();
  await Promise.all([holder, ...all]);
  expect(went).toEqual(['call', 'another call', 'sign-in', 'queue', 'job', 'script']);
});
