// What a Vendure shop reports by the plugin of plugins/vendure: which of its things may have changed. They are noted, each once however
// often it is named, and read again by the job of the connection.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { t } from '../../../../domain/text/t.ts';
import { Refusal } from '../../../platform/context.ts';
import type { Incoming } from '../../../platform/http/incoming.ts';
import { readSecret } from '../../../platform/outgoing/secrets.ts';
import type { Services } from '../../../platform/services.ts';
import type { Subject } from '../../../platform/store-platform/store-platform.ts';
import { signingPlace } from '../connection.ts';

/** Things of one event, and characters of an id. */
const MOST_SUBJECTS = 500;
const LONGEST_ID = 100;
const KINDS: ReadonlySet<string> = new Set(['product', 'variant', 'customer', 'order']);

const isSubject = (one: JsonValue): one is JsonObject & Subject =>
  one !== null &&
  typeof one === 'object' &&
  !Array.isArray(one) &&
  KINDS.has(String(one.kind)) &&
  typeof one.id === 'string' &&
  /^[^\0]+$/.test(one.id) &&
  one.id.length <= LONGEST_ID;

/** @throws Refusal 400 for what is no event */
function subjectsIn(body: string): Subject[] {
  let subjects: JsonValue | undefined;
  try {
    subjects = (JSON.parse(body) as { subjects?: JsonValue } | null)?.subjects;
  } catch {
    // Said below.
  }
  if (!Array.isArray(subjects) || subjects.length > MOST_SUBJECTS || !subjects.every(isSubject))
    throw new Refusal(400, 'BAD_REQUEST', t`This event names nothing that can be read again. Nothing was changed.`);
  return subjects.map(({ kind, id }) => ({ kind, id }));
}

async function secretOf({ db, secrets }: Services, storeId: number): Promise<string | undefined> {
  return db.inStore(
    storeId,
    async trx => {
      const row = await trx.selectFrom('store_connections').select('id').where('store_id', '=', storeId).executeTakeFirst();
      return row && readSecret({ trx, secrets }, signingPlace(storeId, row.id));
    },
    { readOnly: true },
  );
}

export const vendure: Incoming = {
  kind: 'vendure',
  /** The signature is HMAC-SHA256 in base64 over the body as it came. Without a connection it fits no event either. */
  async read(services, { storeId, headers, body }) {
    const secret = await secretOf(services, storeId);
    const given = Buffer.from(headers['x-perennial-signature'] ?? '', 'base64');
    const right = createHmac('sha256', secret ?? '')
      .update(body)
      .digest();
    if (secret === undefined || given.length !== right.length || !timingSafeEqual(given, right))
      throw new Refusal(401, 'UNAUTHORIZED', t`Nothing is connected at this address, or the signature does not fit.`);
    const id = headers['x-perennial-event-id'] ?? '';
    if (!/^[\w-]{1,100}$/.test(id)) throw new Refusal(400, 'BAD_REQUEST', t`The event has no id that can be read.`);
    return { id, type: 'changed', subject: { subjects: subjectsIn(body) as JsonObject[] } };
  },
  async follow({ db }, storeId, { subject }) {
    await db.inStore(storeId, async trx => {
      // One after the other, in the same order, so that events do not wait for each other.
      await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
        select ${storeId}::integer, kind, id, clock_timestamp() from (
          select distinct upper(kind) as kind, id
          from jsonb_to_recordset(${JSON.stringify(subject.subjects)}::jsonb) as s(kind text, id text)
          order by 1, 2) as told
        where exists (select from store_connections where store_id = ${storeId}::integer)
        on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
      await sql`update store_connections c
        set last_event_at = now() + (select s.clock_offset_ms from stores s where s.id = c.store_id) * interval '1 millisecond'
        where c.store_id = ${storeId}::integer`.execute(trx);
    });
  },
};
