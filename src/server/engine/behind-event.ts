// The engine's view of what follows an event: a flow, a streak.
import type { JsonObject } from '../../contract/types.ts';
import type { EventScope } from '../platform/events/consumer.ts';
import { readSetting } from '../platform/records/settings.ts';
import type { EngineContext } from './context.ts';

/** The settings of a step, read once; what is changed meanwhile counts from the next step on. */
const settingsOfStep = new WeakMap<EventScope, Map<string, Promise<JsonObject>>>();

/** It acts now, and never before the event that it follows. */
export function engineBehind(scope: EventScope, at: Date, source: EngineContext['source']): EngineContext {
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
    source,
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
