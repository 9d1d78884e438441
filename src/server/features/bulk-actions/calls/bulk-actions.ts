// The calls of bulk actions (bulk host).
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { previewBulk } from '../preview.ts';
import * as reads from '../reads.ts';
import { bulkWire } from '../bulk-record.ts';
import * as files from '../result-file.ts';
import { runWire } from '../../../platform/queue/system-run.ts';
import { givenBy, type Selection } from '../selection.ts';
import { cancelBulk, createBulk, mustSeeSubscriptions, retryFailed as retry, startBulk, type NewBulk, type Start } from '../start.ts';
import { undoBulk } from '../undo.ts';
import { startSystem } from '../updates/system-updates.ts';
import { inLine, ownTransactions, Reply, type Context } from '../../../platform/context.ts';
import { inFigures, t } from '../../../../domain/text/t.ts';

interface Named {
  id: number;
}

/** Of calls that show subscriptions: only for people who may look at them. */
const seeing =
  <I, R>(work: (context: Context, input: I) => Promise<R>) =>
  async (context: Context, input: I): Promise<R> => {
    mustSeeSubscriptions(context);
    return work(context, input);
  };

/** Rows with their outcome. */
export const rows = seeing(reads.listRows);
/** Who did what with it. */
export const events = (context: Context, { id }: Named): Promise<JsonValue> => reads.listEvents(context, id);
/** Why rows failed or were skipped, and how many (C324). */
export const failureCounts = (context: Context, { id }: Named): Promise<JsonValue> => reads.failureCounts(context, id);

/** Whether an action of this kind (or any) is waiting or running (C326). */
export const checkInProgress = (context: Context, { key }: { key?: string }): Promise<JsonValue> =>
  reads.inProgress(context, key === undefined ? undefined : [key]);
/** The kind under which updates of preset bundles are kept. */
const PRESET = ['UPDATE_PRESET_BUNDLE'];
/** Whether an update of preset bundles is waiting or running (C327). */
export const checkPresetBAInProgress = (context: Context): Promise<JsonValue> => reads.inProgress(context, PRESET);
/** Whether backup payment methods are being assigned (C338). */
export const backupPaymentInProgress = (context: Context): Promise<JsonValue> => reads.inProgress(context, ['ASSIGN_BACKUP_PAYMENT']);

/** How many subscriptions a selection holds (C331). */
export const entityCount = seeing(reads.entityCount);
/** Which ids can be used (C335). */
export const validateEntityIds = seeing(
  async (context, { ids, actionKey }: { ids: (number | string)[]; actionKey?: string }): Promise<JsonValue> =>
    (await reads.validate(context, await givenBy({ mode: 'IDS', ids }), actionKey)) as JsonValue,
);

/**
 * Five subscriptions, before and after. Nothing is written; what the actions look up may take new
 * numbers, so that it is no read-only transaction.
 */
export const preview = ownTransactions(
  seeing((context, input: { actionKey: string; selection: Selection; input?: JsonObject }) =>
    context.transaction(inner => previewBulk(inner, input)),
  ),
);

/** Makes a draft (C332, D075). */
export const create = async (context: Context, input: NewBulk): Promise<JsonValue> =>
  bulkWire(await createBulk(context, { ...input, retryOf: undefined }), context.now());
const started = async (context: Context, input: Start, event: 'queue' | 'runBulkAction'): Promise<Reply> => {
  const row = await startBulk(context, input, event);
  return new Reply(bulkWire(row, context.now()), {
    message: row.status === 'SCHEDULED' ? t`Bulk action scheduled.` : t`Bulk action started. You can leave this page.`,
  });
};
/** Runs a draft now, or at a time (C333). */
export const runBulkAction = (context: Context, input: Start): Promise<Reply> => started(context, input, 'runBulkAction');
/** Queues a draft, for the time it was made for if it has one (C334). */
export const queue = (context: Context, input: Start): Promise<Reply> => started(context, input, 'queue');

/** Cancels (C337). */
export async function cancel(context: Context, { id }: Named): Promise<Reply> {
  const row = await cancelBulk(context, id);
  return new Reply(bulkWire(row, context.now()), {
    message:
      row.succeeded > 0
        ? t`Bulk action cancelled. ${inFigures(row.succeeded)} of ${inFigures(row.total)} were already updated.`
        : t`Bulk action cancelled.`,
  });
}

/** A new draft for the rows that failed. */
export const retryFailed = async (context: Context, { id }: Named): Promise<JsonValue> => bulkWire(await retry(context, id), context.now());
/** Takes back what a bulk action did, for a day after its end. */
export const undo = async (context: Context, { id }: Named): Promise<Reply> => {
  const made = await undoBulk(context, id);
  return new Reply(bulkWire(made, context.now()), { message: t`It is being undone. You can leave this page.` });
};
/** The result as CSV. */
export const resultFile = inLine(
  'exports',
  seeing((context, { id }: Named) => files.resultFile(context, id)),
);
/** The file to fill in. */
export const template = async (context: Context, { actionKey }: { actionKey?: string }): Promise<Reply> =>
  files.template(context, actionKey);

/** Starts an update of all subscriptions (C336, D190, D237: the answer carries its own flag). */
export async function createSystemBulkAction(
  context: Context,
  { action_key }: { action_key: string; context?: JsonObject },
): Promise<Reply> {
  const run = await startSystem(context, action_key);
  const shown = await context.trx
    .selectFrom('bulk_actions')
    .select('id')
    .where('store_id', '=', context.storeId)
    .where('run_id', '=', run.id)
    .executeTakeFirst();
  return new Reply(
    { ...runWire(run), bulkActionId: shown?.id ?? null },
    { message: t`The update has started. It goes on when you leave this page.` },
  );
}
