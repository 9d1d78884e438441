// What subscribers did with banners in a period, beside the period before: of all of them or of one.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { figures, type FiguresInput, type MeasureName } from '../figures.ts';

const figure =
  (measure: MeasureName) =>
  async (context: Context, input: FiguresInput): Promise<JsonValue> =>
    (await figures(context, 'BANNER', input, { figure: measure })).figure ?? null;
/** C317: how often banners were seen, once a day by a subscription. */
export const bannerViewed = figure('viewed');
/** C318: how often customers began to choose. */
export const bannerClicked = figure('opened');
/** C319: how often a product was added. */
export const productsAdded = figure('accepted');
/** C320: how many pieces that were. */
export const itemsSold = figure('pieces');
/** C321: what that adds to the monthly recurring revenue. */
export const netMRRAdded = figure('monthlyChange');

/** The figures above the list of banners, at once. */
export const overview = async (context: Context, input: FiguresInput): Promise<JsonObject> => ({
  ...(await figures(context, 'BANNER', input, {
    bannerViewed: 'viewed',
    bannerClicked: 'opened',
    productsAdded: 'accepted',
    netMRRAdded: 'monthlyChange',
  })),
  currencyCode: context.store.currency_code,
});
