// What names are compared by in the database, as `nameKey` of src/domain/text/names.ts says it.
import { sql, type RawBuilder } from 'kysely';
import { lowered } from './lowered.ts';

/** The key of a text: without case, in composed letters, with one space where there were several or others. */
export const nameKeySql = (text: RawBuilder<unknown>): RawBuilder<unknown> => lowered(sql`tag_key(${text})`);
