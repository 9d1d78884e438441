// What a link finds when it is opened: what is offered to this subscription now, in its customer's language, or why nothing is.
import { sql } from 'kysely';
import { toMinor } from '../../../domain/money/money.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { ActionKey, LinkKind } from '../../../generated/actions.ts';
import { planOf } from '../../platform/auth/store-plan.ts';
import type { Store } from '../../platform/context.ts';
import { conditionSql } from '../../platform/records/conditions/compile.ts';
import type { PageServices } from '../../platform/http/page-request.ts';
import { PRODUCT_LANGUAGE } from '../../platform/mail/speech.ts';
import { readWords } from '../../platform/texts/words.ts';
import {
  type CustomerForm,
  customerForm,
  type EngineContext,
  type Given,
  type KeptAction,
  type Link,
  LINK_NAMES,
  linkOf,
  presentValue,
  productsRead,
  refusalOfWay,
  runAction,
  rewardAction,
  type Reward,
} from '../../engine/index.ts';
import { choiceKey } from '../../platform/http/choice-key.ts';
import { liveTheme, styleSheetOf } from '../../platform/portal-look/theme.ts';
import { askedOf, namesOf, speakingTo, subjectOf, type Subject } from './asked.ts';
import { choicesOf, type Choice, type Offered } from './kinds.ts';
import { hasOpened, MYSTERY, MYSTERY_FEATURE } from './mystery.ts';
import { withAlternatives } from './pause-flow.ts';

type QuickAction = Offered & {
  segments?: { conditions?: ConditionSet; reward?: Reward }[];
};
export type Campaign = Offered & {
  status: string;
  startAt: string;
  endAt: string;
  delivery?: 'EMAIL' | 'FILE';
  launchedAt?: string;
};
export type Owner = { kind: 'QUICK_ACTION'; data: QuickAction } | { kind: 'CAMPAIGN'; data: Campaign };
export type LinkOwner = Owner['kind'];

