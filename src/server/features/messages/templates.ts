// The e-mails of a store as its people see and change them: the files of schemas/messages with what the store changed about them.
import { samplesOf } from '../../../domain/messages/letter.ts';
import { problemSentence, type TemplateProblem } from '../../../domain/messages/template-problems.ts';
import { variablesOf } from '../../../contract/messages.ts';
import { toMinor } from '../../../domain/money/money.ts';
import type { Definitions, FieldError, JsonObject, JsonValue, MessageKind, MessageVariable } from '../../../contract/types.ts';
import { notFound, type Context } from '../../platform/context.ts';
import { MESSAGES, bodyText, editsOf, isSwitchedOff, withEdit, type MessageEdit } from '../../platform/mail/message-edits.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import { checkTemplates } from '../../platform/mail/letters-apart.ts';
import { whyFailed } from '../../engine/index.ts';
import { lockSetting, storeSetting } from '../../platform/records/settings.ts';
import { checkVersion } from '../../platform/records/version-check.ts';
import { later } from '../../../domain/text/t.ts';

/** The e-mails that a store decides about: those to its customers and to its team. Sign-in links and the like are the product's own. */
export const templatesOf = ({ messages }: Pick<Definitions, 'messages'>): MessageKind[] =>
  Object.values(messages).filter(({ audience, gift }) => audience !== 'user' && gift === undefined);
/** Those about gifts, which have a page of their own, in the order in which they are sent. */
export const giftTemplates = ({ messages }: Pick<Definitions, 'messages'>): MessageKind[] =>
  GIFT_ORDER.flatMap(key => messages[`GIFT_SUBSCRIPTION_${key}`] ?? []);
const GIFT_ORDER = ['CREATED', 'RECEIVED', 'UPCOMING_ORDER', 'THANKS_MESSAGE', 'COMPLETED'];

/** @throws Refusal 404 */
export function needTemplate(context: Pick<Context, 'definitions'>, prefKey: string): MessageKind {
  const kind = context.definitions.messages[prefKey];
  if (!kind || kind.audience === 'user') throw notFound(later`e-mail`);
  return kind;
}

/** An e-mail as it goes over the wire. */
export function templateWire(kind: MessageKind, edit: MessageEdit | undefined, also?: readonly string[], locale?: string): JsonObject {
  const shown = withEdit(kind, edit);
  const isOff = isSwitchedOff(kind, edit);
  const isCustomised = edit?.subject !== undefined || edit?.body !== undefined;
  return {
    prefKey: kind.key,
    name: kind.title,
    description: kind.description,
    audience: kind.audience === 'customer' ? 'CUSTOMER' : 'ADMIN',
    ...(kind.gift ? { reader: kind.gift.toUpperCase() } : {}),
    status: isOff ? 'OFF' : 'ON',
    canSwitchOff: !kind.always,
    previewOf: kind.preview ?? {},
    enabled: !isOff,
    subject: shown.subject,
    body: bodyText(shown),
    isCustomised,
    ...(also ? { alsoSentBy: also.join(', ') } : {}),
    ...(locale === undefined ? {} : { locale }),
    wording: isCustomised ? 'OWN' : 'STANDARD',
    updatedAt: edit?.updatedAt ?? null,
    updatedBy: edit?.updatedBy ?? '',
    version: edit?.version ?? 0,
  };
}

export interface Words {
  subject?: string | undefined;
  body?: string | undefined;
}

/**
 * What is wrong with a person's words: each unknown variable and broken tag with its line, and what shows only when values are
 * filled in (a filter that can't take its value, work beyond the limits). Call it outside of transactions. @throws Refusal 429
 */
