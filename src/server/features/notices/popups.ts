// Which popup a person is shown: those that everybody may get and those written for the store, less what was dismissed or done.
import type { Popup } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { inTheirWords } from '../../platform/records/documents.ts';
import { subscriptionLimit } from '../../platform/auth/store-plan.ts';
import { placeholders, readState, TRIGGERS, type StoreState } from './triggers.ts';

export type PopupState = 'SEEN' | 'DISMISSED' | 'DONE';
/** A dismissed popup comes again after this long, if its reason still holds (ms). */
const SNOOZE = 7 * 86_400_000;

/** A popup as it goes over the wire. */
export interface PopupData {
  id: number;
  header: string;
  body: string;
  primary_cta_text: string;
  primary_cta_link: string;
}
interface Candidate {
  data: PopupData;
  page: string | undefined;
  isDue(state: StoreState): boolean;
}

/** A common popup in the words for the store's widget; undefined when it is for stores with another one. */
function common(popup: Popup, widgetVersion: number): Candidate | undefined {
  const isLibrary = widgetVersion >= 2;
  if (popup.widgetVersion !== undefined && (popup.widgetVersion === 2) !== isLibrary) return undefined;
  const { id, header, primary_cta_link, page, trigger } = popup;
  const { body, primary_cta_text } = (isLibrary ? popup.library : undefined) ?? popup;
  return { data: { id, header, body, primary_cta_text, primary_cta_link }, page, isDue: state => TRIGGERS[trigger]?.(state) ?? false };
}

async function candidates(context: Context): Promise<Candidate[]> {
  const own = await context.trx.selectFrom('popups').selectAll().where('store_id', '=', context.storeId).execute();
  const found = new Map<number, Candidate>();
  for (const popup of inTheirWords(context.definitions.popups)) {
    const one = common(popup, context.store.storefront_widget_version);
    if (one) found.set(popup.id, one);
  }
  for (const { id, header, body, primary_cta_text, primary_cta_link, page, show_until } of own) {
    if (show_until && show_until <= context.now()) continue;
    const isDue = found.get(id)?.isDue ?? (() => true);
    found.set(id, { data: { id, header, body, primary_cta_text, primary_cta_link }, page: page ?? undefined, isDue });
  }
  return [...found.values()].sort((a, b) => a.data.id - b.data.id);
}

/** Whether a popup with this id can be shown to anybody of the store. */
export const isPopup = async (context: Context, id: number): Promise<boolean> =>
  (await candidates(context)).some(one => one.data.id === id);

/**
 * The popup for this person now: the one that is open already (`openId`), else the lowest that is due on this page. A person's own marks
 * count: dismissed, it rests for seven days; once its action was used it is over, though one that stays open then stays until dismissed.
 */
export async function duePopup(
  context: Context,
  { openId, page }: { openId?: number; page?: string },
): Promise<{ data: PopupData; placeholderData: Record<string, string | null> } | undefined> {
  const marks = await context.trx
    .selectFrom('notice_marks')
    .select(['key', 'state', 'at'])
    .where('store_id', '=', context.storeId)
    .where('user_id', '=', context.user.id)
    .where('kind', '=', 'popup')
    .execute();
  const now = context.now();
  const rests = (id: number): boolean => {
    const mark = marks.find(one => one.key === String(id));
    return (
      mark !== undefined &&
      ((mark.state === 'DONE' && id !== openId) || (mark.state === 'DISMISSED' && now.getTime() - mark.at.getTime() < SNOOZE))
    );
  };
  const here = (await candidates(context)).filter(
    one =>
      (openId === undefined || one.data.id === openId) &&
      (one.page === undefined || page === undefined || one.page === page) &&
      !rests(one.data.id),
  );
  if (here.length === 0) return undefined;
  const state = await readState(context.trx, context.store, subscriptionLimit(context), now);
  const due = here.find(one => one.isDue(state));
  return due && { data: due.data, placeholderData: placeholders(state, context.store.myshopify_domain) };
}

/** Notes what the person did with a popup. Once its action was used, that stands. */
export async function markPopup(context: Context, id: number, state: PopupState): Promise<void> {
  await context.trx
    .insertInto('notice_marks')
    .values({ store_id: context.storeId, user_id: context.user.id, kind: 'popup', key: String(id), state, at: context.now() })
    .onConflict(conflict =>
      conflict
        .columns(['store_id', 'user_id', 'kind', 'key'])
        .doUpdateSet({ state, at: context.now() })
        .where('notice_marks.state', '<>', 'DONE'),
    )
    .execute();
}
