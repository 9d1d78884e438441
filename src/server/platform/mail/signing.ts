// Signatures (DKIM, RFC 6376) of e-mails that leave from a store's own domain: each domain has a key of its own, which is sealed; the
// public half stands in the domain's DNS.
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { sql, type Kysely } from 'kysely';
import type { SigningKey } from '../../../domain/messages/sender-domain.ts';
import type { Tables } from '../../../generated/tables.ts';
import { SecretUnreadable, type SecretBox, type SecretPlace } from '../outgoing/secret-box.ts';
import { forgetSecrets, readSecret, writeSecret } from '../outgoing/secrets.ts';
import type { Signature } from './mail-transport.ts';

interface Scope {
  trx: Kysely<Tables>;
  storeId: number;
  secrets: SecretBox;
}

const TABLE = 'email_domains';
/** All addresses of a domain share its key. */
const placeOf = (storeId: number, domain: string): SecretPlace => ({ storeId, table: TABLE, column: 'dkim_key', id: domain });

/** RSA of 2048 bits: Ed25519 is not verified by all large mailbox providers. */
const newKeys = promisify(generateKeyPair);
const BITS = 2048;

/** The public half as DNS has it, below a name that follows from it: two stores with one domain, or a new key, have names of their own. */
function publicHalf(key: KeyObject): SigningKey {
  const bytes = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { selector: `perennial-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`, publicKey: bytes.toString('base64') };
}

/** The public half of a domain's key, which is made at the first time. @throws SecretUnreadable */
export async function signingKeyOf({ trx, storeId, secrets }: Scope, domain: string): Promise<SigningKey> {
  // Two addresses of a domain that are added at once have one key.
  await sql`select pg_advisory_xact_lock(hashtext(${`dkim ${domain}`}), ${storeId}::integer)`.execute(trx);
  const place = placeOf(storeId, domain);
  const before = await readSecret({ trx, secrets }, place);
  if (before !== undefined) return publicHalf(createPrivateKey(before));
  const { privateKey } = await newKeys('rsa', { modulusLength: BITS });
  await writeSecret({ trx, secrets }, place, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return publicHalf(privateKey);
}

/** What letters of a domain are signed with; undefined where it has no key, or one that none of our secrets opens. */
export async function signatureOf({ trx, storeId, secrets }: Scope, domain: string): Promise<Signature | undefined> {
  let privateKey: string | undefined;
  try {
    privateKey = await readSecret({ trx, secrets }, placeOf(storeId, domain));
  } catch (error) {
    // Told in the log by each start, which tries to seal it with the first key.
    if (!(error instanceof SecretUnreadable)) throw error;
  }
  return privateKey === undefined
    ? undefined
    : { domainName: domain, keySelector: publicHalf(createPrivateKey(privateKey)).selector, privateKey };
}

/** Forgets the key of a domain, unless another address of it is left. */
export async function forgetUnusedKey(trx: Kysely<Tables>, storeId: number, domain: string): Promise<void> {
  const other = await trx
    .selectFrom(TABLE)
    .select('id')
    .where('store_id', '=', storeId)
    .where('domain', '=', domain)
    .limit(1)
    .executeTakeFirst();
  if (!other) await forgetSecrets(trx, storeId, TABLE, domain);
}
