// A product's demo store, made once in a run and copied after that: seeding is half of what a start costs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { createPostgresDatabase, postgresTemplate, type EngineKind } from '../database.ts';
import { startProduct } from './product.ts';

/** Sizes that several files use; a store of another size is seeded by its own start. */
const SHARED = [60, 300, 400];

/** Where a product finds its store. */
export interface DemoStore {
  /** Of the embedded database. */
  folder?: string;
  env: Record<string, string>;
  /** When the product is stopped. */
  remove(): Promise<void>;
}

const seeded = (size: number, at: Parameters<typeof startProduct>[0]): Promise<unknown> =>
  startProduct({ size, ...at, patience: 240_000 }).then(product => product.stop());

async function onPostgres(size: number, isShared: boolean): Promise<DemoStore> {
  const template = isShared
    ? await postgresTemplate(`demo_${size}`, url => seeded(size, { env: { DATABASE_URL: url, PERENNIAL_PROCESSES: '0' } }))
    : undefined;
  const { url, remove } = await createPostgresDatabase(template);
  return { env: { DATABASE_URL: url, PERENNIAL_PROCESSES: '0' }, remove };
}

async function embedded(size: number, isShared: boolean): Promise<DemoStore> {
  const nothing = { env: {}, remove: async () => undefined };
  if (!isShared) return nothing;
  const made = path.join(inject('runFolder'), `demo-${size}`);
  if (!fs.existsSync(made)) {
    const making = `${made}-making`;
    try {
      fs.mkdirSync(making);
    } catch {
      // The other worker is about to make it.
      return nothing;
    }
    await seeded(size, { folder: making });
    fs.renameSync(making, made);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-product-'));
  fs.cpSync(made, folder, { recursive: true });
  return { ...nothing, folder };
}

/** A demo store of one's own with so many subscriptions. `isPlain`: nothing else of it is chosen, so that it may be a copy. */
export const demoStore = (engine: EngineKind, size: number, isPlain: boolean): Promise<DemoStore> =>
  (engine === 'postgres' ? onPostgres : embedded)(size, isPlain && SHARED.includes(size));
