// Parameters of a list beside its page, order and filter: what it is narrowed to.
import type { RawBuilder } from 'kysely';
import { LIST_PARAMS } from '../../../../contract/calls.ts';
import type { Call, JsonObject, JsonValue, Param } from '../../../../contract/types.ts';
import type { Context } from '../../context.ts';
import type { EntityMapping } from '../entity-mapping.ts';
import { needRow } from '../record-repository.ts';

/** Whether a parameter of a list narrows it, rather than naming a page, an order or a filter. */
function narrows({ definitions }: Context, call: Call, shape: EntityMapping, { name, as = name }: Param): boolean {
  const pager = definitions.hosts[call.host]?.pagers[call.page ?? 'whole'] ?? {};
  if ((LIST_PARAMS as readonly string[]).includes(as) || Object.values(pager).includes(name)) return false;
  return shape.fields.has(as) || shape.rules.narrow?.[as] !== undefined;
}

/** Parameters beside those of every list narrow it: fields of the entity ({ contractId: 12 }), or what its rules make of them. */
export function narrowed(
  context: Context,
  call: Call,
  shape: EntityMapping,
  input: JsonObject,
): { narrowing: Param[]; also: JsonObject; where: RawBuilder<unknown>[] } {
  const narrowing = call.in.filter(param => input[param.as ?? param.name] !== undefined && narrows(context, call, shape, param));
  const also: JsonObject = {};
  const where: RawBuilder<unknown>[] = [];
  for (const { name, as = name } of narrowing) {
    const value = input[as] as JsonValue;
    const rule = shape.rules.narrow?.[as];
    if (rule) where.push(rule(value, context));
    else also[as] = value;
  }
  return { narrowing, also, where };
}

/** Where a list is narrowed to what belongs to another record, an empty one says whether that is there at all. @throws Refusal 404 */
export async function needOwner(
  context: Context,
  shape: EntityMapping,
  { name, as = name, schema }: Param,
  input: JsonObject,
): Promise<void> {
  const owner = schema['x-ui']?.of ?? shape.fields.get(as)?.schema['x-ui']?.of;
  if (owner) await needRow(context, context.shape(owner), input[as] as JsonValue);
}
