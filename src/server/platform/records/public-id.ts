// Identifiers of records that the wire shows in place of their numbers: they tell nothing of how many there are.
import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** 32 hexadecimal digits, or 21 characters of 64 (a nano id): 128 and 126 random bits. */
export const newPublicId = (kind: 'hex32' | 'nano'): string =>
  kind === 'hex32' ? randomBytes(16).toString('hex') : [...randomBytes(21)].map(byte => ALPHABET[byte & 63]).join('');
