// Saved views of lists: private to their maker, or shared with the store.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { Refusal, Reply, notFound, type Context } from '../context.ts';
import { deleteRow, insertRow, needRow, recordOf, updateRow, type Row } from '../verbs/keep.ts';
import { listRecords } from '../verbs/list.ts';
import { DEEPEST } from '../verbs/list-plan.ts';
import { checkVersion } from '../verbs/version.ts';

/** Views per person and store; more are refused. */
const MOST = 200;
const ownerId = sql`(r.data ->> 'ownerId')::bigint`;
const mine = (context: Context, record: JsonObject): JsonObject => ({ ...record, isMine: record.ownerId === context.user.id });

/** The caller's own views and the shared ones, by name; of one list when `route` is given. */
export async function list(context: Context, { route }: { route?: string }): Promise<Reply> {
  const { records } = await listRecords(context, context.shape('saved-view'), {
    size: DEEPEST,
    total: false,
    sort: 'name',
    order: 'ASC',
    ...(route === undefined ? {} : { filter: { route: [route] } }),
    where: [sql`((r.data ->> 'isShared')::boolean or ${ownerId} = ${context.user.id})`],
  });
  return new Reply(records.map(record => mine(context, record)));
}

export async function create(context: Context, input: JsonObject): Promise<JsonValue> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from records as r where r.store_id = ${context.storeId} and r.entity = 'saved-view' and r.deleted_at is null and ${ownerId} = ${context.user.id}`.execute(
    context.trx,
  );
  if ((rows[0]?.n ?? 0) >= MOST) throw new Refusal(422, 'VALIDATION', `You have ${MOST} saved views. Delete one before you save another.`);
  await refuseTwice(context, input);
  const shape = context.shape('saved-view');
  const record = recordOf(
    context,
    shape,
    await insertRow(context, shape, { isShared: false, ...input, ownerId: context.user.id, ownerName: context.user.name }),
  );
  await context.log({
    action: 'saved-view.created',
    category: 'Saved views',
    description: `Saved view "${String(input.name)}" created`,
    entity: 'saved-view',
    entityId: record.id as number,
    after: record,
  });
  return mine(context, record);
}

/** Own views by their maker; shared ones by owners and admins too. Others' private views look as if they were not there. */
async function needView(context: Context, id: number): Promise<{ row: Row; record: JsonObject }> {
  const shape = context.shape('saved-view');
  const row = await needRow(context, shape, id, { lock: true });
  const record = recordOf(context, shape, row);
  if (record.ownerId !== context.user.id) {
    if (record.isShared !== true) throw notFound('saved view');
    if (context.user.type === 'MEMBER')
      throw new Refusal(
        403,
        'FORBIDDEN',
        `Only ${String(record.ownerName)} or an admin can change this shared view. Save it under another name instead.`,
      );
  }
  checkVersion(context, 'saved view', record, Number(row.version), {
    by: String(row.updated_by ?? ''),
    at: row.updated_at instanceof Date ? row.updated_at : null,
  });
  return { row, record };
}

export async function update(context: Context, input: JsonObject): Promise<JsonValue> {
  const { row, record } = await needView(context, input.id as number);
  const { id: _id, version: _version, ...data } = input;
  await refuseTwice(context, { ...record, ...data }, record.id as number);
  const shape = context.shape('saved-view');
  const after = recordOf(
    context,
    shape,
    await updateRow(context, shape, row, { ...record, ...data, ownerId: record.ownerId as number, ownerName: record.ownerName as string }),
  );
  await context.log({
    action: 'saved-view.updated',
    category: 'Saved views',
    description: `Saved view "${String(after.name)}" updated`,
    entity: 'saved-view',
    entityId: after.id as number,
    before: record,
    after,
  });
  return mine(context, after);
}

async function remove(context: Context, { id }: { id: number }): Promise<JsonValue> {
  const { row, record } = await needView(context, id);
  await deleteRow(context, context.shape('saved-view'), row);
  await context.log({
    action: 'saved-view.deleted',
    category: 'Saved views',
    description: `Saved view "${String(record.name)}" deleted`,
    entity: 'saved-view',
    entityId: id,
    before: record,
  });
  return { id };
}
export { remove as delete };

/** One name per list and person, and one among the shared ones. */
async function refuseTwice(context: Context, input: JsonObject, self = 0): Promise<void> {
  const { rows } =
    await sql`select 1 from records as r where r.store_id = ${context.storeId} and r.entity = 'saved-view' and r.deleted_at is null and r.id <> ${self}
    and r.data ->> 'route' = ${String(input.route)} and lower(r.data ->> 'name') = lower(${String(input.name)})
    and (${ownerId} = ${context.user.id} or (${input.isShared === true} and (r.data ->> 'isShared')::boolean)) limit 1`.execute(
      context.trx,
    );
  if (rows.length) {
    const message = `A view named "${String(input.name)}" exists already. Choose another name.`;
    throw new Refusal(409, 'TAKEN', message, [{ pointer: '/name', rule: 'unique', message }]);
  }
}
