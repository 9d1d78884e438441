// The lock on a data folder: the embedded database would lose rows if two processes opened it, and does not check itself.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who holds a folder; the content of the file `lock`. */
export interface LockHolder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Address the holder serves, once it listens. */
  readonly address?: string;
  readonly since: string;
  /** When the process started, in ticks since the machine did: tells a reused pid apart. Absent where there is no /proc. */
  readonly startedAt?: string;
  /** Which boot of which machine, and which pid namespace: pids compare only within these. */
  readonly boot?: string;
  readonly namespace?: string;
}

/** Another process holds the folder. */
export class FolderLocked extends Error {
  readonly holder: LockHolder;
  constructor(folder: string, holder: LockHolder) {
    super(
      `The data folder ${folder} is in use by process ${holder.pid} on ${holder.host}${holder.address ? ` (${holder.address})` : ''} ` +
        `since ${holder.since}. ` +
        'Stop that process, or give this one another folder with PERENNIAL_DATA.',
    );
    this.name = 'FolderLocked';
    this.holder = holder;
  }
}

const beatMs = 1000;
/** A holder that cannot be looked up (another machine or container) is gone when its file was not touched for this long. */
const usualSilentMs = 10_000;

const readOr = (file: string, otherwise: string | undefined = undefined): string | undefined => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
};
/** Field 22 of /proc/<pid>/stat; the name in field 2 may hold spaces and brackets, so count from its end. */
const startOf = (pid: number): string | undefined => {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
};
const bootId = (): string | undefined => readOr('/proc/sys/kernel/random/boot_id')?.trim();
const pidNamespace = (): string | undefined => {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
};

const myself = (): LockHolder => ({
  id: randomUUID(),
  pid: process.pid,
  host: os.hostname(),
  since: new Date().toISOString(),
  startedAt: startOf(process.pid),
  boot: bootId(),
  namespace: pidNamespace(),
});

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

type Verdict = 'held' | 'stale' | 'unknown';

/** Is the holder still running? `unknown` when its pids cannot be compared with ours. */
function validate(holder: LockHolder): Verdict {
  if (holder.host !== os.hostname()) return 'unknown';
  if (holder.boot !== bootId()) return 'stale';
  if (holder.namespace !== pidNamespace()) return 'unknown';
  if (!alive(holder.pid)) return 'stale';
  return holder.startedAt === startOf(holder.pid) ? 'held' : 'stale';
}

const parse = (text: string | undefined): LockHolder | undefined => {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as LockHolder);
  } catch {
    return undefined;
  }
};

/** Creates `file` with its content in one step, so that half of it is never read. False when it exists. */
function createWhole(file: string, content: string, id: string): boolean {
  const draft = `${file}.${id}`;
  fs.writeFileSync(draft, content, { flag: 'wx' });
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // A file system without hard links: create exclusively; a reader retries when it finds the file still empty.
    try {
      fs.writeFileSync(file, content, { flag: 'wx' });
      return true;
    } catch (again) {
      if ((again as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw again;
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** A held lock. `release` gives the folder free; `announce` tells others where the holder listens. */
export interface FolderLock {
  readonly holder: LockHolder;
  announce(address: string): void;
  release(): void;
}

/**
 * Takes the folder for this process; a lock left by a process that is gone is taken over.
 * @param onLost called when another process took the folder (this one was stopped for over ten seconds): stop writing at once
 * @param silentMs how long the holder of another machine must have shown no sign of life to count as gone
 * @throws FolderLocked within a second when a running process holds it
 */
export async function lockFolder(folder: string, onLost: () => void = () => undefined, silentMs = usualSilentMs): Promise<FolderLock> {
  const file = path.join(folder, 'lock');
  let mine = myself();
  while (!createWhole(file, JSON.stringify(mine), mine.id)) await removeStaleLock(folder, file, silentMs);

  const touch = (): void => {
    if (parse(readOr(file))?.id !== mine.id) {
      clearInterval(beat);
      onLost();
      return;
    }
    const now = new Date();
    try {
      fs.utimesSync(file, now, now);
    } catch {
      /* the next beat finds out */
    }
  };
  const beat = setInterval(touch, beatMs);
  beat.unref();
  return {
    get holder() {
      return mine;
    },
    announce(address) {
      mine = { ...mine, address };
      const draft = `${file}.${mine.id}`;
      fs.writeFileSync(draft, JSON.stringify(mine));
      fs.renameSync(draft, file);
    },
    release() {
      clearInterval(beat);
      if (parse(readOr(file))?.id === mine.id) fs.rmSync(file, { force: true });
    },
  };
}

/** Returns when the lock may be tried again; throws when it is held. */
async function removeStaleLock(folder: string, file: string, silentMs: number): Promise<void> {
  const text = readOr(file);
  if (text === undefined) return;
  const holder = parse(text);
  if (!holder) {
    // Half written, by a process that is at it or was killed at it.
    await sleep(300);
    if (readOr(file) === text) await takeOver(file, text);
    return;
  }
  let verdict = validate(holder);
  if (verdict === 'unknown') verdict = (await watch(file, silentMs)) ? 'held' : 'stale';
  if (verdict === 'held') throw new FolderLocked(folder, holder);
  await takeOver(file, text);
}

/** Does the file's holder show signs of life? A living one touches it every second. */
async function watch(file: string, silentMs: number): Promise<boolean> {
  const touched = (): number => {
    try {
      return fs.statSync(file).mtimeMs;
    } catch {
      return 0;
    }
  };
  const before = touched();
  for (let waited = 0; waited < silentMs; waited += 250) {
    await sleep(250);
    if (touched() !== before) return true;
  }
  return false;
}

/** Removes a stale lock. Only one process at a time may, so that the fresh lock of a faster one is not removed. */
async function takeOver(file: string, stale: string): Promise<void> {
  const guard = `${file}.takeover`;
  const me = myself();
  if (!createWhole(guard, JSON.stringify(me), me.id)) {
    const other = parse(readOr(guard));
    if (other && validate(other) !== 'held') fs.rmSync(guard, { force: true });
    await sleep(20 + Math.random() * 30);
    return;
  }
  try {
    if (readOr(file) === stale) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}
