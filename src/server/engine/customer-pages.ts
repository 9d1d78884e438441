// Pages for customers: acting in the name of one, and the words of the store's theme in a language.
import type { Definitions, Session } from '../../contract/types.ts';
import { filledOut } from '../../domain/text/placeholders.ts';
import { planOf } from '../platform/auth/store-plan.ts';
import type { Store } from '../platform/context.ts';
import type { PageServices } from '../platform/http/page-request.ts';
import type { Speech } from '../platform/mail/speech.ts';
import { ENTITY, type Theme } from '../platform/portal-look/theme.ts';
import type { RuleContext } from '../platform/records/rules.ts';
import { PRODUCT } from '../platform/texts/product-names.ts';
import { readWords, type Words } from '../platform/texts/words.ts';
import type { EngineContext } from './context.ts';
import { mailSpeech } from './mail-speech.ts';

/** What the engine and the offers need, in the name of a customer. */
export type CustomerContext = EngineContext & RuleContext;
export type Say = (key: string, values?: Readonly<Record<string, string>>) => string;

/** The name of customers is said by no session: only the plan of the store counts. */
export function asCustomer(services: Pick<PageServices, 'definitions' | 'config' | 'shape'>, opened: EngineContext): CustomerContext {
  const store = opened.store as Store;
  const session = {
    plan: planOf(services.definitions, store),
    featureSwitches: [],
    scopes: [],
    user: { permissions: [] },
  } as unknown as Session;
  return {
    ...opened,
    config: services.config,
    source: 'Customer portal',
    userEmail: '',
    store,
    definitions: services.definitions,
    shape: entity => services.shape(entity),
    session,
    user: { email: '' } as RuleContext['user'],
  };
}

const standards = new WeakMap<Definitions, ReadonlyMap<string, { default: string }>>();
/** The product's own words by their keys, put together once. */
function standardOf(definitions: Definitions): ReadonlyMap<string, { default: string }> {
  let standard = standards.get(definitions);
  if (!standard)
    standards.set(definitions, (standard = new Map(Object.values(definitions.texts).flatMap(({ texts }) => Object.entries(texts)))));
  return standard;
}

/** The words of a theme and of the store in a language, by their keys in all files of schemas/texts. */
export async function speaking(
  context: CustomerContext,
  locale: string | null,
  { nanoId }: Pick<Theme, 'nanoId'>,
): Promise<{ words: Words; speech: Speech; say: Say }> {
  const words = await readWords(
    context,
    ['store', 'theme', ENTITY, 'bundle', PRODUCT, 'upsell-profile', 'swap-profile', 'upgrade-profile', 'streak', 'campaign'],
    null,
    locale,
  );
  const { speech } = await mailSpeech(context);
  const standard = standardOf(context.definitions);
  const say: Say = (key, values = {}) => {
    const own = { ownerKind: 'theme', ownerId: nanoId, key };
    const text = words.find(locale, own, { ownerKind: 'store', ownerId: '', key })?.value ?? standard.get(key)?.default ?? '';
    return filledOut(text, values);
  };
  return { words, speech: speech(words.languageFor(locale)), say };
}
