// The verb of calls that answer what offers of a kind brought in a period.
import type { Call, JsonValue } from '../../../contract/types.ts';
import type { Context, Handler } from '../../platform/context.ts';
import { figures, isMeasure, type FiguresInput } from './figures.ts';
import type { OfferKind } from './offer.ts';

/** The offers that a call is about, by the entity of their profiles. */
const KINDS: Readonly<Record<string, OfferKind>> = {
  'upsell-profile': 'UPSELL',
  'upgrade-profile': 'UPGRADE',
  'storefront-banner': 'BANNER',
};

/** One measure is the answer itself; several stand in it by their names, with the currency of amounts. @throws Error at the start */
function figuresOf({ name, of, figures: wanted = {} }: Call): Handler {
  const kind = KINDS[of];
  const measures = typeof wanted === 'string' ? { figure: wanted } : wanted;
  const unknown = Object.values(measures).find(measure => !isMeasure(measure));
  if (!kind || unknown !== undefined) throw new Error(`${name}: there are no figures "${unknown ?? ''}" of "${of}".`);
  return async (context: Context, input: FiguresInput): Promise<JsonValue> => {
    const found = await figures(context, kind, input, measures);
    return typeof wanted === 'string' ? (found.figure ?? null) : { ...found, currencyCode: context.store.currency_code };
  };
}

export const verbs = { figures: figuresOf };
