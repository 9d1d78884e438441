// What flows are made of, for the editor and for readers of the calls (C207, C211, C213, C214).
import { sql } from 'kysely';
import { conditionsFor } from '../../../contract/conditions.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { TRIGGERS, type Trigger } from '../../../domain/flows/triggers.ts';
import { conditionParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { translated } from '../../../domain/text/t.ts';
import { actionsIn } from '../../engine/index.ts';

/** Payments of so many days back are looked through for what they failed with. */
const DAYS = 365;

/** Triggers, conditions by trigger, actions and limits. */
export const flowParts = (context: CatalogueContext): JsonObject => {
  const conditions = Object.values(conditionsFor(context.definitions.conditions, 'flow'));
  const triggers = Object.keys(TRIGGERS) as Trigger[];
  const fits = (trigger: Trigger, events: readonly string[]): boolean =>
    events.length === 0 || events.some(key => (TRIGGERS[trigger].events as readonly string[]).includes(key));
  return {
    triggers: triggers.map(key => ({ key, title: translated(TRIGGERS[key].title), description: translated(TRIGGERS[key].detail) })),
    conditions: conditionParts(context, 'flow'),
    conditionsByTrigger: Object.fromEntries(
      triggers.map(trigger => [trigger, conditions.filter(one => fits(trigger, one.events)).map(one => one.key)]),
    ),
    actions: actionsIn('flow', context),
    limits: { maxActions: 10, maxConditions: 10, maxSteps: 50 },
  };
};

const failedWith = async ({ trx, storeId, now }: CatalogueContext, column: 'error_code' | 'error_message'): Promise<JsonValue> => {
  const { rows } = await sql<{ value: string; n: number }>`select ${sql.ref(column)} as value, count(*)::integer as n from billing_attempts
    where store_id = ${storeId}::integer and success = false and ${sql.ref(column)} is not null
      and created_at > ${now()}::timestamptz - make_interval(days => ${DAYS}::integer)
    group by 1 order by 2 desc, 1 limit 200`.execute(trx);
  return rows.map(({ value, n }) => ({ value, count: n }));
};
/** Codes that gateways refused charges with in the last year, the most frequent first. */
export const paymentFailureCodes = (context: CatalogueContext): Promise<JsonValue> => failedWith(context, 'error_code');
/** The same for their messages. */
export const paymentFailureMessages = (context: CatalogueContext): Promise<JsonValue> => failedWith(context, 'error_message');
