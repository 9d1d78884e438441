// Whether orders are charged through the account that payment methods were moved from.
import { refuseMore } from '../../../engine/index.ts';
import { invalidState, type Context } from '../../../platform/context.ts';
import { needRow } from '../../../platform/records/record-repository.ts';
import { PROVIDERS, type ProviderKey } from '../payments/providers.ts';
import { t } from '../../../../domain/text/t.ts';

/** Who sets charges going, or stops them. */
const CHARGING = ['subscriptionOrderActions'];

/** Orders are charged through the account from now on. @throws Refusal 403, 404, 409 INVALID_STATE */
export async function startCharging(context: Context, { id }: { id: number }): Promise<void> {
  refuseMore(context, CHARGING);
  const row = await needRow(context, context.shape('payment-provider'), id);
  const { name } = PROVIDERS[row.provider as ProviderKey];
  if (row.provider !== 'STRIPE') throw invalidState(t`Nothing can be charged through ${name} yet. Only Stripe can.`);
  if (row.status !== 'CONNECTED') throw invalidState(t`This account is not connected. Enter a key that is valid first.`);
  await keep(context, id, true);
}

/** Nothing more is charged through the account. @throws Refusal 403, 404 */
export async function stopCharging(context: Context, { id }: { id: number }): Promise<void> {
  refuseMore(context, CHARGING);
  await needRow(context, context.shape('payment-provider'), id);
  await keep(context, id, false);
}

/** The engine reads the store's row alone, so it stands there too. */
async function keep({ trx, storeId, now }: Context, id: number, charges: boolean): Promise<void> {
  await trx
    .updateTable('payment_providers')
    .set({ charges, updated_at: now() })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .execute();
  const rows = await trx
    .selectFrom('payment_providers')
    .select('provider')
    .where('store_id', '=', storeId)
    .where('charges', '=', true)
    .execute();
  await trx
    .updateTable('stores')
    .set({ charges_through: rows.map(row => row.provider) })
    .where('id', '=', storeId)
    .execute();
}
