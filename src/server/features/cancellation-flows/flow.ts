// The cancellation flow of one subscription: which steps there are, in which order, and what each shows to this customer.
import { sql } from 'kysely';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { Definitions, JsonObject, JsonValue } from '../../../contract/types.ts';
import { meetsAll } from '../../../domain/conditions/evaluate.ts';
import { notFound, type Context } from '../../platform/context.ts';
import { askedOf, factScope, factsOfContract } from '../../platform/records/conditions/compile.ts';
import { PRODUCT, spoken } from '../../platform/texts/product-names.ts';
import { readWords, type Words } from '../../platform/texts/words.ts';
import { sourcesOf } from '../../platform/texts/sources.ts';
import {
  actionIn,
  type KeptAction,
  productsInWords,
  productsReadOf,
  refusalByState,
  refusalOfWay,
  type Status,
} from '../../engine/index.ts';
import type { Variant } from '../../../domain/experiments/experiment.ts';
import type * as answered from '../../../domain/cancellation/flow.ts';
import type { CancellationFlow, Step, Suggestion } from '../../../domain/cancellation/flow.ts';
import { later } from '../../../domain/text/t.ts';
import { buttonOf } from './button.ts';
import { changesOf, experimentsIn, RUNNING, takingPart, type Experiment } from './experiments.ts';

export type Audience = 'CUSTOMER' | 'TEAM';
export interface Treatment extends Suggestion {
  actions: KeptAction[];
}
export interface Offer extends answered.Offer {
  incentives: KeptAction[];
}
export type Reason = Omit<answered.Reason, 'treatments' | 'offer'> & {
  treatments: Treatment[];
  offer: Offer | null;
};
export interface Benefit extends answered.Benefit {
  primaryCtaAction: string;
  linkUrl: string | null;
}
export type Flow = Omit<CancellationFlow, 'benefit' | 'reasons' | 'offer'> & {
  locale: string | null;
  benefit: Benefit | null;
  reasons: Reason[];
  offer: Offer | null;
};
/** What stands in a document of the flow. */
type Document = JsonObject & { id: number; conditions?: ConditionSet; tried?: JsonObject };
export type Reading = Pick<Context, 'trx' | 'storeId' | 'store' | 'definitions' | 'now' | 'shape' | 'setting'>;
interface Subject {
  id: number;
  customer_id: number;
  status: string;
  is_prepaid: boolean;
  source: string;
  customer_locale: string | null;
  min_cycles: number | null;
  completed_orders: number;
  /** What it delivers, as its customer reads it. */
  products: string;
  customer_tags: string[];
}

/** Documents of an entity that are on, in their order. */
async function activeOf({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, entity: string): Promise<Document[]> {
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id, data from records where store_id = ${storeId}::integer
    and entity = ${entity} and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }) as Document);
}

