// Flows run behind the events that set them off.
import type { JsonObject } from '../../../../contract/types.ts';
import { FLOW_EVENTS, triggerOf } from '../../../../domain/flows/triggers.ts';
import type { EventConsumer, EventScope } from '../../../platform/events/consumer.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import type { EngineContext } from '../../subscriptions/engine/context.ts';
import { activeFlows, triggersOf, type Flow } from '../flow.ts';
import { followEvent } from '../run-flow.ts';

/** The flows and settings of a step, read once; what is changed meanwhile counts from the next step on. */
const flowsOfStep = new WeakMap<EventScope, Promise<Flow[]>>();
const settingsOfStep = new WeakMap<EventScope, Map<string, Promise<JsonObject>>>();

function engineAt(scope: EventScope, at: Date): EngineContext {
  const { trx, store, services } = scope;
  const pages = settingsOfStep.get(scope) ?? new Map<string, Promise<JsonObject>>();
  settingsOfStep.set(scope, pages);
  const now = new Date(Math.max(at.getTime(), Date.now() + store.clock_offset_ms));
  return {
    trx,
    storeId: store.id,
    store,
    config: services.config,
    now: () => now,
    source: 'Flow',
    userEmail: '',
    messages: services.definitions.messages,
    texts: services.definitions.texts,
    setting(name) {
      const page =
        pages.get(name) ?? readSetting({ trx, storeId: store.id, definitions: services.definitions }, name).then(({ data }) => data);
      pages.set(name, page);
      return page;
    },
  };
}

export const flows: EventConsumer = {
  name: 'flows',
  // A flow changes subscriptions: a step stays short, because it holds what it has changed.
  batch: 20,
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
    const engine = engineAt(scope, event.at);
    for (const flow of mine) await followEvent({ engine, definitions, shape: name => shape(name) }, flow, trigger, event);
  },
};
