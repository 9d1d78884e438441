// Settings key by key, as the specification's calls read and write them; the same documents as the settings pages.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Reply, notFound, type Context } from '../../../platform/context.ts';
import { entriesOf, entryByKey, pagesOf, saveEntries } from '../setting-entries.ts';

interface Given {
  key: string;
  value: JsonValue;
}

/** The settings of a category, or of one type in it (C011, D137). */
export async function fetch(context: Context, { category, type }: { category: string; type?: string }): Promise<JsonObject[]> {
  const pages = pagesOf(context, category, type);
  if (pages.length === 0) throw notFound('settings category');
  const entries: JsonObject[] = [];
  for (const name of pages) entries.push(...(await entriesOf(context, name)));
  return entries;
}

/** Saves some settings of a page and answers all of it (C086). Settings that are not named keep their value. */
export async function update(
  context: Context,
  { category, type, settings }: { category: string; type: string; settings: Given[] },
): Promise<Reply> {
  const [name] = pagesOf(context, category, type);
  if (!name) throw notFound('settings page');
  return saveEntries(context, name, settings);
}

/** One setting by its key (C085, D152). */
export async function details(context: Context, { preferenceKey, type }: { preferenceKey: string; type: string }): Promise<JsonObject> {
  return entryByKey(context, preferenceKey, type);
}
