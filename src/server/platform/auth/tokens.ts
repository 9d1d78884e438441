// Tokens: random, shown once, kept only as hashes.
import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes as text for a header or an address. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The token of an authorization header, with or without its scheme. */
export const tokenOf = (header: string): string => header.replace(/^Bearer /i, '').trim();

/** Whether a text has the form of a token at all; anything else needs no look into the database. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
