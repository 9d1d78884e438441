// The data folder of a product with its demo store, made once in a run and copied after that: seeding is half of what a start costs.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { startProduct } from './product.ts';

/** Sizes that several files use; a store of another size is seeded by its own start. */
const SHARED = [60, 300, 400];

/** A folder of one's own with a demo store of so many subscriptions; undefined: none is ready, the start seeds it. */
export async function demoFolder(size: number): Promise<string | undefined> {
  if (!SHARED.includes(size)) return undefined;
  const made = path.join(inject('runFolder'), `demo-${size}`);
  if (!fs.existsSync(made)) {
    const making = `${made}-making`;
    try {
      fs.mkdirSync(making);
    } catch {
      // The other worker is about to make it.
      return undefined;
    }
    const product = await startProduct({ size, folder: making });
    await product.stop();
    fs.renameSync(making, made);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-product-'));
  fs.cpSync(made, folder, { recursive: true });
  return folder;
}
