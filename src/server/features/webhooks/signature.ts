// Signatures of webhooks in the form of Standard Webhooks: HMAC-SHA256 over id.timestamp.body, "v1," and base64.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret: 24 random bytes, as receivers' libraries take it. */
export const newSecret = (): string => PREFIX + randomBytes(24).toString('base64');
/** What people see of a secret: its last four letters. */
export const maskedSecret = (secret: string): string => `${PREFIX}••••••••${secret.slice(-4)}`;

/** One signature for each secret, separated by spaces: while a secret is changed, receivers with either find theirs. `time`: seconds. */
export function signatureOf(secrets: readonly string[], id: string, time: number, body: string): string {
  return secrets
    .map(secret => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
    })
    .join(' ');
}

/** The headers of one delivery. */
export const signedHeaders = (secrets: readonly string[], id: string, time: number, body: string): Record<string, string> => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(time),
  'webhook-signature': signatureOf(secrets, id, time, body),
});
