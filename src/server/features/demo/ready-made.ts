// The demo store as the build leaves it beside the server: a first start unpacks it instead of writing some hundred thousand rows.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Definitions } from '../../../contract/types.ts';
import type { Config } from '../../platform/config.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { pack } from '../../platform/db/embedded/tarball.ts';
import { seedStores } from './seed.ts';

/**
 * Older than this (ms) it is not used: the store would begin with days of orders to catch up with,
 * which takes longer than writing a new one.
 */
const FRESH = 12 * 3_600_000;

/** Which store, and of when: demo-5000-1-1795331451079.tar.gz */
const nameOf = (contracts: number, seed: number, madeAt: number | string): string => `demo-${contracts}-${seed}-${madeAt}.tar.gz`;

export interface ReadyMadeOptions {
  /** The folder to write to. */
  folder: string;
  /** All permission areas, for the rights of the team. */
  areas: readonly string[];
  /** E-mails and words of the product. */
  definitions?: Definitions;
  contracts: number;
  seed: number;
  now?: number;
}

/**
 * Writes a packed database with the demo store as of `now`; gives its file. Takes some ten seconds
 * for 5,000 subscriptions; done by the build.
 */
export async function makeReadyMade({ folder, areas, definitions, contracts, seed, now = Date.now() }: ReadyMadeOptions): Promise<string> {
  const draft = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-ready-made-'));
  try {
    const db = await openDatabase({ database: { kind: 'embedded' }, dataFolder: draft, upkeep: false });
    let log: string;
    try {
      await seedStores(db, { contracts, seed, areas, now, isLiving: true, ...(definitions ? { definitions } : {}) });
      await db.exec('CHECKPOINT; SELECT pg_switch_wal(); CHECKPOINT');
      log = (await db.ownerQuery<{ name: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name')).rows[0]!.name;
    } finally {
      await db.close();
    }
    dropOtherLogs(path.join(draft, 'db', 'pg_wal'), log);
    fs.mkdirSync(folder, { recursive: true });
    const file = path.join(folder, nameOf(contracts, seed, now));
    await pack(path.join(draft, 'db'), file);
    return file;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Everything is in the tables: of the write-ahead log only the file in which the last checkpoint stands is
 * needed, the others are half of the folder.
 */
function dropOtherLogs(folder: string, keepLog: string): void {
  for (const name of fs.readdirSync(folder)) if (/^[0-9A-F]{24}$/.test(name) && name !== keepLog) fs.rmSync(path.join(folder, name));
}

/**
 * The ready-made demo store beside the server, when this configuration wants just that one and it is of today;
 * else undefined, and it has to be seeded.
 */
export function findReadyMade(
  config: Pick<Config, 'demo' | 'demoSize' | 'seed'>,
  folder = path.dirname(fileURLToPath(import.meta.url)),
  now = Date.now(),
): string | undefined {
  if (!config.demo) return undefined;
  const [before, after] = nameOf(config.demoSize, config.seed, '|').split('|') as [string, string];
  const file = fs.readdirSync(folder).find(name => {
    if (!name.startsWith(before) || !name.endsWith(after)) return false;
    const age = now - Number(name.slice(before.length, -after.length));
    return age >= 0 && age < FRESH;
  });
  return file && path.join(folder, file);
}
