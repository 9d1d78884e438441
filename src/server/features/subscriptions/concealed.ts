// What entries about subscriptions keep from people without the right to what they are about: notes and attributes, cards.
import type { MayRead } from '../../../contract/mask.ts';
import { CARDS } from '../../platform/auth/personal-data.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';

export const NOTES = 'orderNotesAndAttributes';

/** Entries whose before and after are a note or attributes. */
const OF_NOTES = /^(note|order_note|custom_attributes)_updated$/;
const OF_CARDS = new Set(['lastDigits', 'maskedNumber', 'expiryMonth', 'expiryYear', 'paypalAccountEmail']);
const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The data of an entry in the log of a subscription; several events of one bulk action lie in `events`. */
export function concealedData(key: string, data: JsonObject, may: MayRead): JsonObject {
  const left = may(CARDS) ? data : (withoutCards(data) as JsonObject);
  const { before: _before, after: _after, ...rest } = left;
  const open = OF_NOTES.test(key) && !may(NOTES) ? rest : left;
  return Array.isArray(open.events)
    ? {
        ...open,
        events: open.events.map(event =>
          isObject(event) && isObject(event.data) ? { ...event, data: concealedData(String(event.key), event.data, may) } : event,
        ),
      }
    : open;
}

function withoutCards(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutCards);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !OF_CARDS.has(name))
      .map(([name, inner]) => [name, withoutCards(inner)]),
  );
}
