// Popups: the one to show now, what was done with it, and those that support writes for one store.
import type { JsonObject } from '../../../../contract/types.ts';
import { Refusal, notFound, type Context } from '../../../platform/context.ts';
import { duePopup, isPopup, markPopup, type PopupData, type PopupState } from '../popups.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** S273, S274: the popup with what fills its placeholders; `display` false when there is none, or none with this id. */
export async function fetch(
  context: Context,
  { id, popupData }: { id?: number | null; popupData?: { page?: string } },
): Promise<JsonObject> {
  const found = await duePopup(context, {
    ...(typeof id === 'number' ? { openId: id } : {}),
    ...(popupData?.page === undefined ? {} : { page: popupData.page }),
  });
  return found
    ? { data: { ...found.data }, display: true, placeholderData: found.placeholderData }
    : { data: null, display: false, placeholderData: {} };
}

/** Seen, dismissed, or its action used: by this person. @throws Refusal 404 */
export async function mark(context: Context, { id, state }: { id: number; state: PopupState }): Promise<JsonObject> {
  if (!(await isPopup(context, id))) throw notFound(later`popup`);
  await markPopup(context, id, state);
  return { id, state };
}

function staffOnly(context: Context): void {
  if (context.user.type !== 'LOOP_USER') throw new Refusal(403, 'FORBIDDEN', t`Only the staff of Perennial can write popups for a store.`);
}

/** Writes a popup for this store, or its own wording of a common one. @throws Refusal 403 */
export async function save(
  context: Context,
  { id, header, body, primary_cta_text, primary_cta_link, page, showUntil }: PopupData & { page?: string; showUntil?: string },
): Promise<JsonObject> {
  staffOnly(context);
  const row = {
    header,
    body,
    primary_cta_text,
    primary_cta_link,
    page: page ?? null,
    show_until: showUntil === undefined ? null : new Date(showUntil),
    created_by: context.user.email,
  };
  await context.trx
    .insertInto('popups')
    .values({ store_id: context.storeId, id, ...row, created_at: context.now() })
    .onConflict(conflict => conflict.columns(['store_id', 'id']).doUpdateSet(row))
    .execute();
  await context.log({
    action: 'popup.saved',
    category: 'Popups',
    description: `Popup “${header.slice(0, 100)}” written for this store`,
    entity: 'popup',
    entityId: id,
    after: { header, body, primary_cta_text, primary_cta_link },
  });
  return { id };
}

/** Takes a popup of this store back; a common one has its common words again. @throws Refusal 403, 404 */
export async function remove(context: Context, { id }: { id: number }): Promise<JsonObject> {
  staffOnly(context);
  const { numDeletedRows } = await context.trx
    .deleteFrom('popups')
    .where('store_id', '=', context.storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!numDeletedRows) throw notFound(later`popup`);
  await context.log({
    action: 'popup.removed',
    category: 'Popups',
    description: 'Popup for this store taken back',
    entity: 'popup',
    entityId: id,
  });
  return { id };
}
