// Records named by the id of the platform: "shopify-123" beside "loop-12" and 12, wherever a call names a record (subscriptions.md, 1).
import { sql } from 'kysely';
import { keyOf } from '../../../contract/calls.ts';
import type { Call, JsonObject, Schema } from '../../../contract/types.ts';
import { notFound } from '../context.ts';
import type { Services } from '../services.ts';

const NAMED = /^(loop|shopify)-(\d{1,16})$/;

const isWhole = ({ type }: Schema): boolean => [type].flat().includes('integer');

/** The entity that a parameter names a record of: by its reference, as the key of what the call is about, or by its name (orderId). */
function entityOf(
  { definitions }: Pick<Services, 'definitions'>,
  call: Call,
  name: string,
  as: string,
  schema: Schema,
): string | undefined {
  const referred = schema['x-ui']?.of;
  if (referred) return referred;
  if (as === keyOf(definitions.entities[call.of])) return call.of;
  const byName = /^(\w+)Id$/.exec(name)?.[1]?.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  return byName !== undefined && definitions.entities[byName] ? byName : undefined;
}

/**
 * Puts the internal id in the place of each id with a prefix. One query for each that is the platform's.
 * @throws Refusal 404 where no record has the platform's id
 */
export async function resolveIds(services: Services, call: Call, storeId: number, input: JsonObject): Promise<void> {
  for (const { name, as = name, schema } of call.in) {
    const value = input[name];
    const [, kind, digits] = typeof value === 'string' && isWhole(schema) ? (NAMED.exec(value) ?? []) : [];
    if (!kind) continue;
    if (kind === 'loop') {
      input[name] = Number(digits);
      continue;
    }
    const entity = entityOf(services, call, name, as, schema);
    const shape = entity === undefined ? undefined : services.shape(entity);
    const column = shape?.fields.get('shopifyId');
    if (!shape || !column) continue;
    const { rows } = await services.db.inStore(
      storeId,
      trx =>
        sql<{ key: number }>`select ${shape.key.sql} as key from ${sql.table(shape.table)} as r
          where r.store_id = ${storeId}::integer and ${column.sql} = ${Number(digits)}::bigint limit 1`.execute(trx),
      { readOnly: true },
    );
    if (!rows[0]) throw notFound(shape.hints.name.one);
    input[name] = rows[0].key;
  }
}
