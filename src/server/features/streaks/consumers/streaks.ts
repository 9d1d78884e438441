// Streaks follow subscriptions that begin, and orders that are paid.
import type { EventConsumer, EventScope } from '../../../platform/events/consumer.ts';
import { engineBehind } from '../../../engine/index.ts';
import { countOrder, enrolNew } from '../enrollment.ts';
import { activeStreaks, type Streak } from '../streak.ts';

/** The streaks of a step, read once. */
const streaksOfStep = new WeakMap<EventScope, Promise<Streak[]>>();
const KEYS = new Set(['subscription_created', 'order_placed']);

export const streaks: EventConsumer = {
  name: 'streaks',
  batch: 20,
  changesSubscriptions: true,
  keys: () => KEYS,
  async handle(scope, { key, contractId, payload, at }) {
    if (contractId === null) return;
    const { definitions, shape } = scope.services;
    const engine = { ...engineBehind(scope, at, 'System'), definitions, shape: (name: string) => shape(name) };
    if (key === 'subscription_created') {
      // What comes from another app was begun long ago; the merchant may enrol it.
      if (payload.source === 'MIGRATION') return;
      const known = streaksOfStep.get(scope) ?? activeStreaks(engine);
      streaksOfStep.set(scope, known);
      return enrolNew(engine, await known, contractId);
    }
    // A delivery that was paid with others is no order of its own.
    if (payload.isPrepaidDelivery === true || typeof payload.orderNumber !== 'number') return;
    return countOrder(engine, contractId, payload.orderNumber, at);
  },
};
