// Settings: one document per page, with defaults from its schema, a version and a history.
import type { Definitions, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { accessOf, notInPlan } from '../../../contract/access.ts';
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { humanise } from '../../../contract/paths.ts';
import { cssErrors } from './own-css.ts';
import { validate } from '../../../contract/validation/validate.ts';
import { Refusal, Reply, invalid, notFound, type Context } from '../context.ts';
import { inStoreWords } from '../texts/store-standards.ts';
import { refuseGrants } from '../auth/grants.ts';
import { planned } from '../db/prepared-statements.ts';
import { changed } from './emptied.ts';
import { missingErrors } from './references.ts';
import { keepSecretsOfPage } from './secret-fields.ts';
import { checkVersion } from './version-check.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

export interface SettingDocument {
  name: string;
  version: number;
  data: JsonObject;
  updatedAt: Date | null;
  updatedBy: string;
}

/** What is kept of a page, with the defaults of its schema in the store's words. */
export async function wholePage(
  context: Pick<Context, 'trx' | 'storeId'> & { definitions: Pick<Definitions, 'settings'> },
  name: string,
  kept: JsonObject = {},
): Promise<JsonObject> {
  const schema = context.definitions.settings[name];
  return schema ? withDefaults<JsonObject>(await inStoreWords(context, schema), kept) : kept;
}

/** The document as stored, with the defaults of its schema; version 0 when it was never saved. */
export async function readSetting(
  context: Pick<Context, 'trx' | 'storeId' | 'definitions'>,
  name: string,
  lock = false,
): Promise<SettingDocument> {
  const query = context.trx.selectFrom('settings').selectAll().where('store_id', '=', context.storeId).where('name', '=', name);
  const row = await (lock ? query.forUpdate() : query.modifyFront(planned)).executeTakeFirst();
  const data = await wholePage(context, name, (row?.data ?? {}) as JsonObject);
  return { name, version: row?.version ?? 0, data, updatedAt: row?.updated_at ?? null, updatedBy: row?.updated_by ?? '' };
}

/** How a document goes over the wire: its fields with `id` (the page's name) and `version`. */
export const settingRecord = (document: SettingDocument): JsonObject => ({
  ...document.data,
  id: document.name,
  version: document.version,
  updatedAt: document.updatedAt?.toISOString() ?? null,
  updatedBy: document.updatedBy,
});

/** Locks the document of a store for this transaction, also when it was never saved. */
export async function lockSetting(context: Context, name: string): Promise<SettingDocument> {
  // The row may not be there yet; the lock is on the store's pair of store and name all the same.
  await context.trx
    .insertInto('settings')
    .values({ store_id: context.storeId, name, version: 0, data: JSON.stringify({}) })
    .onConflict(conflict => conflict.columns(['store_id', 'name']).doNothing())
    .execute();
  return readSetting(context, name, true);
}

/** Writes a locked document with its version counted up, and the version into its history. */
export async function storeSetting(
  context: Context,
  { name, version: before }: Pick<SettingDocument, 'name' | 'version'>,
  data: JsonObject,
): Promise<{ version: number; at: Date }> {
  const at = context.now();
  const version = before + 1;
  await context.trx
    .updateTable('settings')
    .set({ data: JSON.stringify(data), version, updated_at: at, updated_by: context.user.email })
    .where('store_id', '=', context.storeId)
    .where('name', '=', name)
    .execute();
  await context.trx
    .insertInto('setting_history')
    .values({ store_id: context.storeId, name, version, data: JSON.stringify(data), at, by: context.user.email })
    .execute();
  return { version, at };
}

/**
 * Writes a page: validated by its schema, stripped of what is hidden, version counted up, history and account log written.
 * @throws Refusal 422 with the fields, also those that give more than the person holds, 409 STALE_VERSION
 */
export async function writeSetting(context: Context, name: string, data: JsonObject): Promise<SettingDocument> {
  const page = context.definitions.settings[name];
  if (!page) throw new Error(`schemas/settings/${name}.json does not exist.`);
  const schema = await inStoreWords(context, page);
  const before = await lockSetting(context, name);
  checkVersion(context, later`settings page`, settingRecord(before), before.version, { by: before.updatedBy, at: before.updatedAt });
  const facts = factsOf(context.session, context.definitions.facts);
  const rules = context.settingRules(name);
  const whole = withDefaults<JsonObject>(schema, rules.settle?.(data) ?? data);
  const errors = validate(schema, compileValidator(schema), whole, facts);
  if (errors.length) throw invalid(errors);
  const shown = strip(schema, whole, facts);
  const given = withDefaults<JsonObject>(schema, shown);
  const wrong = [...cssErrors(schema, given), ...((await rules.validate?.(given, context, before.data)) ?? [])];
  wrong.push(...(await missingErrors(context, `settings/${name}`, before.data, shown)));
  if (wrong.length) throw invalid(wrong);
  // With its defaults: a field that is left out gives what they give.
  refuseGrants(context, schema, given, before.data);
  await keepSecretsOfPage(context, name, schema, shown, before.data);
  const { version, at } = await storeSetting(context, before, shown);
  await rules.after?.(given, context, before.data);
  await context.log({
    action: `settings.${name}.updated`,
    category: 'Settings',
    description: `${schema.title ?? name} settings updated`,
    entity: 'settings',
    entityId: name,
    before: before.data,
    after: shown,
  });
  return { name, version, data: withDefaults<JsonObject>(schema, shown), updatedAt: at, updatedBy: context.user.email };
}

/** The verb get. @throws Refusal 403, 404 */
export async function getSetting(context: Context, name: string): Promise<JsonValue> {
  refuseSetting(context, name, 'READ');
  return settingRecord(await readSetting(context, name));
}

/** The verb set: the fields that are named; the others stay. What `get` adds (id, version, updatedAt, updatedBy) may come along. */
export async function setSetting(context: Context, name: string, input: JsonObject): Promise<Reply> {
  const schema = refuseSetting(context, name, 'WRITE');
  const { settingsPage: _page, ...rest } = input;
  const data = Object.fromEntries(
    Object.entries(rest).filter(([member]) => schema.properties?.[member] || !['id', 'version', 'updatedAt', 'updatedBy'].includes(member)),
  );
  const before = await lockSetting(context, name);
  const document = await writeSetting(context, name, changed(schema, before.data, data));
  const warning = await context.settingRules(name).warn?.(document.data, context);
  return new Reply(settingRecord(document), {
    message: [t`${translated(schema.title ?? humanise(name))} settings saved.`, warning].filter(Boolean).join(' '),
  });
}

/** Refuses when the user may not use a settings page; used by get and set of every page. */
export function refuseSetting(context: Pick<Context, 'session' | 'definitions'>, name: string, mode: 'READ' | 'WRITE'): Schema {
  const schema = context.definitions.settings[name];
  const hints = schema?.['x-setting'];
  if (!schema || !hints) throw notFound(later`settings page`);
  const access = accessOf(context.session);
  if (hints.feature && !access.planHas(hints.feature))
    throw new Refusal(403, 'FEATURE_NOT_IN_PLAN', notInPlan(context.session, hints.feature));
  if (!access.can(hints.permission, mode)) {
    const label = translated(context.definitions.permissions[hints.permission]?.label ?? hints.permission);
    throw new Refusal(
      403,
      'FORBIDDEN',
      mode === 'READ'
        ? t`You don't have permission to see these settings (${label}). Ask an admin of your store for it.`
        : t`You don't have permission to change these settings (${label}). Ask an admin of your store for it.`,
    );
  }
  return schema;
}
