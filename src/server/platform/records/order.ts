// The order verb: puts all records of a list into the order given, in one call.
import { sql } from 'kysely';
import type { JsonValue } from '../../../contract/types.ts';
import { humanise } from '../../../contract/paths.ts';
import { Refusal, type Context } from '../context.ts';
import type { VerbCall } from './registry.ts';
import { t, translated } from '../../../domain/text/t.ts';

/**
 * `ids` names every record once. @throws Refusal 409 STALE_ORDER when records came or went since the list was read: nothing is moved then.
 */
export async function order(context: Context, { call, input }: VerbCall): Promise<JsonValue> {
  const shape = context.shape(call.of);
  if (!shape.has('position'))
    throw new Error(`${call.name} orders ${shape.titleMany}, but the table ${shape.table} has no column "position".`);
  const ids = (input.ids as number[]).map(Number);
  const kind = shape.isDocument ? sql`and r.entity = ${shape.entity}` : sql``;
  const alive = shape.has('deleted_at') ? sql`and r.deleted_at is null` : sql``;
  const { rows } = await sql<{
    id: number;
  }>`select ${shape.key.sql} as id from ${sql.table(shape.table)} as r where r.store_id = ${context.storeId} ${kind} ${alive}
      order by r.position nulls last, ${shape.key.sql} for update`.execute(context.trx);
  const before = rows.map(row => row.id);
  if (before.length !== ids.length || new Set(ids).size !== ids.length || !before.every(id => ids.includes(id))) {
    throw new Refusal(
      409,
      'STALE_ORDER',
      t`The ${translated(shape.titleMany)} have changed while you were ordering them. Load the list again and repeat the move.`,
      undefined,
      { conflict: { current: { ids: before }, version: 0, yourVersion: 0 } },
    );
  }
  const moved = ids.map((id, i) => ({ id, position: i + 1 }));
  await sql`update ${sql.table(shape.table)} as r set position = m.position
      from unnest(${moved.map(one => one.id)}::bigint[], ${moved.map(one => one.position)}::integer[]) as m(id, position)
    where r.store_id = ${context.storeId} ${kind} and ${shape.key.sql} = m.id and r.position is distinct from m.position`.execute(
    context.trx,
  );
  await context.log({
    action: `${shape.entity}.ordered`,
    category: humanise(shape.titleMany),
    description: `Order of ${shape.titleMany} changed`,
    entity: shape.entity,
    before: { ids: before },
    after: { ids },
  });
  return { ids };
}
