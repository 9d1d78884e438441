// The words of a store that its e-mails are written in.
import { readWords, type Words } from '../texts/words.ts';
import { PRODUCT } from '../texts/product-names.ts';
import type { Reading } from '../texts/reading.ts';
import { TEMPLATE } from './message-edits.ts';

export type { Words };

/**
 * Subjects and texts of e-mails, what they are filled in with, what flows say in them, and names of products. `also`: a language that
 * counts although it is not published.
 */
export const readMailWords = (scope: Pick<Reading, 'trx' | 'storeId'>, also?: string): Promise<Words> =>
  readWords(scope, [TEMPLATE, 'store', 'flow', PRODUCT], also);
