// What a link finds when it is opened: what is offered to this subscription now, in its customer's language, or why nothing is.
import { sql } from 'kysely';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { formatMoney, toMinor } from '../../../domain/money/money.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import { soldName } from '../../../domain/text/variant-name.ts';
import type { ConditionSet } from '../../../contract/conditions.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Store } from '../../platform/context.ts';
import { conditionSql } from '../../platform/records/conditions/compile.ts';
import type { PageServices } from '../../platform/http/public-pages.ts';
import { PRODUCT_LANGUAGE } from '../../platform/mail/speech.ts';
import { readWords } from '../../platform/texts/words.ts';
import type { Reward } from '../bulk-actions/reward.ts';
import { LINK_NAMES, type Link, type LinkKind } from '../subscriptions/engine/action-links.ts';
import type { EngineContext } from '../subscriptions/engine/context.ts';
import { KINDS, type Choice, type Offered } from './kinds.ts';
import { withAlternatives } from './pause-flow.ts';

/** The file of schemas/texts. */
const CATEGORY = 'quick-action';

interface QuickAction extends Offered {
  segments?: { conditions?: ConditionSet; reward?: Reward }[];
}
interface Campaign extends Offered {
  status: string;
  startAt: string;
  endAt: string;
}
export type Owner = { kind: 'QUICK_ACTION'; data: QuickAction } | { kind: 'CAMPAIGN'; data: Campaign };
export type LinkOwner = Owner['kind'];

/** What a page says instead of an offer; `own` are the words of the record. */
export interface Said {
  text: string;
  isDone?: true;
  own?: string;
}
export interface Found {
  owner: LinkOwner;
  offered: Offered;
  choices: Choice[];
  products: string[];
  reward: Reward | undefined;
  /** It has brought this subscription something before. */
  wasRewarded: boolean;
  rewardSaid: string;
  values: Record<string, string>;
  storeName: string;
  /** The language of what is offered. */
  language: string;
  say(key: string): string;
  /** The language in which `say` has the words of a key. */
  saysIn(key: string): string;
  said?: Said;
}
type Asking = Pick<PageServices, 'definitions' | 'shape'>;
interface ContractRow {
  status: string;
  customer_name: string;
  customer_locale: string | null;
  currency_code: string;
  next_billing_at: Date | null;
  next_charge: number | null;
  total: number;
  unpaid: boolean;
  products: string[];
}

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
    const where = await conditionSql(asking, conditions as unknown as JsonObject, definitions.conditions);
    const { rows } = await sql`select 1 from contracts r where r.store_id = ${storeId}::integer and r.id = ${contractId}::bigint
      and ${where ?? sql`true`}`.execute(trx);
    if (rows.length > 0) return reward;
  }
  return undefined;
}

/** What stands in the way of an offer, in the order in which it matters. */
function refusal(owner: Owner, contract: ContractRow, link: Link, now: Date): string | undefined {
  if (owner.kind === 'CAMPAIGN') {
    const { status, startAt, endAt } = owner.data;
    if (status === 'ARCHIVED' || status === 'COMPLETED' || new Date(endAt) <= now) return 'quickEnded';
    if (status === 'DRAFT') return 'quickNotApplicable';
    if (new Date(startAt) > now) return 'quickNotStarted';
  } else if (link.expiresAt <= now) return 'quickExpired';
  const { type } = owner.data;
  const { states, done } = KINDS[type];
  if (type === 'RECOVER_FAILED_PAYMENT' && !contract.unpaid) return 'quickAlreadyDone';
  if (done?.includes(contract.status)) return 'quickAlreadyDone';
  return states.includes(contract.status) ? undefined : 'quickNotApplicable';
}

/** What was done by this link, or for this subscription by this campaign. */
async function doneBefore({ trx, storeId }: EngineContext, owner: Owner, link: Link & { signed: string }): Promise<Said | undefined> {
  const { rows } = await sql<{ link: string }>`select link from link_events where store_id = ${storeId}::integer and happened = 'CONFIRMED'
    and (link = ${link.signed} or (${owner.kind} = 'CAMPAIGN' and kind = 'CAMPAIGN' and action_id = ${owner.data.id}::bigint
      and contract_id = ${link.contractId}::bigint))
    order by link = ${link.signed} desc limit 1`.execute(trx);
  if (!rows[0]) return undefined;
  return { text: owner.kind === 'CAMPAIGN' ? 'quickUsed' : 'quickAlreadyDone' };
}

/**
 * What a link leads to now; undefined where its subscription, or what it was for, is not there any more. `opens` writes down that somebody
 * looked, which changes nothing of the subscription.
 */
