// What a bulk action shows besides its own columns: how far it is, what can be done about it, and by whose hand.
import type { JsonObject } from '../../../contract/types.ts';
import { rules } from '../../platform/records/rules.ts';
import { usersByEmail } from '../../platform/auth/people.ts';
import { bulkWire, type BulkRow } from './bulk-record.ts';
import { seesWhat } from './reads.ts';

export const bulkAction = rules({
  derive: {
    needs: ['id'],
    members: [
      'version',
      'label',
      'actionKey',
      'status',
      'input',
      'selection',
      'total',
      'processed',
      'succeeded',
      'failed',
      'skipped',
      'percent',
      'remaining',
      'notFound',
      'retriable',
      'isSystem',
      'createdBy',
      'createdAtEpoch',
      'scheduledAtEpoch',
      'startedAtEpoch',
      'finishedAtEpoch',
      'createdAt',
      'scheduledAt',
      'startedAt',
      'finishedAt',
      'etaSeconds',
      'resultFileUrl',
      'retryOf',
      'undoOf',
      'undoneBy',
      'isUndoable',
      'error',
      'confirmCount',
      'actions',
      'createdByName',
    ],
    async of(records, context) {
      const { trx, storeId } = context;
      const ids = records.map(({ id }) => Number(id));
      const rows: BulkRow[] = await trx
        .selectFrom('bulk_actions')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('id', 'in', ids)
        .execute();
      const byId = new Map(rows.map(row => [row.id, row]));
      const who = await usersByEmail(context);
      return ids.map((id): JsonObject => {
        const row = byId.get(id);
        if (!row) return {};
        const record = bulkWire(row, context.now());
        return {
          ...record,
          // What it writes is for people who may look at that.
          ...(seesWhat(context, row.action_key) ? {} : { input: {} }),
          createdByName: who.get(String(record.createdBy)) ?? (record.createdBy || 'System'),
        };
      });
    },
  },
});
