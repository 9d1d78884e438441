// Customers on the bulk host: their tags by their subscriptions, anew for everybody (C180, C181).
import type { JsonObject } from '../../contract/types.ts';
import { RECALCULATE_CUSTOMER_TAGS } from '../bulk/customer-tags.ts';
import { findRun, runWire } from '../bulk/run.ts';
import { startSystem } from '../bulk/system.ts';
import { Reply, type Context } from '../context.ts';

/** Starts the recalculation. One at a time. */
export async function recalculateTags(context: Context): Promise<Reply> {
  return new Reply(
    { ...runWire(await startSystem(context, RECALCULATE_CUSTOMER_TAGS)), inProgress: true },
    { message: 'Customer tags are being recalculated. It goes on when you leave this page.' },
  );
}

/** Whether it runs, and how far the latest one is. */
export async function tagsInProgress(context: Context): Promise<JsonObject> {
  const run = await findRun(context, [RECALCULATE_CUSTOMER_TAGS]);
  return { ...(run ? runWire(run) : {}), inProgress: run !== undefined && ['QUEUED', 'IN_PROGRESS'].includes(run.status) };
}
