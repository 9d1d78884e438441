// The engine's view of what goes on without a request: jobs, and what follows an event.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../contract/types.ts';
import type { Tables } from '../../generated/tables.ts';
import type { Store } from '../platform/context.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import type { EventScope } from '../platform/events/consumer.ts';
import { readSetting, wholePage } from '../platform/records/settings.ts';
import type { EngineContext } from './context.ts';
import type { PortalConfig } from './portal-link.ts';

/** What of a server such work knows. */
export interface SystemServer {
  definitions: Pick<Definitions, 'settings' | 'messages' | 'texts'>;
  config: PortalConfig;
}

const systemContext = (
  { definitions, config }: SystemServer,
  store: Store,
  own: Pick<EngineContext, 'trx' | 'setting'> & Partial<Pick<EngineContext, 'now' | 'source'>>,
): EngineContext => ({
  storeId: store.id,
  store,
  config,
  now: () => new Date(Date.now() + store.clock_offset_ms),
  source: 'System',
  userEmail: '',
  messages: definitions.messages,
  texts: definitions.texts,
  ...own,
});

/** For a job, by the store's clock. The store and all its settings pages are read in one statement. @throws Error for no such store */
export async function engineForJob(server: SystemServer, trx: Kysely<Tables>, storeId: number): Promise<EngineContext> {
  const { definitions } = server;
  const {
    rows: [row],
  } = await prepared(sql<Store & { pages: Record<string, JsonObject> | null }>`
    select s.*, (select jsonb_object_agg(p.name, p.data) from settings p where p.store_id = s.id) as pages from stores s
      where s.id = ${storeId}::integer`).execute(trx);
  if (!row) throw new Error(`Store ${storeId} does not exist.`);
  const { pages, ...store } = row;
  return systemContext(server, store, { trx, setting: name => wholePage({ trx, storeId, definitions }, name, pages?.[name]) });
}

/** The settings of a step, read once; what is changed meanwhile counts from the next step on. */
const settingsOfStep = new WeakMap<EventScope, Map<string, Promise<JsonObject>>>();

/** For what follows an event. It acts now, and never before the event that it follows. */
export function engineBehind(scope: EventScope, at: Date, source: EngineContext['source']): EngineContext {
  const { trx, store, services } = scope;
  const { definitions } = services;
  const pages = settingsOfStep.get(scope) ?? new Map<string, Promise<JsonObject>>();
  settingsOfStep.set(scope, pages);
  const now = new Date(Math.max(at.getTime(), Date.now() + store.clock_offset_ms));
  return systemContext(services, store, {
    trx,
    source,
    now: () => now,
    setting(name) {
      const page = pages.get(name) ?? readSetting({ trx, storeId: store.id, definitions }, name).then(({ data }) => data);
      pages.set(name, page);
      return page;
    },
  });
}
