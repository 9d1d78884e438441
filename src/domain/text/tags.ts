// Tags: two that are the same as names are one, as the store's platform takes them.
import { cleanName, nameKey } from './names.ts';

/** Clean tags without empty ones, each once; the first spelling stays. */
export function uniqueTags(tags: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const tag of tags.map(cleanName)) if (tag !== '' && !found.has(nameKey(tag))) found.set(nameKey(tag), tag);
  return [...found.values()];
}
