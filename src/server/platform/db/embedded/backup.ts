// Backups of the embedded database: whole files named by their time, the last three kept; and the way back.
import fs from 'node:fs';
import path from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { flush, flushAll, pack, unpack } from './tarball.ts';

const BACKUPS = 3;
const pattern = /^perennial-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz$/;

export class Backups {
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  #files(): string[] {
    if (!fs.existsSync(this.#folder)) return [];
    return fs
      .readdirSync(this.#folder)
      .filter(name => pattern.test(name))
      .sort();
  }

  /** When the last backup was written, ms since 1970; 0 for never. */
  latest(): number {
    const last = this.#files().at(-1);
    return last ? fs.statSync(path.join(this.#folder, last)).mtimeMs : 0;
  }

  /** A place for a copy of the database while it is packed. What a killed process left there is removed. */
  draft(): string {
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of fs.readdirSync(this.#folder)) {
      if (name.startsWith('copy-') || name.endsWith('.part')) fs.rmSync(path.join(this.#folder, name), { recursive: true, force: true });
    }
    return path.join(this.#folder, `copy-${process.pid}`);
  }

  /** Packs the copy into a new backup and removes all but the last three. */
  async keep(copy: string): Promise<string> {
    const file = path.join(this.#folder, `perennial-${new Date().toISOString().replace(/[:.]/g, '-')}.tar.gz`);
    await pack(copy, file);
    for (const name of this.#files().slice(0, -BACKUPS)) fs.rmSync(path.join(this.#folder, name), { force: true });
    return file;
  }
}

/**
 * Puts a backup in the place of the database of a data folder. The database that was there is moved to `db.before-<time>`.
 * @returns the path of what was moved away, if there was anything
 * @throws FolderLocked while a process uses the folder; an error naming the file when it is damaged (nothing is changed then)
 */
export async function restore(file: string, dataFolder: string): Promise<string | undefined> {
  const folder = path.resolve(dataFolder);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  const draft = path.join(folder, `db.new-${process.pid}`);
  try {
    fs.rmSync(draft, { recursive: true, force: true });
    await unpack(file, draft);
    if (!fs.existsSync(path.join(draft, 'PG_VERSION'))) throw new Error(`${file} is not a backup of the embedded database.`);
    await flushAll(draft);
    const place = path.join(folder, 'db');
    const before = path.join(folder, `db.before-${new Date().toISOString().replace(/[:.]/g, '-')}`);
    const moved = fs.existsSync(place);
    if (moved) fs.renameSync(place, before);
    fs.renameSync(draft, place);
    flush(folder);
    return moved ? before : undefined;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
    lock.release();
  }
}
