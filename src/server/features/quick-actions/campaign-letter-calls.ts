// Calls about the e-mails of campaigns: whom they reach, as they are read, a test, and how far they are.
import { toMinor } from '../../../domain/money/money.ts';
import { framed, type Scheme } from '../../../domain/messages/frame.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import { later, t, translated } from '../../../domain/text/t.ts';
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import { inLine, invalidState, notFound, ownTransactions, preparedBy, Reply, type Context } from '../../platform/context.ts';
import { mailByHand } from '../../platform/mail/by-hand.ts';
import { BRANDING, brandOf } from '../../platform/mail/letterhead.ts';
import { wordingFor } from '../../platform/mail/letter-for.ts';
import { fillLetter } from '../../platform/mail/letters-apart.ts';
import { editsOf, MESSAGES } from '../../platform/mail/message-edits.ts';
import { needRow, recordOf } from '../../platform/records/record-repository.ts';
import { needLanguage } from '../../platform/texts/text-verbs.ts';
import { readWords } from '../../platform/texts/words.ts';
import { mailSpeech, type Reward } from '../../engine/index.ts';
import { sampleValues } from '../messages/templates.ts';
import type { Audience } from './audience.ts';
import { type Delivery, OFFER, offerWords, progressOf, type Reach, reachOf } from './campaign-letters.ts';
import type { Offered } from './kinds.ts';
import { discountOf, OWN_WORDS, rewardSaid } from './look.ts';

/** Whom a campaign would reach, with three of them. */
export const reach = (context: Context, audience: Audience & { delivery?: Delivery }): Promise<Reach> => reachOf(context, audience);

/** How far the e-mails of a campaign are. @throws Refusal 404 */
export async function letters(context: Context, { id }: { id: number }): Promise<JsonValue> {
  await needRow(context, context.shape('campaign'), id);
  return progressOf(context, id);
}

type Typed = Partial<Offered> & Pick<Offered, 'type'> & { endAt?: string; locale?: string };

/** A letter of a campaign with what it says to a customer who stands for all: the frame's words and values, in a language of the store. */
async function sampleOf(context: Context, { endAt, locale, ...offered }: Typed) {
  const { definitions, store, storeId, trx } = context;
  const kind: MessageKind | undefined = definitions.messages[OFFER];
  if (!kind) throw notFound(later`e-mail`);
  const { language } = await needLanguage(context, locale);
  const { words, speech } = await mailSpeech(context, language.locale);
  const own = offered.id === undefined ? undefined : await readWords({ trx, storeId }, ['campaign'], language.locale);
  const wording = wordingFor(kind, editsOf(await context.setting(MESSAGES))[OFFER], words, language.locale);
  const say = speech(wording.language);
  const { texts = {}, variables = {} } = definitions.texts['quick-action'] ?? {};
  const samples = Object.fromEntries(Object.entries(variables).map(([name, { sample }]) => [name, String(sample)]));
  const money = (amount: string): string => say.money(toMinor(amount, store.currency_code), store.currency_code);
  const reward = offered.reward as Reward | undefined;
  const values = {
    ...samples,
    store_name: store.name,
    ...(reward?.rewardType === 'DISCOUNT' ? { discount: discountOf(reward, money) } : {}),
  };
  const text = (key: string): string =>
    filledOut(words.find(language.locale, { ownerKind: 'store', ownerId: '', key })?.value ?? texts[key]?.default ?? '', values);
  const said = Object.fromEntries(
    OWN_WORDS.map(key => [
      key,
      own?.find(language.locale, { ownerKind: 'campaign', ownerId: String(offered.id), key })?.value ?? offered[key],
    ]),
  );
  const basis = await sampleValues(context, kind, say);
  const link = String((basis as JsonObject | undefined)?.link ?? '');
  const endsOn = say.day(endAt ? new Date(endAt) : context.now());
  const offer = { offered: { id: 0, name: kind.title, ...offered, ...said } as Offered, values, reward: rewardSaid(reward, text) };
  return {
    words: { subject: wording.subject, body: wording.body, language: wording.language },
    values: { ...basis, ...offerWords(offer, { link, endsOn }) },
  };
}

/** The e-mail of a campaign as it is read, with what is typed. @throws Refusal 404 for an unknown language, 422, 429 */
export const preview = inLine(
  'templates',
  ownTransactions(async (context: Context, { scheme = 'light', ...typed }: Typed & { scheme?: Scheme }): Promise<JsonValue> => {
    const { words, values, brand } = await context.transaction(async inner => ({
      ...(await sampleOf(inner, typed)),
      brand: brandOf(await inner.setting(BRANDING), inner.mailBase),
    }));
    const letter = await fillLetter(context.storeId, words, values);
    return { subject: letter.subject, html: framed({ ...letter, storeName: context.store.name, brand, scheme }), problems: [] };
  }),
);

/** Sends the e-mail of a campaign as it is saved to one address. @throws Refusal 404, 409, 422, 429 */
export const sendTest = preparedBy(
  async (context, { id }: { id: number; to: string }) => {
    const { words, values } = await context.transaction(async inner => {
      const shape = inner.shape('campaign');
      const record = recordOf(inner, shape, await needRow(inner, shape, id)) as Typed & { delivery?: Delivery };
      if (record.delivery !== 'EMAIL') throw invalidState(translated(BY_FILE));
      return sampleOf(inner, record);
    });
    return fillLetter(context.storeId, words, values);
  },
  async (context, { to }, letter) => {
    await mailByHand(context.trx, context.storeId, { ...letter, subject: `[Test] ${letter.subject}`, template: 'TEST', to }, context.now());
    return new Reply({ to }, { message: t`The test e-mail is on its way to ${to}.` });
  },
);
const BY_FILE = later`The links of this campaign are sent with your mail tool, so there is no e-mail to try.`;
