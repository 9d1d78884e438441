// The language of the request at hand, for whatever is said while it is answered.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dictionary } from '../../domain/text/t.ts';

/** The words that a request is answered in; undefined is English, as outside of any request. */
export const requests = new AsyncLocalStorage<Dictionary | undefined>();

/** Runs work in English whoever asks for it: what is stored by it is read by others. */
export const inEnglish = <T>(work: () => T): T => requests.run(undefined, work);
