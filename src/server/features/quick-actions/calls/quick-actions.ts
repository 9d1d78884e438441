// A link of a quick action for one subscription.
import type { JsonObject } from '../../../../contract/types.ts';
import type { LinkKind } from '../../../../generated/actions.ts';
import { refuseUse } from '../../../platform/auth/grants.ts';
import { invalidState, notFound, type Context } from '../../../platform/context.ts';
import { needRow, recordOf } from '../../../platform/records/record-repository.ts';
import { LINK_DAYS, LINK_NAMES, linkBase, linkToken } from '../../../engine/index.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** The link as it stands in an e-mail of now. @throws Refusal 404, 409 while the quick action is off */
export async function makeLink(
  context: Context,
  { quickActionId, subscriptionId }: { quickActionId: number; subscriptionId: number },
): Promise<JsonObject> {
  const { trx, storeId, store, config, address, now } = context;
  const shape = context.shape('quick-action');
  const record = recordOf(context, shape, await needRow(context, shape, quickActionId));
  refuseUse(context, shape.schema, record);
  if (record.status !== 'ACTIVE') throw invalidState(t`Turn the quick action on first.`);
  const contract = await trx
    .selectFrom('contracts')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  if (!contract) throw notFound(later`subscription`);
  const expiresAt = new Date(now().getTime() + LINK_DAYS * 86_400_000);
  const token = linkToken(store, { contractId: subscriptionId, what: LINK_NAMES[record.type as LinkKind], expiresAt });
  return { url: `${linkBase(config) ?? address}/q/${token}`, expiresAt: expiresAt.toISOString() };
}
