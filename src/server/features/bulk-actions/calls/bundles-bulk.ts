// C182: subscriptions get what a preset bundle holds now, or single changes of it. One such update of a store runs at a time.
import type { JsonObject } from '../../../../contract/types.ts';
import { invalidState, notFound, type Context } from '../../../platform/context.ts';
import { runWire } from '../../../platform/queue/system-run.ts';
import { startSystemRun } from '../../../platform/records/runs.ts';
import { readBundles } from '../../bundles/catalogue.ts';
import { presetBundles } from '../../bundles/preset-update.ts';
import { SYSTEM_ACTIONS } from '../updates/system-updates.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** @throws Refusal 404, 409 for a box and while another update runs */
export async function updateSubscriptions(
  context: Context,
  { bundleId, changes }: { bundleId: number; changes?: JsonObject[] },
): Promise<JsonObject> {
  const [bundle] = await readBundles(context, { ids: [bundleId] });
  if (!bundle) throw notFound(later`bundle`);
  if (bundle.bundleType !== 'PRESET') throw invalidState(t`“${bundle.name}” is a box: subscribers choose what is in it.`);
  const run = SYSTEM_ACTIONS[presetBundles.kind];
  if (!run) throw new Error(`There is no run ${presetBundles.kind}.`);
  const input = { bundleId, ...(changes ? { changes } : {}) } as JsonObject;
  return runWire(await startSystemRun(context, presetBundles.kind, { ...run, input: async () => input }));
}
