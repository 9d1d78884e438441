// Calls about the e-mails of a store (C116 to C118).
import { sql } from 'kysely';
import { accessOf } from '../../../../contract/access.ts';
import type { FieldError, JsonObject, JsonValue, MessageKind } from '../../../../contract/types.ts';
import { framed, type Scheme } from '../../../../domain/messages/frame.ts';
import {
  Refusal,
  Reply,
  inLine,
  invalid,
  invalidState,
  notFound,
  ownTransactions,
  preparedBy,
  type Context,
} from '../../../platform/context.ts';
import { BRANDING, brandOf } from '../../../platform/mail/letterhead.ts';
import { wordingFor } from '../../../platform/mail/letter-for.ts';
import { fillLetter } from '../../../platform/mail/letters-apart.ts';
import { MESSAGES, bodyText, editsOf, withEdit, type MessageEdit } from '../../../platform/mail/message-edits.ts';
import type { Speech } from '../../../platform/mail/speech.ts';
import { needLanguage } from '../../../platform/texts/text-verbs.ts';
import { primaryOf } from '../../../platform/texts/values.ts';
import { pageOf, type Pages } from '../../../platform/records/list/page-of.ts';
import { lockSetting } from '../../../platform/records/settings.ts';
import { alsoSentBy } from '../../../platform/integrations/store-integrations.ts';
import { contractVariables, mailSpeech } from '../../../engine/index.ts';
import { realValues } from '../real-values.ts';
import { changeTemplate, needTemplate, sampleValues, templatesOf, templateWire, wordErrors, type Words } from '../templates.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';
import { holdsWords } from '../../../../domain/text/fold.ts';

const edits = async (context: Context) => editsOf(await context.setting(MESSAGES));

/** Every e-mail by its name, those to customers first; narrowed by whom they go to, whether they are on, and words. */
export async function list(
  context: Context,
  { q = '', filter = {}, ...pages }: Pages & { q?: string; filter?: { audience?: string[]; status?: string[] } },
): Promise<Reply> {
  const of = await edits(context);
  const also = await alsoSentBy(context);
  const fits = (record: JsonObject): boolean =>
    (['audience', 'status'] as const).every(field => !filter[field]?.length || filter[field].includes(String(record[field]))) &&
    holdsWords(q, record.name, record.description, record.subject);
  const rank = (record: JsonObject): string => `${record.audience === 'CUSTOMER' ? 0 : 1}${String(record.name)}`;
  const rows = templatesOf(context.definitions)
    .map(kind => templateWire(kind, of[kind.key], also.get(kind.key)))
    .filter(fits)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return pageOf(rows, pages);
}

/** One e-mail (C116). @throws Refusal 404 */
export async function read(context: Context, { prefKey }: { prefKey: string }): Promise<JsonValue> {
  const kind = needTemplate(context, prefKey);
  return templateWire(kind, (await edits(context))[prefKey], (await alsoSentBy(context)).get(prefKey), await primaryOf(context));
}

const trimmed = ({ subject, body }: Words): Words => ({
  ...(subject === undefined ? {} : { subject: subject.replace(/\s+/g, ' ').trim() }),
  ...(body === undefined ? {} : { body: body.replace(/\r\n?/g, '\n').trim() }),
});

/**
 * Saves an e-mail in the store's own words (C117). Those to the team have the words of the product and are only switched on and off.
 * @throws Refusal 404, 409 STALE_VERSION, 422 with the line of what can't be filled in
 */
export const save = preparedBy(
  (context, { prefKey, ...given }: Saved) => savedErrors(context, needTemplate(context, prefKey), trimmed(given)),
  async (context, { prefKey, enabled, ...given }, wrong) => {
    const kind = needTemplate(context, prefKey);
    const errors = [...(enabled === false && kind.always ? [alwaysSent(kind.title)] : []), ...wrong];
    if (errors.length) throw invalid(errors);
    const record = await changeTemplate(context, kind, { ...trimmed(given), ...(enabled === undefined ? {} : { enabled }) }, 'changed');
    return new Reply(record, { message: t`The e-mail is saved.` });
  },
);
type Saved = Words & { prefKey: string; enabled?: boolean; version?: number };

async function savedErrors(context: Context, kind: MessageKind, words: Words): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  if (kind.audience !== 'customer')
    for (const field of ['subject', 'body'] as const)
      if (words[field] !== undefined)
        errors.push({ pointer: `/${field}`, rule: 'readOnly', message: t`E-mails to your team have fixed words. Switch them on or off.` });
  if (words.subject === '') errors.push({ pointer: '/subject', rule: 'minLength', message: t`Enter a subject.` });
  if (words.body === '') errors.push({ pointer: '/body', rule: 'minLength', message: t`Enter the text of the e-mail.` });
  if (errors.length) return errors;
  const [samples, now] = await context.transaction(async inner => [
    await sampleValues(inner, kind),
    withEdit(kind, (await edits(inner))[kind.key]),
  ]);
  const found = await wordErrors(context, kind, words, samples);
  // Each part may be within the limits, and the letter of both not.
  const { subject = now.subject, body } = words;
  if (found.length === 0 && samples) await fillLetter(context.storeId, { subject, body: body === undefined ? now.body : [body] }, samples);
  return found;
}
const alwaysSent = (title: string): FieldError => ({
  pointer: '/enabled',
  rule: 'const',
  message: t`“${title}” is sent only on request, so it can't be switched off.`,
});

