// Limits attempts to sign in, by door, per e-mail address and per network address, over all processes.
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { Refusal } from '../context.ts';
import { networkOf } from '../http/client-address.ts';
import { t } from '../../../domain/text/t.ts';

const WINDOW_MINUTES = 15;
export const MAX_PER_EMAIL = 5;
export const MAX_PER_ADDRESS = 30;

const keyOf = (kind: string, value: string): string => `${kind}:${createHash('sha256').update(value.toLowerCase()).digest('base64url')}`;

/**
 * Notes an attempt; `at`: another door than that of the admin, which is counted apart. The same for known and unknown e-mail addresses; of
 * those that come at once, one after the other is counted, so that none is let in above the limit. `trx` must read what others have
 * committed meanwhile (the usual isolation). @throws Refusal 429 with Retry-After when there were too many
 */
export async function countAttempt(trx: Kysely<Tables>, attempt: { email?: string; ip: string; at?: string }): Promise<void> {
  const door = attempt.at ? `${attempt.at} ` : '';
  const keys = [
    { key: keyOf(`${door}ip`, networkOf(attempt.ip)), most: MAX_PER_ADDRESS },
    ...(attempt.email ? [{ key: keyOf(`${door}email`, attempt.email), most: MAX_PER_EMAIL }] : []),
  ];
  // All in one order, so that two attempts with the same keys never wait for each other.
  await sql`select pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended('sign-in ' || key, 0) as lock from unnest(${keys.map(one => one.key)}::text[]) as key
      order by lock) as locks`.execute(trx);
  for (const { key, most } of keys) {
    const { rows } = await sql<{
      n: number;
      seconds: number;
    }>`select count(*) as n, ceil(extract(epoch from min(at) + make_interval(mins => ${WINDOW_MINUTES}) - now()))::integer as seconds
      from login_attempts where key = ${key} and at > now() - make_interval(mins => ${WINDOW_MINUTES})`.execute(trx);
    const { n = 0, seconds = 60 } = rows[0] ?? {};
    if (n >= most)
      throw new Refusal(
        429,
        'TOO_MANY_REQUESTS',
        seconds > 90
          ? t`Too many attempts to sign in. Try again in ${Math.ceil(seconds / 60)} minutes.`
          : t`Too many attempts to sign in. Try again in a minute.`,
        undefined,
        undefined,
        Math.max(1, seconds),
      );
  }
  await sql`insert into login_attempts (key) select unnest(${keys.map(one => one.key)}::text[])`.execute(trx);
}
