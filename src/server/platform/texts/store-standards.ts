// What a new record of a store says until a person writes other words.
import type { Schema } from '../../../contract/types.ts';
import { hasStandards, withStandards } from '../../../domain/text/standard-texts.ts';
import type { Reading } from './reading.ts';
import { standardsIn } from './standard-words.ts';
import { primaryOf } from './values.ts';

/** A schema with its standard texts in the primary language of the store. */
export const inStoreWords = async (scope: Pick<Reading, 'trx' | 'storeId'>, schema: Schema): Promise<Schema> =>
  hasStandards(schema) ? withStandards(schema, standardsIn(await primaryOf(scope))) : schema;
