// The lock on a data folder: one holder at a time, named to those who are refused, taken over when it is gone.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderLocked, lockFolder, type LockHolder } from '../../../../src/server/platform/db/embedded/folder-lock.ts';
import { temporaryFolder } from '../../../support/database.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const read = (): LockHolder => JSON.parse(fs.readFileSync(path.join(folder, 'lock'), 'utf8')) as LockHolder;
const write = (holder: Partial<LockHolder>): void =>
  fs.writeFileSync(path.join(folder, 'lock'), JSON.stringify({ ...holder, id: 'other', since: 'yesterday' }));
/** The holder as this process would write it, to change one thing about. */
const own = async (): Promise<LockHolder> => {
  const lock = await lockFolder(folder);
  lock.release();
  return lock.holder;
};
/** The id of a process that has ended. */
const endedProcess = (): Promise<number> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, ['-e', '0']);
    child.once('exit', () => resolve(child.pid!));
  });

describe('the lock of a data folder', () => {
  it('is given back', async () => {
    const lock = await lockFolder(folder);
    expect(read()).toMatchObject({ pid: process.pid, host: os.hostname() });
    lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
    (await lockFolder(folder)).release();
  });

  it('refuses a second holder and says who has it and where it listens', async () => {
    const lock = await lockFolder(folder);
    lock.announce('http://127.0.0.1:3000');
    const refused = await lockFolder(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FolderLocked);
    expect((refused as FolderLocked).message).toContain(`process ${process.pid} on ${os.hostname()} (http://127.0.0.1:3000)`);
    expect((refused as FolderLocked).holder.id).toBe(lock.holder.id);
    lock.release();
  });

  it('is taken over when its process is gone', async () => {
    write({ ...(await own()), pid: await endedProcess() });
    const lock = await lockFolder(folder);
    expect(read().pid).toBe(process.pid);
    lock.release();
  });

  it.runIf(fs.existsSync('/proc/self/stat'))('is taken over when the process id belongs to another process by now', async () => {
    write({ ...(await own()), startedAt: '1' });
    (await lockFolder(folder)).release();
  });

  it.runIf(fs.existsSync('/proc/self/stat'))('is taken over after the machine was restarted', async () => {
    write({ ...(await own()), boot: 'an earlier one' });
    (await lockFolder(folder)).release();
  });

  it('is taken over when it was never finished', async () => {
    fs.writeFileSync(path.join(folder, 'lock'), '{"pid":');
    (await lockFolder(folder)).release();
  });

  it('of another machine is respected while it shows signs of life', async () => {
    write({ ...(await own()), host: 'elsewhere' });
    const file = path.join(folder, 'lock');
    const beat = setInterval(() => fs.utimesSync(file, new Date(), new Date()), 500);
    try {
      await expect(lockFolder(folder)).rejects.toThrow('on elsewhere');
    } finally {
      clearInterval(beat);
    }
  });

  it('of another machine is taken over when it shows none', async () => {
    write({ ...(await own()), host: 'elsewhere' });
    (await lockFolder(folder, undefined, 1500)).release();
  });

  it('survives a takeover that was killed half way', async () => {
    const holder = { ...(await own()), pid: await endedProcess() };
    write(holder);
    fs.writeFileSync(path.join(folder, 'lock.takeover'), JSON.stringify(holder));
    (await lockFolder(folder)).release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('goes to exactly one of many that find it stale', async () => {
    const holder = { ...(await own()), pid: await endedProcess() };
    for (let round = 0; round < 10; round++) {
      write(holder);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
      const won = results.filter(result => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(FolderLocked);
      won[0]!.value.release();
    }
  });

  it('tells its holder when another process took it', async () => {
    const lost = new Promise<void>(resolve => {
      void lockFolder(folder, resolve);
    });
    await new Promise(resolve => setTimeout(resolve, 50));
    write(await read());
    await lost;
  });
});
