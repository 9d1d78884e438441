// The engine's view of work that goes on without a request.
import type { Kysely } from 'kysely';
import type { Tables } from '../../generated/tables.ts';
import { readSetting } from '../platform/records/settings.ts';
import type { Services } from '../platform/services.ts';
import type { EngineContext } from './context.ts';

/** A context of the engine for a job: the store's clock and settings, acting as the system. */
export async function engineForJob(
  services: Pick<Services, 'definitions' | 'config'>,
  trx: Kysely<Tables>,
  storeId: number,
): Promise<EngineContext> {
  const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();
  return {
    trx,
    storeId,
    store,
    config: services.config,
    now: () => new Date(Date.now() + store.clock_offset_ms),
    source: 'System',
    userEmail: '',
    messages: services.definitions.messages,
    texts: services.definitions.texts,
    setting: async name => (await readSetting({ trx, storeId, definitions: services.definitions }, name)).data,
  };
}
