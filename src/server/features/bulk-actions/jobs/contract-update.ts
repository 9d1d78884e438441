// Runs the updates of all subscriptions (or customers) that settings pages start.
import { overContracts, runUpdate } from '../updates/contract-update.ts';
import { customerTags } from '../updates/customer-tags-update.ts';
import { noteRun, type RunData } from '../../../platform/queue/system-run.ts';
import { UPDATES } from '../updates/store-updates.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { needsOfRun } from '../../../platform/records/runs.ts';

export const CONTRACT_UPDATE = 'contract-update';
const RETRIES = 5;

export const contractUpdate: JobModule = {
  name: CONTRACT_UPDATE,
  retries: RETRIES,
  async run(services, data: RunData & { kind?: string }, job) {
    const { db } = services;
    const row = await db.inStore(
      data.storeId,
      trx => trx.selectFrom('runs').select('kind').where('store_id', '=', data.storeId).where('id', '=', data.runId).executeTakeFirst(),
      { readOnly: true },
    );
    const ofContracts = row && UPDATES[row.kind];
    const update = ofContracts ? overContracts(ofContracts) : row?.kind === customerTags.kind ? customerTags : undefined;
    const started = services.registry.runs[update?.kind ?? ''];
    if (!update || !started || started === 'STARTED_ELSEWHERE') return;
    try {
      await runUpdate(services, update, data, job.signal, needsOfRun(started));
    } catch (error) {
      if (!job.signal.aborted && job.attempt > RETRIES) {
        await db.inStore(data.storeId, trx =>
          noteRun(trx, data, {
            status: 'FAILED',
            finished_at: new Date(),
            error: 'The update stopped because of an error on our side. What was updated stays; start it again to go on.',
          }),
        );
      }
      throw error;
    }
  },
};