/** The words of the file again (C118); whether it is sent stays as it is. */
export async function reset(context: Context, { prefKey }: { prefKey: string }): Promise<Reply> {
  const kind = needTemplate(context, prefKey);
  const record = await changeTemplate(context, kind, { subject: null, body: null, enabled: true }, 'put back to its standard words and on');
  return new Reply(record, { message: t`The standard words are back.` });
}

/** Switches one e-mail on or off. @throws Refusal 404, 422 */
async function switchTemplate(context: Context, { prefKey, enabled }: { prefKey: string; enabled: boolean }): Promise<JsonValue> {
  const kind = needTemplate(context, prefKey);
  if (!enabled && kind.always) throw invalid([alwaysSent(kind.title)]);
  return changeTemplate(context, kind, { enabled }, `switched ${enabled ? 'on' : 'off'}`);
}
export { switchTemplate as switch };

/** A reader for whom an e-mail is filled in: of a language of the store, with samples or with a subscription. */
interface Reader {
  /** By default the primary language. */
  locale?: string;
  subscriptionId?: number;
}

/**
 * What an e-mail is filled in with, in the language of its words; undefined while there is nothing to fill it in with. What the
 * subscription does not have stays a sample. @throws Refusal 403 without the right to see subscriptions, 404
 */
async function valuesFor(context: Context, kind: MessageKind, { subscriptionId }: Reader, say: Speech) {
  const values = await sampleValues(context, kind, say);
  if (subscriptionId === undefined) return values;
  if (!accessOf(context.session).can('subscriptionDetails', 'READ'))
    throw new Refusal(403, 'FORBIDDEN', t`You don't have permission to see subscriptions. Preview the e-mail with the sample.`);
  const contract = await contractVariables(context.trx, context, subscriptionId);
  if (!contract) throw notFound(later`subscription`);
  const own = await realValues(context, subscriptionId, say);
  const known = Object.fromEntries(Object.entries(own).filter(([name]) => kind.variables[name]));
  return values && { ...values, ...contract.variables(say), ...known };
}

/** The words of an e-mail for a reader, with those that are being typed in their language. @throws Refusal 404 for an unknown language */
async function wordsFor(context: Context, kind: MessageKind, { locale }: Reader, typed: Words = {}) {
  const { language } = await needLanguage(context, locale);
  const { words, speech } = await mailSpeech(context, language.locale);
  const edit = (await edits(context))[kind.key];
  const wording = wordingFor(kind, edit, words, language.locale);
  // What is typed in the primary language may still be the product's own words.
  const isOwn = typed.body !== undefined && !(language.isPrimary && typed.body === bodyText(kind));
  return {
    shown: { subject: typed.subject ?? wording.subject, body: typed.body === undefined ? wording.body : [typed.body] },
    say: speech(isOwn ? language.locale : wording.language),
  };
}

/**
 * An e-mail as it is read in a language, with the words that are being typed: filled in with samples, or with a subscription of the store
 * and what became of it (the payment that failed). Words that can't be filled in come back as `problems`.
 * @throws Refusal 403 without the right to see subscriptions, 404, 422 for work beyond the limits, 429
 */
export const preview = inLine(
  'templates',
  ownTransactions(
    async (
      context: Context,
      { prefKey, subscriptionId, locale, scheme = 'light', ...given }: Words & Reader & { prefKey: string; scheme?: Scheme },
    ): Promise<JsonValue> => {
      const kind = needTemplate(context, prefKey);
      const words = trimmed(given);
      const reader = { ...(locale === undefined ? {} : { locale }), ...(subscriptionId === undefined ? {} : { subscriptionId }) };
      const { shown, values, samples, brand, language } = await context.transaction(async inner => {
        const { shown, say } = await wordsFor(inner, kind, reader, words);
        return {
          shown,
          language: say.language,
          values: await valuesFor(inner, kind, reader, say),
          samples: await sampleValues(inner, kind),
          brand: brandOf(await inner.setting(BRANDING), inner.mailBase),
        };
      });
      const found = await wordErrors(context, kind, words, samples);
      const over = found.filter(one => one.kind === 'OVER');
      if (over.length) throw invalid(over);
      const problems: Pick<FieldError, 'pointer' | 'message'>[] = [...found];
      const letter = problems.length || !values ? undefined : await fillLetter(context.storeId, { ...shown, language }, values);
      if (!values) problems.push({ pointer: '/body', message: NOTHING_YET });
      return {
        prefKey,
        subject: letter?.subject ?? null,
        html: letter ? framed({ ...letter, storeName: context.store.name, brand, scheme }) : null,
        problems: problems.map(({ pointer, message }) => ({ field: pointer.slice(1), message })),
      };
    },
  ),
);

