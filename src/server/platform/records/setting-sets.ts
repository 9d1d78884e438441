// Sets of a settings page: a list field of the page that refers to records of an entity ("settings/swap-general.excludedProductIds"). The
// same verbs as for the sets of a record: their list, join and leave. What was chosen first stands first.
import { sql, type RawBuilder } from 'kysely';
import type { Call, JsonObject } from '../../../contract/types.ts';
import { settingSetOf } from '../../../contract/calls.ts';
import { Reply, type Context } from '../context.ts';
import { needRow } from './record-repository.ts';
import type { VerbCall } from './registry.ts';
import { readSetting, refuseSetting, writeSetting } from './settings.ts';

type Key = number | string;

/** The page and the field of a call's set; undefined where its set belongs to records. */
const placeOf = (call: Call): { page: string; field: string } | undefined => settingSetOf(call.set ?? '');

const members = (data: JsonObject, field: string): Key[] => (Array.isArray(data[field]) ? (data[field] as Key[]) : []);

/** The predicate of a list over the members of a page's set; undefined where the call's set is none. @throws Refusal 403 */
export async function membersOfSetting(context: Context, call: Call): Promise<RawBuilder<unknown> | undefined> {
  const place = placeOf(call);
  if (!place) return undefined;
  refuseSetting(context, place.page, 'READ');
  const { data } = await readSetting(context, place.page);
  const { key } = context.shape(call.of);
  return sql`${key.sql} = any(${members(data, place.field)}::${sql.raw(key.kind === 'text' ? 'text' : 'bigint')}[])`;
}

/** Records of a page's set, each in JSON, in the order in which they were chosen; those of any other list as they are. */
export async function asChosen(context: Context, call: Call, texts: string[]): Promise<string[]> {
  const place = placeOf(call);
  if (!place || texts.length < 2) return texts;
  const ids = members((await readSetting(context, place.page)).data, place.field);
  const { name } = context.shape(call.of).key;
  const rank = (text: string): number => ids.indexOf((JSON.parse(text) as Record<string, Key>)[name] ?? '');
  return texts
    .map(text => ({ text, rank: rank(text) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ text }) => text);
}

/**
 * Adds records to a page's set, or takes them out; undefined where the call's set is none. The page is written as by `set`: with a version,
 * a history and its rules. @throws Refusal 403, 404 for a record that is not there, 422 where the page has too many then
 */
export async function changeSettingSet(context: Context, { call, input }: VerbCall, isJoin: boolean): Promise<Reply | undefined> {
  const place = placeOf(call);
  if (!place) return undefined;
  const schema = refuseSetting(context, place.page, 'WRITE');
  const of = schema.properties?.[place.field]?.['x-ui']?.of ?? '';
  const ids = [...new Set(input.ids as Key[])];
  if (isJoin) for (const id of ids) await needRow(context, context.shape(of), id);
  const { data } = await readSetting(context, place.page, true);
  const before = members(data, place.field);
  const after = isJoin ? [...before, ...ids.filter(id => !before.includes(id))] : before.filter(id => !ids.includes(id));
  if (after.length !== before.length) await writeSetting(context, place.page, { ...data, [place.field]: after });
  return new Reply({ [isJoin ? 'joined' : 'left']: Math.abs(after.length - before.length) });
}
