// Secrets at rest: sealed with a key made of PERENNIAL_SECRET, each bound to the place where it is kept.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';

/** Where a secret is kept. A sealed value that is moved to another place can't be opened there. */
export interface SecretPlace {
  storeId: number;
  table: string;
  column: string;
  id: string | number;
}

/** A sealed value that none of the keys opens: its key is missing in PERENNIAL_SECRET, or it was changed or moved. */
export class SecretUnreadable extends Error {
  constructor(place: SecretPlace) {
    super(
      `The secret ${place.table}.${place.column} of ${place.id} can't be opened. PERENNIAL_SECRET must hold the key it was sealed with.`,
    );
    this.name = 'SecretUnreadable';
  }
}

interface Key {
  id: string;
  bytes: Buffer;
}
const keyOf = (secret: string): Key => {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'perennial', 'secrets at rest', 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
};
const aad = ({ storeId, table, column, id }: SecretPlace): Buffer => Buffer.from(JSON.stringify([storeId, table, column, String(id)]));

/** Seals and opens (AES-256-GCM). The first secret seals, all of them open. */
export class SecretBox {
  readonly #secrets: () => readonly string[];
  #keys: readonly Key[] | undefined;
  /** @param secrets is asked once, when the first secret is sealed or opened */
  constructor(secrets: () => readonly string[]) {
    this.#secrets = secrets;
  }
  get #all(): readonly [Key, ...Key[]] {
    this.#keys ??= this.#secrets().map(keyOf);
    const [first, ...others] = this.#keys;
    if (!first) throw new Error('PERENNIAL_SECRET is not set.');
    return [first, ...others];
  }
  /** The id of the key that seals. */
  get keyId(): string {
    return this.#all[0].id;
  }
  /** v1.keyId.iv.tag.ciphertext, parts in base64url. */
  seal(text: string, place: SecretPlace): string {
    const [key] = this.#all;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(aad(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return ['v1', key.id, ...[iv, cipher.getAuthTag(), sealed].map(part => part.toString('base64url'))].join('.');
  }
  /** @throws SecretUnreadable */
  open(sealed: string, place: SecretPlace): string {
    const [version, id, iv = '', tag = '', text = ''] = sealed.split('.');
    const key = this.#all.find(one => one.id === id);
    if (version !== 'v1' || !key) throw new SecretUnreadable(place);
    try {
      const from = (part: string): Buffer => Buffer.from(part, 'base64url');
      const opener = createDecipheriv('aes-256-gcm', key.bytes, from(iv), { authTagLength: 16 }).setAAD(aad(place)).setAuthTag(from(tag));
      return Buffer.concat([opener.update(from(text)), opener.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadable(place);
    }
  }
}

/** The secret beside the embedded data: made when the first one is needed, readable by its owner alone. */
function secretBeside(dataFolder: string): string {
  const file = path.join(dataFolder, 'secret.key');
  try {
    fs.mkdirSync(dataFolder, { recursive: true });
    fs.writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return fs.readFileSync(file, 'utf8').trim();
}

/** The secrets of a configuration: those of PERENNIAL_SECRET, then the one beside the data, which embedded and demo stores begin with. */
export function secretBoxOf({
  secrets,
  database,
  demo,
  dataFolder,
}: Pick<Config, 'secrets' | 'database' | 'demo' | 'dataFolder'>): SecretBox {
  const hasOwn = database.kind === 'embedded' || demo;
  return new SecretBox(() => {
    if (secrets.length === 0) return hasOwn ? [secretBeside(dataFolder)] : [];
    const file = path.join(dataFolder, 'secret.key');
    return hasOwn && fs.existsSync(file) ? [...secrets, fs.readFileSync(file, 'utf8').trim()] : secrets;
  });
}
