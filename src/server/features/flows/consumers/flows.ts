// Flows run behind the events that set them off.
import { FLOW_EVENTS, triggerOf } from '../../../../domain/flows/triggers.ts';
import type { EventConsumer, EventScope } from '../../../platform/events/consumer.ts';
import { engineBehind } from '../../../engine/index.ts';
import { activeFlows, triggersOf, type Flow } from '../flow.ts';
import { followEvent } from '../run-flow.ts';

/** The flows of a step, read once; what is changed meanwhile counts from the next step on. */
const flowsOfStep = new WeakMap<EventScope, Promise<Flow[]>>();

export const flows: EventConsumer = {
  name: 'flows',
  // A flow changes subscriptions: a step stays short, because it holds what it has changed.
  batch: 20,
  changesSubscriptions: true,
  keys: () => FLOW_EVENTS,
  async handle(scope, event) {
    const trigger = triggerOf(event.key);
    // A subscription that comes from another app was begun long ago: no welcome is due.
    if (!trigger || (event.key === 'subscription_created' && event.payload.source === 'MIGRATION')) return;
    const known = flowsOfStep.get(scope) ?? activeFlows(scope.trx, scope.store.id);
    flowsOfStep.set(scope, known);
    const mine = (await known).filter(flow => triggersOf(flow).includes(trigger));
    if (mine.length === 0) return;
    const { definitions, shape } = scope.services;
    const engine = engineBehind(scope, event.at, 'Flow');
    for (const flow of mine) await followEvent({ engine, definitions, shape: name => shape(name) }, flow, trigger, event);
  },
};
