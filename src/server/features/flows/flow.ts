// A flow as it is kept, and which of its actions an event asks for.
import { sql, type Kysely } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Trigger } from '../../../domain/flows/triggers.ts';
import type { Tables } from '../../../generated/tables.ts';

export type FlowAction = {
  action: string;
  input: JsonObject;
};
/** Of a run (`r`): its flow is still there. */
export const IS_OF_FLOW = sql`exists (select 1 from records g where g.store_id = r.store_id and g.entity = 'flow' and g.id = r.flow_id
  and g.deleted_at is null)`;

export type Flow = {
  id: number;
  name: string;
  flowType: 'ORDER_JOURNEY' | 'REWARD_JOURNEY' | 'CUSTOM';
  status: 'ACTIVE' | 'DRAFT';
  triggers?: Trigger[];
  conditions?: ConditionSet;
  actions?: FlowAction[];
  journeySteps?: { orderNumber: number; actions: FlowAction[] }[];
  runOncePerSubscription?: boolean;
  rewardNotification?: { sendEmail?: boolean; emailText?: string; upcomingOrderEmailText?: string };
};

export const isJourney = ({ flowType }: Pick<Flow, 'flowType'>): boolean => flowType !== 'CUSTOM';
/** A journey follows orders, whatever else it was. */
export const triggersOf = (flow: Pick<Flow, 'flowType' | 'triggers'>): readonly Trigger[] =>
  isJourney(flow) ? ['ORDER_PLACED'] : (flow.triggers ?? []);

/**
 * What a flow does behind an order of this number; of a journey what its step for the next order says, because an order that was placed
 * can't be changed any more. `orderNumber` is undefined behind an event that tells of none.
 */
export function actionsAt(
  flow: Pick<Flow, 'flowType' | 'actions' | 'journeySteps'>,
  orderNumber: number | undefined,
): readonly FlowAction[] {
  if (!isJourney(flow)) return flow.actions ?? [];
  return orderNumber === undefined ? [] : (flow.journeySteps?.find(step => step.orderNumber === orderNumber + 1)?.actions ?? []);
}

/** The flows of a store that are on, in the order in which they run. */
export async function activeFlows(trx: Kysely<Tables>, storeId: number): Promise<Flow[]> {
  const { rows } = await sql<{ id: number; data: Omit<Flow, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'flow' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }));
}
