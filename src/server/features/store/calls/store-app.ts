// Whether the storefront widget is shown.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';

/** Shows or hides the storefront widget; snippet_version answers it. */
export async function widgetStatus(context: Context, { status }: { status: 'ACTIVE' | 'DRAFT' }): Promise<JsonValue> {
  const row = await context.trx
    .selectFrom('stores')
    .select('details')
    .where('id', '=', context.storeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const details = (row.details ?? {}) as JsonObject;
  const isShownAnew = status === 'ACTIVE' && (details.widgetStatus !== 'ACTIVE' || !details.widgetShownAt);
  await context.trx
    .updateTable('stores')
    .set({
      details: JSON.stringify({ ...details, widgetStatus: status, ...(isShownAnew ? { widgetShownAt: context.now().toISOString() } : {}) }),
    })
    .where('id', '=', context.storeId)
    .execute();
  await context.log({
    action: 'widget.status',
    category: 'Store',
    description: status === 'ACTIVE' ? 'Storefront widget shown' : 'Storefront widget hidden',
    entity: 'store',
    entityId: context.storeId,
    before: { status: details.widgetStatus ?? 'ACTIVE' },
    after: { status },
  });
  return { widgetStatus: status };
}
