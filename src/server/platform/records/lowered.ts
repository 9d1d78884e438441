// Small letters in SQL, whatever the locale of the database.
import { sql, type RawBuilder } from 'kysely';

/** Capital letters beyond ASCII with their small ones: Latin, Greek, Cyrillic, Armenian. */
const CAPITALS = Array.from({ length: 0x590 - 0xc0 }, (_, i) => String.fromCodePoint(0xc0 + i)).filter(letter => {
  const small = letter.toLowerCase();
  return small !== letter && [...small].length === 1;
});
/** Text in small letters, whatever the locale of the database: under "C" PostgreSQL lowers ASCII only. */
export const lowered = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`translate(lower(${text}), ${CAPITALS.join('')}, ${CAPITALS.map(letter => letter.toLowerCase()).join('')})`;