const NOTHING_YET = later`What this e-mail follows has not happened yet, so there is nothing to fill in.`;

/** Test e-mails of a store within an hour. */
const TESTS_AN_HOUR = 10;

/**
 * Sends an e-mail as it is saved, in a language of the store, with samples or with a subscription, to one address.
 * @throws Refusal 403 without the right to see subscriptions, 404, 409, 422 for words that can't be filled in, 429 after ten in an hour
 */
export const sendTest = preparedBy(
  async (context, { prefKey, to: _to, ...reader }: Reader & { prefKey: string; to: string }) => {
    const kind = needTemplate(context, prefKey);
    const { shown, values } = await context.transaction(async inner => {
      const { shown, say } = await wordsFor(inner, kind, reader);
      return { shown: { ...shown, language: say.language }, values: await valuesFor(inner, kind, reader, say) };
    });
    if (!values) throw invalidState(translated(NOTHING_YET));
    return fillLetter(context.storeId, shown, values);
  },
  async (context, { prefKey, to }, letter) => {
    // The lock makes the limit hold for people who send at the same time.
    await lockSetting(context, MESSAGES);
    const now = context.now();
    const { rows } = await sql<{
      sent: number;
      oldest: Date | null;
    }>`select count(*)::integer as sent, min(created_at) as oldest from outbox
      where store_id = ${context.storeId} and template = 'TEST' and created_at > ${new Date(now.getTime() - 3_600_000)}`.execute(
      context.trx,
    );
    const { sent = 0, oldest = null } = rows[0] ?? {};
    if (sent >= TESTS_AN_HOUR && oldest) {
      const wait = Math.max(1, Math.ceil((oldest.getTime() + 3_600_000 - now.getTime()) / 1000));
      const message = t`Ten test e-mails an hour are sent at most. Try again in ${Math.ceil(wait / 60)} minutes.`;
      throw new Refusal(429, 'TOO_MANY_REQUESTS', message, undefined, undefined, wait);
    }
    await context.mail({ ...letter, subject: `[Test] ${letter.subject}`, template: 'TEST', to });
    return new Reply({ prefKey, to }, { message: t`The test e-mail is on its way to ${to}.` });
  },
);

/** Versions of one e-mail that are offered. */
const MOST_VERSIONS = 30;

/** The words of one e-mail as they were, the newest first, down to those of the product (version 0). @throws Refusal 404 */
export async function versions(context: Context, { prefKey }: { prefKey: string }): Promise<JsonValue> {
  const kind = needTemplate(context, prefKey);
  const shown = (edit: MessageEdit | undefined): JsonObject => {
    const { enabled = true, subject = '', body = '' } = templateWire(kind, edit);
    return { enabled, subject, body };
  };
  const earlier = await keptVersions(context, prefKey);
  return [
    ...earlier.map(edit => ({ version: edit.version, at: edit.updatedAt, by: edit.updatedBy, data: shown(edit) })),
    { version: 0, at: null, by: '', data: shown(undefined) },
  ];
}

/** Each save of any e-mail is a version of their document: of one e-mail those count in which it changed. */
async function keptVersions({ trx, storeId }: Context, prefKey: string): Promise<MessageEdit[]> {
  const { rows } = await sql<{ edit: MessageEdit }>`select distinct on (k.own) k.edit from (
      select h.data -> ${prefKey}::text as edit, (h.data -> ${prefKey}::text ->> 'version')::integer as own, h.version
      from setting_history h where h.store_id = ${storeId} and h.name = ${MESSAGES}) k
    where k.own is not null order by k.own desc, k.version desc limit ${MOST_VERSIONS}`.execute(trx);
  return rows.map(({ edit }) => edit);
}

/** Brings the words of an earlier version back, and whether the e-mail is sent. @throws Refusal 404, 422 where they can't be filled in */
export const restore = preparedBy(
  async (context, { prefKey, toVersion }: { prefKey: string; toVersion: number }) => {
    const kind = needTemplate(context, prefKey);
    const [edit, samples] = await context.transaction(async inner => [
      toVersion === 0 ? undefined : (await keptVersions(inner, prefKey)).find(({ version }) => version === toVersion),
      await sampleValues(inner, kind),
    ]);
    if (!edit && toVersion !== 0) throw notFound(later`version`);
    const errors = await wordErrors(context, kind, { subject: edit?.subject, body: edit?.body }, samples);
    if (errors.length) throw invalid(errors);
    return edit;
  },
  async (context, { prefKey }, edit) => {
    const { subject = null, body = null, isOff = false } = edit ?? {};
    const change = { subject, body, enabled: !isOff };
    const record = await changeTemplate(context, needTemplate(context, prefKey), change, 'put back to an earlier version');
    return new Reply(record, { message: t`The earlier version is back.` });
  },
);
