// Earlier versions of settings pages: every save is kept, and any of them can be brought back.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { withDefaults } from '../../../../contract/validation/defaults.ts';
import { Reply, notFound, type Context } from '../../../platform/context.ts';
import { refuseSetting, settingRecord, writeSetting } from '../../../platform/records/settings.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** Versions that are offered; older ones stay in the account log. */
const MOST = 30;

/** The versions of a page, the newest first, and as it came: each with when, by whom and its values. @throws Refusal 403, 404 */
export async function versions(context: Context, { settingsPage: name }: { settingsPage: string }): Promise<JsonValue> {
  const schema = refuseSetting(context, name, 'READ');
  const rows = await context.trx
    .selectFrom('setting_history')
    .select(['version', 'data', 'at', 'by'])
    .where('store_id', '=', context.storeId)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .limit(MOST)
    .execute();
  // What is never sent back, or only to some, is not in its history either.
  const isOpen = ([field]: [string, JsonValue]): boolean => {
    const of = schema.properties?.[field];
    return of?.writeOnly !== true && !of?.['x-ui']?.permission;
  };
  const shown = (data: JsonObject): JsonObject => Object.fromEntries(Object.entries(withDefaults<JsonObject>(schema, data)).filter(isOpen));
  return [
    ...rows.map(({ version, data, at, by }) => ({ version, at: at.toISOString(), by, data: shown(data as JsonObject) })),
    ...(rows.length < MOST ? [{ version: 0, at: null, by: '', data: shown({}) }] : []),
  ];
}

/** Saves an earlier version again; version 0 is the page as it came. @throws Refusal 403, 404, 422 where it does not fit any more */
export async function restore(
  context: Context,
  { settingsPage: name, toVersion }: { settingsPage: string; toVersion: number },
): Promise<Reply> {
  refuseSetting(context, name, 'WRITE');
  const saved = await context.trx
    .selectFrom('setting_history')
    .select('data')
    .where('store_id', '=', context.storeId)
    .where('name', '=', name)
    .where('version', '=', toVersion)
    .executeTakeFirst();
  if (!saved && toVersion !== 0) throw notFound(later`version`);
  const document = await writeSetting(context, name, (saved?.data ?? {}) as JsonObject);
  return new Reply(settingRecord(document), { message: t`The earlier version is back.` });
}
