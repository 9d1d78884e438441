// Packs a folder into a .tar.gz and unpacks one, streaming, so that a database of any size needs little memory.
// The format is what PGlite itself dumps and loads (ustar, regular files and folders).
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const block = 512;

function header(name: string, size: number, folder: boolean): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The path ${name} is too long for a tar file.`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) => bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'ascii');
  bytes.write(name, 0, 'utf8');
  octal(folder ? 0o700 : 0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  bytes.write('        ', 148, 'ascii');
  bytes.write(folder ? '5' : '0', 156, 'ascii');
  bytes.write('ustar\u000000', 257, 'ascii');
  octal(
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return bytes;
}

async function* contents(root: string, below = ''): AsyncGenerator<Buffer> {
  for (const entry of fs.readdirSync(path.join(root, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      yield header(name, 0, true);
      yield* contents(root, name);
    } else if (entry.isFile()) {
      const file = path.join(root, name);
      const { size } = fs.statSync(file);
      yield header(name, size, false);
      if (size > 0) for await (const chunk of fs.createReadStream(file, { end: size - 1, highWaterMark: 1 << 20 })) yield chunk as Buffer;
      yield Buffer.alloc((block - (size % block)) % block);
    }
  }
}

/** A file as a part of a .tar, whose end is `END_OF_TAR`. */
export const tarEntry = (name: string, content: Buffer): Buffer =>
  Buffer.concat([header(name, content.length, false), content, Buffer.alloc((block - (content.length % block)) % block)]);
export const END_OF_TAR = Buffer.alloc(block * 2);

/** Writes `folder` into `file` (.tar.gz): first beside it, flushed to disk, then renamed, so that `file` is whole or not there. */
export async function pack(folder: string, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(
      async function* () {
        yield* contents(folder);
        yield END_OF_TAR;
      },
      createGzip({ level: 6 }),
      fs.createWriteStream(draft),
    );
    flush(draft);
    fs.renameSync(draft, file);
    flush(path.dirname(file));
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/**
 * Unpacks `file` (.tar.gz) into the new folder `folder`.
 * @throws when the file is cut short, damaged or holds a path that leaves the folder
 */
export async function unpack(file: string, folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  let pending: Buffer = Buffer.alloc(0);
  let open: { fd: number; left: number; padding: number } | undefined;
  let ended = false;

  const entry = (bytes: Buffer): void => {
    if (bytes.every(byte => byte === 0)) {
      ended = true;
      return;
    }
    const text = (from: number, length: number) => bytes.toString('utf8', from, from + length).replace(/\0[^]*$/, '');
    const sum = bytes.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    if (Number.parseInt(text(148, 8), 8) !== sum) throw new Error(`${file} is damaged.`);
    const name = (text(345, 155) ? `${text(345, 155)}/` : '') + text(0, 100);
    const target = path.join(folder, name);
    if (name.split('/').includes('..')) throw new Error(`${file} holds a path outside of its folder: ${name}.`);
    if (text(156, 1) === '5') {
      fs.mkdirSync(target, { recursive: true, mode: 0o700 });
      return;
    }
    const size = Number.parseInt(text(124, 12), 8);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    open = { fd: fs.openSync(target, 'w', 0o600), left: size, padding: (block - (size % block)) % block };
    settle();
  };
  /** Closes the file being written when all of it is there. */
  const settle = (): void => {
    if (open && open.left === 0) {
      fs.closeSync(open.fd);
      open.fd = -1;
      if (open.padding === 0) open = undefined;
    }
  };

  try {
    await pipeline(
      fs.createReadStream(file, { highWaterMark: 1 << 20 }),
      createGunzip({ chunkSize: 1 << 20 }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          let rest = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
          for (;;) {
            if (ended) break;
            if (open && open.left > 0) {
              const part = rest.subarray(0, open.left);
              if (part.length === 0) break;
              fs.writeSync(open.fd, part);
              open.left -= part.length;
              rest = rest.subarray(part.length);
              settle();
            } else if (open) {
              if (rest.length < open.padding) break;
              rest = rest.subarray(open.padding);
              open = undefined;
            } else {
              if (rest.length < block) break;
              entry(rest.subarray(0, block));
              rest = rest.subarray(block);
            }
          }
          pending = rest;
        }
      },
    );
    if (!ended) throw new Error(`${file} is cut short.`);
  } catch (error) {
    if (open && open.fd >= 0) fs.closeSync(open.fd);
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') || code === 'ERR_ZLIB') throw new Error(`${file} is damaged or cut short.`, { cause: error });
    throw error;
  }
}

/** Flushes one file or folder to disk. Folders cannot be flushed everywhere (Windows); there the system sees to it. */
export function flush(target: string): void {
  let fd: number | undefined;
  try {
    fd = fs.openSync(target, 'r');
    fs.fsyncSync(fd);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EINVAL' && code !== 'EBADF') throw error;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Flushes a folder and everything below it to disk, sixteen files at a time. */
export async function flushAll(folder: string): Promise<void> {
  const folders: string[] = [folder];
  const files: string[] = [];
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    (entry.isDirectory() ? folders : files).push(path.join(entry.parentPath, entry.name));
  }
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < files.length) {
        const handle = await fs.promises.open(files[next++]!, 'r');
        try {
          await handle.sync();
        } finally {
          await handle.close();
        }
      }
    }),
  );
  for (const each of folders.toReversed()) flush(each);
}
