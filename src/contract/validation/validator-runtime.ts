// What precompiled validators use at run time in the browser; kept apart so that it is loaded once.
export { formats } from './formats.ts';
export { same as equal } from '../paths.ts';

/** Length in characters as people count them, not in UTF-16 units. */
export function ucs2length(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
