// Named sets of an entity (`x-record.sets`): records of another one that belong to a record. Their list, and the verbs join and leave.
// Sets of settings pages: setting-sets.ts.
import { sql, type RawBuilder } from 'kysely';
import { humanise } from '../../../contract/paths.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { notFound, Reply, type Context } from '../context.ts';
import { keyOf, labelOf, needRow, recordOf } from './record-repository.ts';
import type { EntityMapping } from './entity-mapping.ts';
import type { VerbCall } from './registry.ts';
import { changeSettingSet, membersOfSetting } from './setting-sets.ts';

interface NamedSet {
  name: string;
  of: string;
  table: string;
  owner: string;
  member: string;
  order?: string;
  ownerMapping: EntityMapping;
}

function setOf(context: Context, call: Call): NamedSet {
  const [entity = '', name = ''] = (call.set ?? '').split('.');
  const ownerMapping = context.shape(entity);
  const set = ownerMapping.hints.sets?.[name];
  if (!set) throw new Error(`${call.name}: schemas/entities/${entity}.json has no set "${name}".`);
  return { name, ...set, ownerMapping };
}

/** The record whose set it is: named by its key, the call's first required parameter. */
const ownerOf = (set: NamedSet, call: Call, input: JsonObject): JsonValue => {
  const given =
    input[set.ownerMapping.key.name] ??
    input[call.in.find(param => param.required)?.as ?? call.in.find(param => param.required)?.name ?? ''];
  if (given === undefined) throw notFound(set.ownerMapping.hints.name.one);
  return given;
};

/** Conditions of a list over the members of a set. @throws Refusal 404 where the record whose set it is is not there */
export async function membersOf(context: Context, call: Call, input: JsonObject): Promise<RawBuilder<unknown>[]> {
  const ofSetting = await membersOfSetting(context, call);
  if (ofSetting) return [ofSetting];
  const set = setOf(context, call);
  const owner = await needRow(context, set.ownerMapping, ownerOf(set, call, input));
  const member = context.shape(set.of);
  return [
    sql`exists (select 1 from ${sql.table(set.table)} as m where m.store_id = ${context.storeId}::integer
        and ${sql.ref(`m.${set.owner}`)} = ${keyOf(set.ownerMapping, owner)} and ${sql.ref(`m.${set.member}`)} = ${member.key.sql})`,
  ];
}

/** Adds records to a set; those that are in it already stay. */
export const join = (context: Context, given: VerbCall): Promise<Reply> => change(context, given, true);
/** Takes records out of a set; those that are not in it are passed over. */
export const leave = (context: Context, given: VerbCall): Promise<Reply> => change(context, given, false);

async function change(context: Context, given: VerbCall, isJoin: boolean): Promise<Reply> {
  const ofSetting = await changeSettingSet(context, given, isJoin);
  if (ofSetting) return ofSetting;
  const { call, input } = given;
  const set = setOf(context, call);
  const { ownerMapping } = set;
  const row = await needRow(context, ownerMapping, ownerOf(set, call, input), { lock: true });
  const owner = keyOf(ownerMapping, row);
  const members = context.shape(set.of);
  const ids = [...new Set(input.ids as (number | string)[])];
  if (isJoin) for (const id of ids) await needRow(context, members, id);
  const [ownerColumn, memberColumn] = [sql.ref(set.owner), sql.ref(set.member)];
  const table = sql.table(set.table);
  const keys = sql`${ids}::${sql.raw(members.key.kind === 'text' ? 'text' : 'bigint')}[]`;
  const { rows } = isJoin
    ? await sql`insert into ${table} (store_id, ${ownerColumn}, ${memberColumn}) select ${context.storeId}::integer, ${owner}, k
        from unnest(${keys}) as k
        where not exists (select 1 from ${table} as m where m.store_id = ${context.storeId}::integer and m.${ownerColumn} = ${owner}
          and m.${memberColumn} = k) returning 1`.execute(context.trx)
    : await sql`delete from ${table} where store_id = ${context.storeId}::integer and ${ownerColumn} = ${owner}
        and ${memberColumn} = any(${keys}) returning 1`.execute(context.trx);
  const label = labelOf(ownerMapping, recordOf(context, ownerMapping, row));
  const names = rows.length === 1 ? members.hints.name.one : members.hints.name.many;
  await context.log({
    action: `${ownerMapping.entity}.${set.name}`,
    category: humanise(ownerMapping.titleMany),
    description: `${ownerMapping.titleOne} "${label}": ${rows.length} ${names} ${isJoin ? 'added' : 'removed'}`,
    entity: ownerMapping.entity,
    entityId: owner,
    after: { ids },
  });
  return new Reply({ [isJoin ? 'joined' : 'left']: rows.length });
}
