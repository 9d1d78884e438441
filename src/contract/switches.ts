// Feature switches of a store (schemas/common/switches.json): what each opens. One place says it for both sides.
import document from '../../schemas/common/switches.json' with { type: 'json' };
import { translated } from '../domain/text/t.ts';
import type { ActionKey } from '../generated/actions.ts';

/** A way by which an action comes to a subscription, besides a person who does it there. */
export type Way = 'BULK_ACTION' | 'CAMPAIGN' | 'CANCELLATION_FLOW' | 'QUICK_ACTION';
/** What features offer of prepaid plans, or to prepaid subscriptions. */
export type PrepaidPart = 'PLANS' | 'LIMITS' | 'COLLECTIONS' | 'CHECKOUT_LINKS' | 'UPSELLS';

interface Switch {
  opens: string;
  forNewStores?: boolean;
  /** Plan features. */
  gives?: string[];
  prepaid?: { actions?: ActionKey[]; ways?: Way[]; parts?: PrepaidPart[]; otherwise: string };
}

/** Every switch by its name. `npm run check` holds the file to its grammar, which is wider than the types of its JSON. */
export const SWITCHES = document.switches as Readonly<Record<string, Switch>>;

/** The switches that a store has when it opens. */
export const SWITCHES_OF_NEW_STORES: readonly string[] = Object.keys(SWITCHES).filter(name => SWITCHES[name]?.forNewStores);

/** The plan features that a store's switches give it besides its plan (D121). */
export const featuresGiven = (switches: readonly string[]): string[] => switches.flatMap(name => SWITCHES[name]?.gives ?? []);

type Asked = { actions: readonly ActionKey[] } | { way: Way } | { part: PrepaidPart };
const opens = ({ actions = [], ways = [], parts = [] }: NonNullable<Switch['prepaid']>, asked: Asked): boolean =>
  'actions' in asked
    ? asked.actions.some(one => actions.includes(one))
    : 'way' in asked
      ? ways.includes(asked.way)
      : parts.includes(asked.part);

/**
 * The sentence that refuses something to what is prepaid because the switch that opens it is off (D122); null where it may be. `switches`
 * are those of the store.
 */
export function prepaidRefusal(switches: readonly string[], asked: Asked): string | null {
  for (const [name, { prepaid }] of Object.entries(SWITCHES))
    if (prepaid && !switches.includes(name) && opens(prepaid, asked)) return translated(prepaid.otherwise);
  return null;
}
