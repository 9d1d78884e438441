// The verbs get and set: a settings page, part of one, or what the product knows of the session, in the form that a call's line says.
import { fill } from '../../../contract/find.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { Reply, type Context } from '../context.ts';
import { changed } from './emptied.ts';
import { getSetting, readSetting, refuseSetting, setSetting, settingRecord, writeSetting } from './settings.ts';
import { getEntries, setEntries } from './setting-entries.ts';
import type { VerbCall } from './registry.ts';
import { withTexts } from '../../../domain/text/definition-texts.ts';
import { language, translated } from '../../../domain/text/t.ts';

/** The settings page of a call: named by `of` ("settings/general"), or by the parameter `settingsPage`. */
const settingOf = (call: Call, input: JsonObject): string =>
  call.of.startsWith('settings/') ? call.of.slice('settings/'.length) : String(input.settingsPage ?? '');

const picked = (document: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, document[name] ?? null]));

/** A template with "{path}" for values of a document; one placeholder alone keeps its type, and what is absent is null. */
export function answerFrom(template: JsonValue, document: JsonObject): JsonValue {
  if (Array.isArray(template)) return template.map(item => answerFrom(item, document));
  if (template !== null && typeof template === 'object')
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, answerFrom(value, document)]));
  return typeof template === 'string' ? (fill({ value: template }, { record: document }).value ?? null) : template;
}

/** An answer made of definitions, with their texts in the language of the request. */
export const inTheirWords = <T>(answer: T): T => (language() === 'en' ? answer : withTexts(answer, translated));

const inForm = (call: Call, document: JsonObject): JsonValue =>
  call.answer !== undefined ? answerFrom(call.answer, document) : call.part ? picked(document, call.part) : document;

export async function get(context: Context, { call, input, registry }: VerbCall): Promise<JsonValue> {
  if (call.entries) return getEntries(context, input);
  const document = registry.documents[call.document ?? call.of];
  return inForm(call, (document ? await document(context) : await getSetting(context, settingOf(call, input))) as JsonObject);
}

/** The whole page; or with `part` some fields of it, while the others stay as they are. */
export async function set(context: Context, { call, input }: VerbCall): Promise<JsonValue | Reply> {
  if (call.entries) return setEntries(context, input);
  const name = settingOf(call, input);
  if (!call.part) return setSetting(context, name, input);
  const schema = refuseSetting(context, name, 'WRITE');
  const { data } = await readSetting(context, name, true);
  const given = Object.fromEntries(
    call.part.flatMap(field => (input[field] === undefined ? [] : [[field, input[field] as JsonValue] as const])),
  );
  return inForm(call, settingRecord(await writeSetting(context, name, changed(schema, data, given))));
}
