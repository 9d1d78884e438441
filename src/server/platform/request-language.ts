// The language of the present request, for every text of its answer.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dictionary } from '../../domain/text/t.ts';

/** The words that a request is answered in; undefined is English, as outside of any request. */
export const requests = new AsyncLocalStorage<Dictionary | undefined>();

/** Runs work in English, whatever the person's language: what is stored by it is read by others. */
export const inEnglish = <T>(work: () => T): T => requests.run(undefined, work);