export async function look(
  services: Asking,
  context: EngineContext,
  link: Link & { signed: string },
  opens: boolean,
): Promise<Found | undefined> {
  const { trx, storeId, store } = context;
  const { rows } =
    await sql<ContractRow>`select c.status, c.customer_name, c.customer_locale, c.currency_code, c.next_billing_at, c.next_charge,
      c.total, exists (select 1 from orders o where o.store_id = c.store_id and o.contract_id = c.id and o.status = 'FAILED') as unpaid,
      (select coalesce(array_agg(l.quantity || ' × ' || l.product_title order by l.position), '{}') from contract_lines l
        where l.store_id = c.store_id and l.contract_id = c.id) as products
    from contracts c where c.store_id = ${storeId}::integer and c.id = ${link.contractId}::bigint`.execute(trx);
  const [contract] = rows;
  const owner = contract && (await ownerOf(context, link));
  if (!contract || !owner) return undefined;
  const { data: offered } = owner;
  const texts = services.definitions.texts[CATEGORY]?.texts ?? {};
  const words = await readWords(context, ['store', owner.kind === 'CAMPAIGN' ? 'campaign' : 'quick-action']);
  const foundOwn = (key: 'title' | 'description' | 'ctaText' | 'successText') =>
    words.find(contract.customer_locale, {
      ownerKind: owner.kind === 'CAMPAIGN' ? 'campaign' : 'quick-action',
      ownerId: String(offered.id),
      key,
    });
  const own = (key: Parameters<typeof foundOwn>[0]): string | undefined => foundOwn(key)?.value ?? offered[key];
  const said: Offered = {
    ...offered,
    ...spoken({ title: own('title'), description: own('description'), ctaText: own('ctaText'), successText: own('successText') }),
  };
  const rewarded = await wasRewarded(context, owner, link.contractId);
  const reward = rewarded ? undefined : await rewardNow(services, context, owner.data, link.contractId);
  const variants = await namesOf(context, [...(offered.addVariantIds ?? []), offered.swapToVariantId ?? 0, reward?.variantId ?? 0]);
  const now = context.now();
  const values: Record<string, string> = {
    customer_first_name: contract.customer_name.split(' ')[0] ?? '',
    store_name: store.name,
    products: contract.products.join(', '),
    next_order_date:
      contract.status === 'ACTIVE' && contract.next_billing_at ? dateLabel(contract.next_billing_at.getTime(), store.timezone) : '',
    discount: reward?.rewardType === 'DISCOUNT' ? discountOf(reward, contract.currency_code) : '',
    gift_title: variants.get(reward?.variantId ?? 0) ?? '',
  };
  const foundText = (key: string) => words.find(contract.customer_locale, { ownerKind: 'store', ownerId: '', key });
  const say = (key: string): string => {
    const text = foundText(key)?.value ?? texts[key]?.default ?? '';
    return filledOut(text, values);
  };
  const asked = { nextBillingAt: contract.next_billing_at, variants, zone: store.timezone, now };
  const shown = withAlternatives(await context.setting('pause-flow'), said, asked, KINDS[offered.type].choices(said, asked));
  const { choices } = shown;
  const before = await doneBefore(context, owner, link);
  const key = refusal(owner, contract, link, now) ?? (choices.length === 0 ? 'quickNotApplicable' : undefined);
  if (opens) await note(context, owner, link, { happened: 'OPENED' });
  return {
    owner: owner.kind,
    offered: shown.offered,
    choices,
    products: contract.products,
    reward,
    wasRewarded: rewarded,
    rewardSaid: rewardSaid(reward, say),
    values,
    storeName: store.name,
    language: foundOwn('title')?.locale ?? foundOwn('description')?.locale ?? words.primary,
    say,
    saysIn: key => foundText(key)?.locale ?? PRODUCT_LANGUAGE,
    ...(before ? { said: before } : key ? { said: { text: key } } : {}),
  };
}

const spoken = (words: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

export function rewardSaid(reward: Reward | undefined, say: (key: string) => string): string {
  if (reward?.rewardType === 'GIFT') return say('quickGift');
  if (reward?.rewardType !== 'DISCOUNT') return '';
  return say(reward.discountType === 'FREE_SHIPPING' ? 'quickFreeShipping' : 'quickDiscount');
}
export function discountOf({ discountType = 'PERCENTAGE', discountValue = 0 }: Reward, currency: string): string {
  return discountType === 'FIXED_AMOUNT' ? formatMoney(toMinor(String(discountValue), currency), currency) : `${discountValue}%`;
}

export async function namesOf({ trx, storeId }: EngineContext, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; product: string; title: string }>`select v.id, p.title as product, v.title from variants v
    join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.id = any(${[...ids]}::bigint[]) and v.deleted_at is null and p.deleted_at is null`.execute(
    trx,
  );
  return new Map(rows.map(({ id, product, title }) => [id, soldName(product, title)]));
}

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
}
export const note = (
  { trx, storeId, store, now }: EngineContext,
  { kind, data }: Owner,
  { contractId, signed }: Link & { signed: string },
  { happened, rewarded = false, sentence = '', value = 0 }: Happened,
): Promise<unknown> =>
  sql`insert into link_events (store_id, kind, action_id, contract_id, happened, day, link, rewarded, sentence, value, created_at)
    values (${storeId}::integer, ${kind}, ${data.id}::bigint, ${contractId}::bigint, ${happened},
      (${now()}::timestamptz at time zone ${store.timezone}::text)::date, ${happened === 'CONFIRMED' ? signed : null}, ${rewarded},
      ${sentence}, ${value}::bigint, ${now()}::timestamptz)
    on conflict do nothing`.execute(trx);
