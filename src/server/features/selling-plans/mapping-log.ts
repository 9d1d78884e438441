// The group of a mapping, and what the account log says of it.
import type { JsonObject } from '../../../contract/types.ts';
import { type Context, notFound } from '../../platform/context.ts';
import type { Row } from '../../platform/records/record-repository.ts';
import { needGroup, GROUP, rowId } from './groups.ts';
import { later } from '../../../domain/text/t.ts';

/** The group of a mapping, locked so that two people's mappings follow one another. */
export async function groupToMap(context: Context, id: number): Promise<Row> {
  const group = await needGroup(context, id, { lock: true });
  if ((group.data as JsonObject).status === 'DELETED') throw notFound(later`selling plan group`);
  return group;
}
export const logMapping = (context: Context, group: Row, description: string, after: JsonObject): Promise<void> =>
  context.log({
    action: 'selling_plan_group.mapped',
    category: 'Selling plans',
    description: `Selling plan group "${String((group.data as JsonObject).name)}": ${description}`,
    entity: GROUP,
    entityId: rowId(group),
    after,
  });
export const some = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;