/** What a page says instead of an offer; `own` are the words of the record. */
export interface Said {
  text: string;
  isDone?: true;
  own?: string;
  /** What a surprise held. */
  holds?: string;
}
export interface Found {
  owner: LinkOwner;
  offered: Offered;
  choices: (Choice & { key: string })[];
  /** What is filled in before there are choices. */
  form?: CustomerForm | undefined;
  /** Each with what it costs in an order. */
  products: string[];
  reward: Reward | undefined;
  /** It has brought this subscription something before. */
  wasRewarded: boolean;
  rewardSaid: string;
  /** The same of a reward that was kept secret. */
  saysOf(reward: Reward | undefined): Promise<string>;
  customerId: number;
  /** `retry_date` is the day on which the payment that failed last is tried again; "" where none is planned. */
  values: Record<string, string>;
  storeName: string;
  /** The address of the CSS of the store's theme. */
  styleSheet: string;
  /** Of the subscription. */
  currency: string;
  /** The language of what is offered. */
  language: string;
  say(key: string): string;
  /** The language in which `say` has the words of a key. */
  saysIn(key: string): string;
  said?: Said;
  /** What is said above the buttons, by keys of texts: they changed since the page was opened, or the payment was declined. */
  notices?: readonly string[];
}
type Asking = Pick<PageServices, 'definitions' | 'shape'>;
/** What is said in the words of the record. */
export const OWN_WORDS = ['title', 'description', 'ctaText', 'successText', 'subject', 'letterText'] as const;
export async function ownerOf({ trx, storeId }: EngineContext, { what }: Link): Promise<Owner | undefined> {
  const [, campaignId] = /^c(\d{1,15})$/.exec(what) ?? [];
  if (campaignId) {
    const { rows } = await sql<{ id: number; data: Omit<Campaign, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
      and entity = 'campaign' and deleted_at is null and id = ${Number(campaignId)}::bigint`.execute(trx);
    return rows[0] && { kind: 'CAMPAIGN', data: { ...rows[0].data, id: rows[0].id } };
  }
  const type = (Object.keys(LINK_NAMES) as LinkKind[]).find(one => LINK_NAMES[one] === what);
  const { rows } = await sql<{
    id: number;
    data: Omit<QuickAction, 'id'>;
  }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'quick-action' and deleted_at is null and data ->> 'status' = 'ACTIVE' and data ->> 'type' = ${type ?? ''}
    order by id limit 1`.execute(trx);
  return rows[0] && { kind: 'QUICK_ACTION', data: { ...rows[0].data, id: rows[0].id } };
}

/** The reward of now: that of the first segment whose conditions are met, where there are segments. */
async function rewardNow(
  { definitions, shape }: Asking,
  context: EngineContext,
  data: QuickAction,
  contractId: number,
): Promise<Reward | undefined> {
  if (data.type !== 'RECOVER_FAILED_PAYMENT') return data.reward;
  const { trx, storeId } = context;
  const asking = { trx, storeId, store: context.store as Store, shape, now: () => context.now(), session: undefined };
  for (const { conditions, reward } of data.segments ?? []) {
    if (!conditions?.rows.length) return reward;
    const where = await conditionSql(asking, conditions as JsonObject, definitions.conditions);
    const { rows } = await sql`select 1 from contracts r where r.store_id = ${storeId}::integer and r.id = ${contractId}::bigint
      and ${where ?? sql`true`}`.execute(trx);
    if (rows.length > 0) return reward;
  }
  return undefined;
}

/** A surprise stays shut in a store whose plan has none. */
const isShut = ({ definitions }: Asking, store: Store, { type }: Offered): boolean =>
  type === MYSTERY && !planOf(definitions, store).features.includes(MYSTERY_FEATURE);

/** What stands in the way of an offer, in the order in which it matters. */
function refusal(
  { definitions, store }: { definitions: Definitions; store: EngineContext['store'] },
  owner: Owner,
  { subscription, failedId }: Subject,
  link: Link,
  now: Date,
): string | undefined {
  if (owner.kind === 'CAMPAIGN') {
    const { status, startAt, endAt } = owner.data;
    if (status === 'ARCHIVED' || status === 'COMPLETED' || new Date(endAt) <= now) return 'quickEnded';
    if (status === 'DRAFT') return 'quickNotApplicable';
    if (new Date(startAt) > now) return 'quickNotStarted';
  } else if (link.expiresAt <= now) return 'quickExpired';
  const { type } = owner.data;
  const { states, done } = linkOf(type, definitions);
  const { contract } = subscription;
  if (type === 'RECOVER_FAILED_PAYMENT' && failedId === undefined) return 'quickAlreadyDone';
  if (done === contract.status) return 'quickAlreadyDone';
  if (refusalOfWay({ store }, contract, owner.kind)) return 'quickNotApplicable';
  return states.includes(contract.status) ? undefined : 'quickNotApplicable';
}

/** What was done by this link, or for this subscription by this campaign; a surprise is for a customer, not for a subscription. */
async function doneBefore(
  { trx, storeId }: EngineContext,
  owner: Owner,
  link: Link & { signed: string },
  customerId: number,
): Promise<Said | undefined> {
  const { rows } = await sql<{ link: string }>`select link from link_events where store_id = ${storeId}::integer and happened = 'CONFIRMED'
    and (link = ${link.signed} or (${owner.kind} = 'CAMPAIGN' and kind = 'CAMPAIGN' and action_id = ${owner.data.id}::bigint
      and contract_id = ${link.contractId}::bigint))
    order by link = ${link.signed} desc limit 1`.execute(trx);
  const isOpened = owner.data.type === MYSTERY && (await hasOpened({ trx, storeId }, owner.data.id, customerId));
  if (!rows[0] && !isOpened) return undefined;
  return { text: owner.kind === 'CAMPAIGN' ? 'quickUsed' : 'quickAlreadyDone' };
}

/**
 * What a link leads to now; undefined where its subscription, or what it was for, is not there any more. `opens` records that a customer
 * looked, which changes nothing of the subscription; `given` is what they filled in.
 */
export async function look(
  services: Asking,
  context: EngineContext,
  link: Link & { signed: string },
  { opens = false, given = {} }: { opens?: boolean; given?: Given },
): Promise<Found | undefined> {
  const { store } = context;
  const subject = await subjectOf(context, link.contractId);
  const owner = subject && (await ownerOf(context, link));
  if (!subject || !owner) return undefined;
  const { subscription } = subject;
  const { contract } = subscription;
  const { data: offered } = owner;
  const standard = new Map(Object.values(services.definitions.texts).flatMap(({ texts }) => Object.entries(texts)));
  const words = await readWords(context, ['store', owner.kind === 'CAMPAIGN' ? 'campaign' : 'quick-action']);
  const foundOwn = (key: (typeof OWN_WORDS)[number]) =>
    words.find(contract.customer_locale, {
      ownerKind: owner.kind === 'CAMPAIGN' ? 'campaign' : 'quick-action',
      ownerId: String(offered.id),
      key,
    });
  const own = (key: Parameters<typeof foundOwn>[0]): string | undefined => foundOwn(key)?.value ?? offered[key];
  const said: Offered = {
    ...offered,
    ...spoken(Object.fromEntries(OWN_WORDS.map(key => [key, own(key)]))),
  };
  const rewarded = await wasRewarded(context, owner, link.contractId);
  const reward = rewarded ? undefined : await rewardNow(services, context, owner.data, link.contractId);
  const now = context.now();
  const speech = await speakingTo(context, services.definitions, words.languageFor(contract.customer_locale));
  const named = [...(offered.addVariantIds ?? []), offered.swapToVariantId ?? 0, reward?.variantId ?? 0];
  const variants = await namesOf(context, named, speech);
  const read = productsRead(contract, subscription.lines.map(speech.named));
  const products = read.map(({ quantity, name }) => `${quantity} × ${name}`);
  const unpaid = subscription.orders.find(one => one.id === subject.failedId);
  const discountIn = (one: Reward | undefined): string =>
    one?.rewardType === 'DISCOUNT'
      ? discountOf(one, amount => speech.money(toMinor(amount, contract.currency_code), contract.currency_code))
      : '';
  const values: Record<string, string> = {
    customer_first_name: contract.customer_first_name,
    store_name: store.name,
    products: products.join(', '),
    next_order_date: contract.status === 'ACTIVE' && contract.next_billing_at ? speech.day(contract.next_billing_at) : '',
    retry_date: unpaid?.next_retry_at ? speech.day(unpaid.next_retry_at) : '',
    discount: discountIn(reward),
    gift_title: variants.get(reward?.variantId ?? 0) ?? '',
  };
  const foundText = (key: string) => words.find(contract.customer_locale, { ownerKind: 'store', ownerId: '', key });
  const textOf = (key: string): string => foundText(key)?.value ?? standard.get(key)?.default ?? '';
  const say = (key: string, more: Readonly<Record<string, string>> = {}): string => filledOut(textOf(key), { ...values, ...more });
  const { action, fields } = linkOf(offered.type, services.definitions);
  const asking = { definitions: services.definitions, now, zone: store.timezone, say, day: (at: Date): string => speech.day(at) };
  const form = fields && customerForm(asking, action, fields, given);
  const { charges } = linkOf(offered.type, services.definitions);
  const discount = charges && reward?.rewardType === 'DISCOUNT' ? rewardAction(reward, offered.name) : undefined;
  const priced = discount ? await afterReward(services, context, link.contractId, discount) : subject;
  const asked = await askedOf(priced ?? subject, said, { variants, speech, say, form });
  const shown = withAlternatives(await context.setting('pause-flow'), said, asked, choicesOf(said, asked));
  const { choices } = shown;
  const before = await doneBefore(context, owner, link, contract.customer_id);
  const key =
    (isShut(services, store as Store, offered) ? 'quickNotApplicable' : undefined) ??
    refusal({ definitions: services.definitions, store }, owner, subject, link, now) ??
    (choices.length === 0 && !form ? 'quickNotApplicable' : undefined);
  // What was filled in is the next step of a page that was opened before.
  if (opens && !Object.keys(form?.given ?? {}).length) await note(context, owner, link, { happened: 'OPENED' });
  return {
    owner: owner.kind,
    offered: shown.offered,
    choices: choices.map(one => ({ ...one, key: choiceKey(one, one.reward && !rewarded ? one.reward : (reward ?? null)) })),
    form,
    products: read.map(({ lines }, i) => {
      const value = lines.reduce((sum, line) => sum + presentValue(subscription, line), 0);
      return `${products[i] ?? ''} · ${speech.money(value, contract.currency_code)}`;
    }),
    reward,
    wasRewarded: rewarded,
    rewardSaid: rewardSaid(reward, say),
    saysOf: async held => {
      const names = await namesOf(context, held?.variantId ? [held.variantId] : [], speech);
      const said = { ...values, discount: discountIn(held), gift_title: names.get(held?.variantId ?? 0) ?? '' };
      return rewardSaid(held, textKey => filledOut(textOf(textKey), said));
    },
    customerId: contract.customer_id,
    values,
    storeName: store.name,
    styleSheet: styleSheetOf(await liveTheme({ ...context, definitions: services.definitions })),
    currency: contract.currency_code,
    language: foundOwn('title')?.locale ?? foundOwn('description')?.locale ?? words.primary,
    say,
    saysIn: key => foundText(key)?.locale ?? PRODUCT_LANGUAGE,
    ...(before ? { said: before } : key ? { said: { text: key } } : {}),
  };
}

/** The subscription as it is with the discount that comes with the charge: what a button costs is what is charged. Nothing of it stays. */
async function afterReward(
  { definitions }: Asking,
  context: EngineContext,
  contractId: number,
  { action, input = {} }: KeptAction,
): Promise<Subject | undefined> {
  await sql`savepoint before_reward`.execute(context.trx);
  try {
    const given = await runAction({ ...context, definitions }, action as ActionKey, contractId, input, {
      source: 'Customer portal',
      mails: 'NONE',
    });
    return given.status === 'DONE' ? await subjectOf(context, contractId) : undefined;
  } finally {
    await sql`rollback to savepoint before_reward`.execute(context.trx);
  }
}

const spoken = (words: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

export function rewardSaid(reward: Reward | undefined, say: (key: string) => string): string {
  if (reward?.rewardType === 'GIFT') return say('quickGift');
  if (reward?.rewardType !== 'DISCOUNT') return '';
  return say(reward.discountType === 'FREE_SHIPPING' ? 'quickFreeShipping' : 'quickDiscount');
}
/** "10%", or an amount as `money` says it. */
export const discountOf = ({ discountType = 'PERCENTAGE', discountValue = 0 }: Reward, money: (amount: string) => string): string =>
  discountType === 'FIXED_AMOUNT' ? money(String(discountValue)) : `${discountValue}%`;

async function wasRewarded({ trx, storeId }: EngineContext, { kind, data }: Owner, contractId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from link_events where store_id = ${storeId}::integer and kind = ${kind} and action_id = ${data.id}::bigint
    and contract_id = ${contractId}::bigint and rewarded limit 1`.execute(trx);
  return rows.length > 0;
}

interface Happened {
  happened: 'OPENED' | 'CONFIRMED';
  rewarded?: boolean;
  sentence?: string;
  value?: number;
  /** The order that it charges; the note goes when that is declined. */
  orderId?: number;
  /** Of a surprise: which one it was. */
  draw?: number;
}
export const note = (
  { trx, storeId, store, now }: EngineContext,
  { kind, data }: Owner,
  { contractId, signed }: Link & { signed: string },
  { happened, rewarded = false, sentence = '', value = 0, orderId, draw }: Happened,
): Promise<unknown> =>
  sql`insert into link_events (store_id, kind, action_id, contract_id, happened, day, link, rewarded, sentence, value, order_id, draw,
      created_at)
    values (${storeId}::integer, ${kind}, ${data.id}::bigint, ${contractId}::bigint, ${happened},
      (${now()}::timestamptz at time zone ${store.timezone}::text)::date, ${happened === 'CONFIRMED' ? signed : null}, ${rewarded},
      ${sentence}, ${value}::bigint, ${orderId ?? null}::bigint, ${draw ?? null}::integer,
      ${now()}::timestamptz)
    on conflict do nothing`.execute(trx);
