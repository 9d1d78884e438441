// What reading texts takes, and records whose fields are texts.
import type { JsonObject } from '../../../contract/types.ts';
import type { Context } from '../context.ts';

export type Reading = Pick<Context, 'trx' | 'storeId' | 'definitions'>;

/** A record whose translatable fields are texts. */
export interface LocalisedRecord {
  id: string | number;
  data: JsonObject;
  /** Of fields in Liquid: what they may name. */
  names?: readonly string[];
  /** Of fields in Liquid: what is wrong with words for one of them, as sentences with their lines. */
  problems?: (field: string, text: string) => string[];
}