/** Whether the subscription meets a set of conditions; all that the sets ask is read at once. */
async function judge(context: Reading, contractId: number, documents: readonly Document[]): Promise<(one: Document) => boolean> {
  const { definitions, store, trx } = context;
  const sets = new Map(
    documents.flatMap(one =>
      one.conditions?.rows.length ? [[one, askedOf(one.conditions, definitions.conditions, store.currency_code)] as const] : [],
    ),
  );
  const names = [...new Set([...sets.values()].flatMap(set => set.rows.map(row => row.fact)))];
  const facts = names.length ? await factsOfContract(trx, contractId, names, await factScope(context, names)) : {};
  return one => {
    const set = sets.get(one);
    return set === undefined || (facts !== undefined && meetsAll(facts, set));
  };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The words of a document in the customer's language; those of a variant that is tried are not translated. */
const speaker =
  (words: Words, locale: string | null, ownerKind: string) =>
  (one: Document, key: string, standard: JsonValue | undefined): string =>
    one.tried?.[key] !== undefined
      ? text(one.tried[key])
      : (words.find(locale, { ownerKind, ownerId: String(one.id), key })?.value ?? text(standard));

/** How often a customer has accepted each offer. */
async function accepted({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, customerId: number, contractId: number) {
  const { rows } = await sql<{ id: number; n: number; here: boolean }>`select offer_id as id, count(*)::integer as n,
      bool_or(contract_id = ${contractId}::bigint) as here from cancellation_attempts
    where store_id = ${storeId}::integer and customer_id = ${customerId}::bigint and offer_outcome = 'ACCEPTED' group by 1`.execute(trx);
  return new Map(rows.map(row => [row.id, row]));
}

export async function subjectOf({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, contractId: number): Promise<Subject> {
  const { rows } = await sql<Subject>`select c.id, c.customer_id, c.status, c.is_prepaid, c.source, c.customer_locale, c.min_cycles,
      c.completed_orders, k.tags as customer_tags
    from contracts c join customers k on k.store_id = c.store_id and k.id = c.customer_id
    where c.store_id = ${storeId}::integer and c.id = ${contractId}::bigint`.execute(trx);
  const [found] = rows;
  if (!found) throw notFound(later`subscription`);
  const words = await readWords({ trx, storeId }, [PRODUCT], null, found.customer_locale);
  const products = await productsReadOf({ trx, storeId }, [contractId], line => spoken(words, found.customer_locale, line));
  return { ...found, products: productsInWords(products.get(contractId)?.filter(one => !one.isOneTime)) };
}

/** What can be done to a subscription in this state, of a list of actions. */
const isPossible = (
  context: Pick<Reading, 'store'>,
  place: 'treatment' | 'incentive',
  subject: Subject,
  actions: readonly KeptAction[],
): boolean =>
  actions.length > 0 &&
  refusalOfWay(context, subject, 'CANCELLATION_FLOW') === null &&
  actions.every(({ action: key }) => {
    const action = actionIn(place, key);
    return action !== undefined && refusalByState(action, subject.status as Status) === null;
  });

/**
 * The flow as `audience` goes through it now: the team sees every reason that is on, customers those that are meant for them.
 * @throws Refusal 404
 */
export const flowOf = async (context: Reading, contractId: number, audience: Audience): Promise<Flow> =>
  (await flowWith(context, contractId, audience)).flow;

/** The variant of each page and offer that is tried on this customer. Customers don't hear of it. */
export type Tried = Map<string, { experiment: Experiment; variant: Variant }>;
export const triedKey = (kind: 'benefitId' | 'incentiveId', id: number): string => `${kind}:${id}`;

/** The flow, and which variants it shows. */
export async function flowWith(context: Reading, contractId: number, audience: Audience): Promise<{ flow: Flow; tried: Tried }> {
  const subject = await subjectOf(context, contractId);
  const page = await context.setting('cancellation-flow');
  const [benefits, reasons, offers] = [
    page.benefitsEnabled ? await activeOf(context, 'subscription-benefit') : [],
    page.reasonsEnabled ? await activeOf(context, 'cancellation-reason') : [],
    page.offersEnabled ? await activeOf(context, 'incentive') : [],
  ];
  const tried = await tryOut(context, subject, benefits, offers);
  const isMet = await judge(context, contractId, [...benefits, ...reasons, ...offers]);
  const taken = offers.length ? await accepted(context, subject.customer_id, contractId) : new Map<number, { n: number; here: boolean }>();
  const words = await readWords(context, ['subscription-benefit', 'cancellation-reason', 'incentive', 'store']);
  const locale = subject.customer_locale;
  const say = (kind: string) => speaker(words, locale, kind);
  const isArl = await followsArl(context, page, contractId);

  const fitting = offers.filter(one => {
    const before = taken.get(one.id);
    return (
      isMet(one) &&
      !before?.here &&
      (before?.n ?? 0) < Number(one.usageLimitPerCustomer ?? 1) &&
      isPossible(context, 'incentive', subject, listOf(one.incentives))
    );
  });
  const offerOf = (one: Document | undefined, body: 'bodyHtml' | 'arlBodyHtml' = 'bodyHtml'): Offer | null => {
    if (!one) return null;
    const tell = say('incentive');
    return {
      id: one.id,
      title: tell(one, 'title', one.title),
      // A variant has one text, which counts there too.
      bodyHtml: one.tried?.bodyHtml === undefined ? tell(one, body, one[body]) : tell(one, 'bodyHtml', one.bodyHtml),
      acceptCtaText: tell(one, 'acceptCtaText', one.acceptCtaText),
      rejectCtaText: tell(one, 'rejectCtaText', one.rejectCtaText),
      incentives: listOf(one.incentives),
    };
  };
  const tell = say('cancellation-reason');
  const shown = reasons
    .filter(one => audience === 'TEAM' || (one.audience !== 'TEAM' && isMet(one)))
    .map((one): Reason => {
      const treatments = one.responseMode === 'TREATMENTS' ? listOf<JsonObject & Treatment>(one.treatments) : [];
      return {
        id: one.id,
        title: tell(one, 'title', one.title),
        commentLabel: one.responseMode === 'TREATMENTS' ? '' : tell(one, 'commentLabel', one.commentLabel),
        commentRequired: one.responseMode !== 'TREATMENTS' && one.commentRequired === true,
        treatments: treatments
          .filter(({ actions }) => isPossible(context, 'treatment', subject, actions))
          .map(({ id, actions, ...given }) => ({
            id,
            title: tell(one, `treatments.${id}.title`, given.title),
            description: tell(one, `treatments.${id}.description`, given.description),
            ctaText: tell(one, `treatments.${id}.ctaText`, given.ctaText),
            actions,
          })),
        offer: isArl || one.audience === 'TEAM' ? null : offerOf(fitting.find(offer => listOf<number>(offer.reasonIds).includes(one.id))),
      };
    });
  const first = benefits.find(isMet);
  const flow: Omit<Flow, 'steps'> = {
    subscriptionId: contractId,
    locale,
    isArl,
    button: buttonOf(page, subject),
    benefit: first ? benefitOf(first, say('subscription-benefit')) : null,
    reasons: shown,
    offer: isArl
      ? offerOf(
          fitting.find(one => one.isAvailableUnderArl === true),
          'arlBodyHtml',
        )
      : null,
    commentRequired: page.commentRequired === true,
    texts: await textsOf(context, words, locale, subject),
  };
  return { flow: { ...flow, steps: stepsOf(flow) }, tried };
}

/** Puts the words of variant B into what this customer sees of it. */
async function tryOut(context: Reading, subject: Subject, benefits: readonly Document[], offers: readonly Document[]): Promise<Tried> {
  const running = await experimentsIn(context, RUNNING);
  const tried: Tried = new Map();
  if (running.length === 0) return tried;
  const customer = { id: subject.customer_id, tags: subject.customer_tags };
  for (const [kind, documents] of [
    ['benefitId', benefits],
    ['incentiveId', offers],
  ] as const)
    for (const one of documents) {
      const part = takingPart(running, kind, one.id, customer);
      if (!part) continue;
      tried.set(triedKey(kind, one.id), part);
      if (part.variant === 'B') Object.assign(one, changesOf(part.experiment), { tried: changesOf(part.experiment) });
    }
  return tried;
}

const listOf = <T = KeptAction>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

function benefitOf(one: Document, tell: ReturnType<typeof speaker>): Benefit {
  return {
    id: one.id,
    title: tell(one, 'title', one.title),
    bodyHtml: tell(one, 'bodyHtml', one.bodyHtml),
    primaryCtaText: tell(one, 'primaryCtaText', one.primaryCtaText),
    secondaryCtaText: tell(one, 'secondaryCtaText', one.secondaryCtaText),
    primaryCtaAction: text(one.primaryCtaAction) || 'CLOSE',
    linkUrl: typeof one.linkUrl === 'string' ? one.linkUrl : null,
  };
}

/** Where automatic renewal laws hold one thing alone stands before the end: an offer, else the benefits, else the reasons. */
function stepsOf({ isArl, offer, benefit, reasons }: Omit<Flow, 'steps'>): Step[] {
  if (isArl) return offer ? ['OFFER', 'CONFIRM'] : benefit ? ['BENEFIT', 'CONFIRM'] : reasons.length ? ['REASONS', 'CONFIRM'] : ['CONFIRM'];
  return [
    ...(benefit ? ['BENEFIT' as const] : []),
    ...(reasons.length ? ['REASONS' as const] : []),
    ...(reasons.some(one => one.offer) ? ['OFFER' as const] : []),
    'CONFIRM',
  ];
}

/** Whether the order is delivered to a state with such a law. */
async function followsArl(context: Reading, page: JsonObject, contractId: number): Promise<boolean> {
  if (page.arlEnabled !== true) return false;
  const names = ['countryCode', 'provinceCode'];
  const facts = await factsOfContract(context.trx, contractId, names, await factScope(context, names));
  return facts?.countryCode === 'US' && listOf<string>(page.arlStates).includes(String(facts.provinceCode));
}

/** What the cancel button of the portal does for a subscription. @throws Refusal 404 */
export const buttonFor = async (context: Reading, contractId: number): Promise<CancellationFlow['button']> =>
  buttonOf(await context.setting('cancellation-flow'), await subjectOf(context, contractId));

async function textsOf(
  context: Pick<Reading, 'trx' | 'storeId' | 'store'> & { definitions: Definitions },
  words: Words,
  locale: string | null,
  { products }: Subject,
): Promise<Record<string, string>> {
  const sources = await sourcesOf(context, { categoryId: 'cancellation' });
  const values: Record<string, string> = { product_title: products, store_name: context.store.name };
  return Object.fromEntries(
    sources.map(source => [
      source.key,
      (words.find(locale, source)?.value ?? source.standard).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => values[name] ?? ''),
    ]),
  );
}
