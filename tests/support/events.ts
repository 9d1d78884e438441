// Bringing events to their consumers in tests whose databases share a server with others.
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverEvents } from '../../src/server/platform/events/deliver.ts';
import { eventLag } from '../../src/server/platform/events/sweep.ts';
import type { Services } from '../../src/server/platform/services.ts';

/** Delivers until nothing waits: events are held back by transactions under way, also by those of other databases of the same server. */
export async function deliverAll(services: Services, storeId = 1): Promise<void> {
  for (;;) {
    await deliverEvents(services, storeId);
    if ((await eventLag(services.db)).waiting === 0) return;
    await sleep(20);
  }
}
