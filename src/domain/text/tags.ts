// Tags as the store's platform compares them: the same letters in another case or composition, or with other spaces, are the same tag.

/** A tag as it is stored: composed letters, one plain space where there were several or others, none around it. */
export const cleanTag = (tag: string): string => tag.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** What two tags are compared by; in the database it is `tag_key`. */
export const tagKey = (tag: string): string => cleanTag(tag).toLowerCase().normalize('NFC');

/** Clean tags without empty ones, each once; the first spelling stays. */
export function uniqueTags(tags: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const tag of tags.map(cleanTag)) if (tag !== '' && !found.has(tagKey(tag))) found.set(tagKey(tag), tag);
  return [...found.values()];
}