export async function wordErrors(
  { definitions, storeId }: Pick<Context, 'definitions' | 'storeId'>,
  kind: MessageKind,
  words: Words,
  values: object | undefined,
): Promise<(FieldError & Pick<TemplateProblem, 'kind'>)[]> {
  const names = Object.keys(variablesOf(definitions, kind));
  const fields = (['subject', 'body'] as const).filter(field => words[field]);
  const checks = fields.map(field => ({ text: words[field] ?? '', names, ...(values ? { values } : {}) }));
  const problems = await checkTemplates(storeId, checks);
  return fields.flatMap((field, i) =>
    (problems[i] ?? []).map(problem => ({
      pointer: `/${field}`,
      rule: 'template',
      message: problemSentence(problem, names, field === 'subject'),
      kind: problem.kind,
    })),
  );
}

/**
 * What a message is filled in with where it is not sent: name and address of the store, else the samples of everything that it may name,
 * and of a message that follows an event what the store's last one told. Undefined while none has happened.
 */
export async function sampleValues(context: Context, kind: MessageKind, say?: Speech): Promise<Record<string, JsonValue> | undefined> {
  const { name, email } = context.store;
  const variables = variablesOf(context.definitions, kind);
  const values = { ...samplesOf(say ? inSpeech(variables, say) : variables), store: { name, email } };
  if (!kind.when) return values;
  const last = await context.trx
    .selectFrom('events')
    .select('data')
    .where('store_id', '=', context.storeId)
    .where('key', '=', kind.when.event)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last && { ...values, event: { ...((values as JsonObject).event as JsonObject), ...(last.data as JsonObject) } };
}

const SAMPLE_DAY = new Date('2026-12-03T12:00:00Z');

/** Variables whose samples are said in the language of the e-mail: days, amounts, frequencies, reasons. */
function inSpeech(variables: Record<string, MessageVariable>, say: Speech): Record<string, MessageVariable> {
  const sampleValue = ({ as, sample }: MessageVariable): JsonValue => {
    if (as === 'day') return say.day(SAMPLE_DAY);
    if (as === 'money' && typeof sample === 'string') return say.money(toMinor(sample.replace('$', ''), 'USD'), 'USD');
    if (as === 'frequency') return say.every({ interval: 'WEEK', intervalCount: 2 });
    return as === 'reason' ? whyFailed(say, 'card_declined') : sample;
  };
  return Object.fromEntries(Object.entries(variables).map(([name, one]) => [name, { ...one, sample: sampleValue(one) }]));
}

export interface TemplateChange {
  enabled?: boolean;
  /** Null: back to that of the file. */
  subject?: string | null;
  body?: string | null;
}

/**
 * Changes one e-mail, with a line in the account log; what is as in the file is not kept. Two people who change the same e-mail hear
 * of each other; changes of different ones do not meet. @throws Refusal 409 STALE_VERSION
 */
export async function changeTemplate(context: Context, kind: MessageKind, change: TemplateChange, done: string): Promise<JsonObject> {
  const document = await lockSetting(context, MESSAGES);
  const edits = editsOf(document.data);
  const before = edits[kind.key];
  const last = before && { by: before.updatedBy, at: new Date(before.updatedAt) };
  checkVersion(context, 'e-mail', templateWire(kind, before), before?.version ?? 0, last);
  const words = (field: 'subject' | 'body', standard: string): JsonObject => {
    const next = change[field] === undefined ? before?.[field] : change[field];
    return typeof next === 'string' && next !== standard ? { [field]: next } : {};
  };
  const isOff = change.enabled === undefined ? (before?.isOff ?? false) : !change.enabled;
  const after = {
    ...(isOff && !kind.always ? { isOff } : {}),
    ...words('subject', kind.subject),
    ...words('body', bodyText(kind)),
    version: (before?.version ?? 0) + 1,
    updatedAt: context.now().toISOString(),
    updatedBy: context.user.email,
  };
  await storeSetting(context, document, { ...document.data, [kind.key]: after });
  const logged = ({ enabled = true, subject = '', body = '' }: JsonObject): JsonObject => ({ enabled, subject, body });
  await context.log({
    action: 'email.updated',
    category: 'Settings',
    description: `E-mail “${kind.title}” ${done}`,
    entity: 'email-template',
    entityId: kind.key,
    before: logged(templateWire(kind, before)),
    after: logged(templateWire(kind, after)),
  });
  return templateWire(kind, after);
}
