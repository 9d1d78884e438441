// The verb count: how many rows each tab of a screen has.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../context.ts';
import { planOf, type ListQuery } from './list.ts';
import type { RuleContext } from '../rules.ts';
import type { EntityMapping } from '../entity-mapping.ts';
import { keptTotal, totalOf, wholeTotalOf } from './totals.ts';
import type { VerbCall } from '../registry.ts';

/** How many records meet a list's query: from counters where they are kept, else counted up to 10,000, or `whole`. */
export async function countRecords(context: RuleContext, shape: EntityMapping, query: ListQuery, whole = false): Promise<number> {
  const { plan } = await planOf(context, shape, query);
  const known = plan.extra > 0 ? undefined : await keptTotal(plan);
  return known ?? (whole ? wholeTotalOf(plan) : (await totalOf(plan, undefined)).total);
}

/** By the `count` of each tab of the call's screen: the rows that its filter leaves. */
export async function count(context: Context, { call }: VerbCall): Promise<JsonValue> {
  const shape = context.shape(call.of);
  const tabs = (context.definitions.resources[call.screen ?? '']?.list?.tabs ?? []).filter(tab => tab.count !== undefined);
  const counts = await Promise.all(
    tabs.map(async tab => [tab.count as string, await countRecords(context, shape, { filter: { ...tab.filter, ...call.where } })] as const),
  );
  return Object.fromEntries(counts) as JsonObject;
}
