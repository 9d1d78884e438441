// What reading texts takes, and records whose fields are texts.
import type { JsonObject } from '../../../contract/types.ts';
import type { TemplateCheck } from '../../../domain/messages/template-problems.ts';
import type { Context } from '../context.ts';

export type Reading = Pick<Context, 'trx' | 'storeId' | 'definitions'>;

/** A record whose translatable fields are texts. */
export interface LocalisedRecord {
  id: string | number;
  data: JsonObject;
  /** Of fields in Liquid: what they may name, and values to try them with. */
  template?: Omit<TemplateCheck, 'text'>;
}
