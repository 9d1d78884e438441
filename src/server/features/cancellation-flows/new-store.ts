// The reasons for cancelling that a new store begins with.
import type { Beginning } from '../../platform/auth/open-store.ts';
import { DEFAULT_REASONS, writeReasons } from './default-reasons.ts';

export const begin: Beginning = (trx, _definitions, { storeId, email }) => writeReasons(trx, storeId, email, DEFAULT_REASONS, Date.now());
