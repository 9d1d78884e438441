// Names a button by what it does, for pages that are built again when it is pressed: a place in a list would mean another thing by then.
import { createHash } from 'node:crypto';

/**
 * The name of a choice: 16 characters that follow from all that is given, which is what it does, what is said of it and what it costs.
 * When any of it is another at the press, no choice of the page has this name, and the page says so in place of doing something else.
 */
export const choiceKey = (...what: unknown[]): string => createHash('sha256').update(JSON.stringify(what)).digest('base64url').slice(0, 16);
