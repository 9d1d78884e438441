// The e-mails of campaigns: who gets one, what it says, and writing them into the outbox, some at a time.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { notOnQuietDays } from '../../../domain/calendar/quiet-time.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import { later } from '../../../domain/text/t.ts';
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import { accessOf } from '../../../contract/access.ts';
import type { MessageValues } from '../../../generated/families.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import { addMails, mailRow, type MailRow } from '../../platform/mail/mail-rows.ts';
import { letterFor } from '../../platform/mail/letter-for.ts';
import { PREFERENCES } from '../../platform/mail/letterhead.ts';
import { speechOf } from '../../platform/mail/speech.ts';
import { contractVariables, type EngineContext, linkBase, linkPath, readSettings, engineForJob } from '../../engine/index.ts';
import { type Asking, type Audience, withLinks } from './audience.ts';
import type { Offered } from './kinds.ts';
import { type Campaign, look, ownerOf } from './look.ts';

/** The job of every minute, which a launch wakes as well. */
export const CAMPAIGNS = 'campaigns';
export const OFFER = 'CAMPAIGN_OFFER';
export type Delivery = 'EMAIL' | 'FILE';
/** What becomes of the letter of a subscription (campaign_members.letter). */
export const LETTERS = ['WAITING', 'WRITTEN', 'NO_ADDRESS', 'BLOCKED', 'UNSUBSCRIBED', 'RECENT', 'SAME_ADDRESS', 'NOT_NOW'] as const;
export type LetterFate = (typeof LETTERS)[number];

/** Written together in one transaction; and how many of a store wait to be sent at most, so that other e-mails never wait long for them. */
const STEP = 50;
const MOST_AHEAD = 1000;

/**
 * Rows { id, customer_name, status, letter } of the subscriptions `r` that meet a predicate: WAITING, or why there is no letter. Of several
 * of one address the newest gets it.
 */
function judged({ storeId, now }: { storeId: number; now: Date }, rows: RawBuilder<unknown>, pauseDays: number): RawBuilder<unknown> {
  const isBlocked = (byChoice: boolean) => sql`exists (select from mail_blocks b where b.store_id = ${storeId}::integer
    and b.address = lower(r.customer_email) and (b.reason = 'UNSUBSCRIBED') = ${byChoice})`;
  const hadOne = sql`exists (select from outbox o where o.store_id = ${storeId}::integer and lower(o.recipient) = lower(r.customer_email)
    and o.template = ${OFFER} and o.failed_reason is null
    and o.created_at > ${now}::timestamptz - make_interval(days => ${pauseDays}::integer))`;
  return sql`select id, customer_name, status, case when letter = 'WAITING'
      and row_number() over (partition by letter, lower(customer_email) order by id desc) > 1 then 'SAME_ADDRESS' else letter end as letter
    from (select r.id, r.customer_name, r.customer_email, r.status, case
        when r.customer_email = '' or r.customer_email like '%@erased.invalid' then 'NO_ADDRESS'
        when ${isBlocked(false)} then 'BLOCKED' when ${isBlocked(true)} then 'UNSUBSCRIBED'
        when ${hadOne} then 'RECENT' else 'WAITING' end as letter
      from contracts r where r.store_id = ${storeId}::integer and ${rows}) found`;
}
const pauseOf = async ({ setting }: Pick<Context, 'setting'>): Promise<number> => {
  const { campaignPauseDays } = await setting(PREFERENCES);
  return typeof campaignPauseDays === 'number' ? campaignPauseDays : 0;
};

export type Reach = {
  /** With a link each. */
  subscriptions: number;
  /** How many get an e-mail. */
  letters: number;
  /** Of the others: why, and how many. */
  others: { letter: LetterFate; count: number }[];
  /** Three of those whom it reaches; none for people who may not see subscriptions. */
  examples: { id: number; customerName: string; status: string }[];
};

/** Whom a campaign would reach now. */
export async function reachOf(context: Asking & Pick<Context, 'setting'>, audience: Audience & { delivery?: Delivery }): Promise<Reach> {
  const { trx, storeId } = context;
  const rows = judged({ storeId, now: context.now() }, await withLinks(context, audience), await pauseOf(context));
  const reached = audience.delivery === 'FILE' ? sql`true` : sql`letter = 'WAITING'`;
  const { rows: found } = await sql<{ counts: Partial<Record<LetterFate, number>> | null; examples: Reach['examples'] | null }>`
    with judged as materialized (${rows})
    select (select jsonb_object_agg(letter, n) from (select letter, count(*) as n from judged group by 1) each_one) as counts,
      (select jsonb_agg(jsonb_build_object('id', id, 'customerName', customer_name, 'status', status) order by id desc)
        from (select * from judged where ${reached} order by id desc limit 3) first_three) as examples`.execute(trx);
  const { WAITING: letters = 0, ...others } = found[0]?.counts ?? {};
  const left = Object.entries(others).map(([letter, count]) => ({ letter: letter as LetterFate, count: Number(count) }));
  return {
    subscriptions: letters + left.reduce((sum, { count }) => sum + count, 0),
    letters,
    others: left.sort((a, b) => b.count - a.count),
    examples: accessOf(context.session).can('subscriptionDetails', 'READ') ? (found[0]?.examples ?? []) : [],
  };
}

/** Campaigns that are running and have letters to write; those of campaigns that are over are written no more. */
export async function lettersLeft({
  trx,
  storeId,
}: {
  trx: Kysely<Tables>;
  storeId: number;
}): Promise<{ storeId: number; campaignId: number }[]> {
  const { rows } = await sql<{ id: number; status: string | null }>`select m.campaign_id as id, (select g.data ->> 'status' from records g
      where g.store_id = ${storeId}::integer and g.id = m.campaign_id and g.deleted_at is null) as status
    from (select distinct campaign_id from campaign_members where store_id = ${storeId}::integer and letter in ('NEW', 'WAITING')) m
    order by 1`.execute(trx);
  const over = rows.filter(({ status }) => status !== 'ACTIVE' && status !== 'SCHEDULED').map(({ id }) => id);
  if (over.length)
    await sql`update campaign_members set letter = 'NOT_NOW' where store_id = ${storeId}::integer
      and campaign_id = any(${over}::bigint[]) and letter in ('NEW', 'WAITING')`.execute(trx);
  return rows.filter(({ status }) => status === 'ACTIVE').map(({ id }) => ({ storeId, campaignId: id }));
}

const HELD = later`Not sent: the campaign was archived.`;
/** What waits in the outbox for a campaign that was archived does not leave any more. */
export async function holdLetters({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, campaignId: number): Promise<void> {
  await sql`update outbox o set failed_reason = ${HELD} from campaign_members m where m.store_id = ${storeId}::integer
    and m.campaign_id = ${campaignId}::bigint and m.letter = 'WRITTEN' and o.store_id = m.store_id and o.dedupe_key = m.dedupe_key
    and o.sent_at is null and o.failed_reason is null and o.claimed_at is null`.execute(trx);
}

/** What an offer says in its letter, besides what all letters may name. */
export const offerWords = (
  { offered, values, reward }: { offered: Offered; values: Readonly<Record<string, string>>; reward: string },
  { link, endsOn }: { link: string; endsOn: string },
): MessageValues[typeof OFFER] => {
  const fill = (text: string | undefined): string => filledOut(text ?? '', values);
  const title = fill(offered.title) || offered.name;
  return {
    subject: fill(offered.subject) || title,
    picture: offered.imageUrl || null,
    text: fill(offered.letterText) || fill(offered.description),
    reward,
    button: offered.ctaText || title,
    link,
    endsOn,
  };
};

/**
 * Writes some letters of a running campaign: who gets one is decided for all first, then each is written in its reader's language, as far
 * as the offer fits their subscription still. @returns whether to go on at once
 */
export async function writeLetters(
  services: Pick<Services, 'definitions' | 'config' | 'shape'>,
  trx: Kysely<Tables>,
  { storeId, campaignId }: { storeId: number; campaignId: number },
): Promise<boolean> {
  const engine = await engineForJob(services, trx, storeId);
  const found = await ownerOf(engine, { storeId, contractId: 0, what: `c${campaignId}`, expiresAt: engine.now() });
  const base = linkBase(services.config);
  if (found?.kind !== 'CAMPAIGN' || found.data.status !== 'ACTIVE' || found.data.delivery !== 'EMAIL' || !base) return false;
  await decide(engine, campaignId);
  const { rows: ahead } = await sql<{ n: number }>`select count(*)::integer as n from outbox where store_id = ${storeId}::integer
    and sent_at is null and failed_reason is null and template = ${OFFER}`.execute(trx);
  if ((ahead[0]?.n ?? 0) >= MOST_AHEAD) return false;
  const { rows: members } = await sql<{ id: number }>`select contract_id as id from campaign_members
    where store_id = ${storeId}::integer and campaign_id = ${campaignId}::bigint and letter = 'WAITING'
    order by id limit ${STEP} for update skip locked`.execute(trx);
  const letters: MailRow[] = [];
  const fates = new Map<number, LetterFate>();
  for (const { id } of members) {
    const letter = await letterOf(services, engine, found.data, { contractId: id, base });
    if (letter) letters.push(letter);
    fates.set(id, letter ? 'WRITTEN' : 'NOT_NOW');
  }
  await addMails(trx, letters);
  await sql`update campaign_members m set letter = f.letter from unnest(${[...fates.keys()]}::bigint[], ${[...fates.values()]}::text[])
    as f(id, letter) where m.store_id = ${storeId}::integer and m.campaign_id = ${campaignId}::bigint and m.contract_id = f.id`.execute(
    trx,
  );
  return members.length === STEP;
}

async function decide(engine: EngineContext, campaignId: number): Promise<void> {
  const { trx, storeId } = engine;
  const isNew = sql`select m.contract_id from campaign_members m where m.store_id = ${storeId}::integer
    and m.campaign_id = ${campaignId}::bigint and m.letter = 'NEW'`;
  const rows = judged({ storeId, now: engine.now() }, sql`r.id in (${isNew})`, await pauseOf(engine));
  await sql`update campaign_members m set letter = j.letter from (${rows}) j where m.store_id = ${storeId}::integer
    and m.campaign_id = ${campaignId}::bigint and m.contract_id = j.id and m.letter = 'NEW'`.execute(trx);
}

/** Undefined where the offer does not fit the subscription any more, or would be over when the letter leaves. */
async function letterOf(
  services: Pick<Services, 'definitions' | 'shape'>,
  engine: EngineContext,
  campaign: Campaign,
  { contractId, base }: { contractId: number; base: string },
): Promise<MailRow | undefined> {
  const { trx, storeId, store } = engine;
  const { messages, words, quiet, dateFormat } = await readSettings(engine);
  const link = { contractId, what: `c${campaign.id}`, expiresAt: new Date(campaign.launchedAt ?? campaign.startAt) };
  const offer = await look(services, engine, { ...link, storeId, signed: '' }, {});
  const contract = await contractVariables(trx, engine, contractId);
  const sendAfter = notOnQuietDays(engine.now(), quiet, store.timezone);
  const endAt = new Date(campaign.endAt);
  const kind: MessageKind | undefined = services.definitions.messages[OFFER];
  if (!kind || !offer || offer.said || !contract || sendAfter >= endAt) return undefined;
  const speaking = { words, texts: services.definitions.texts, zone: store.timezone, dateFormat };
  const letter = letterFor(kind, messages[OFFER], { words, locale: contract.locale }, language => {
    const say = speechOf(speaking, language);
    const said = { offered: offer.offered, values: offer.values, reward: offer.rewardSaid };
    return { ...contract.variables(say), ...offerWords(said, { link: base + linkPath(store, link), endsOn: say.day(endAt) }) };
  });
  const message = {
    ...letter,
    template: OFFER,
    to: contract.email,
    contractId,
    dedupeKey: `${OFFER}:${campaign.id}:${contractId}`,
    sendAfter,
  };
  return mailRow(storeId, message, engine.now());
}

/** How far the letters of a campaign are. */
export async function progressOf({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, campaignId: number): Promise<JsonObject> {
  const { rows } = await sql<{ letter: string; n: number; sent: number; failed: number; read: number }>`select
      case m.letter when 'NEW' then 'WAITING' else m.letter end as letter, count(*)::integer as n,
      (count(*) filter (where m.letter = 'WRITTEN' and (o.id is null or o.sent_at is not null)))::integer as sent,
      (count(*) filter (where o.failed_reason is not null))::integer as failed,
      (count(*) filter (where o.opened_at is not null))::integer as read
    from campaign_members m left join outbox o on o.store_id = m.store_id and o.dedupe_key = m.dedupe_key
    where m.store_id = ${storeId}::integer and m.campaign_id = ${campaignId}::bigint and m.letter is not null group by 1`.execute(trx);
  const of = (letter: LetterFate): number => rows.find(row => row.letter === letter)?.n ?? 0;
  const written = rows.find(row => row.letter === 'WRITTEN');
  const { sent = 0, failed = 0, read = 0 } = written ?? {};
  const others = rows
    .filter(row => row.letter !== 'WAITING' && row.letter !== 'WRITTEN')
    .map(({ letter, n: count }) => ({ letter, count }));
  return {
    letters: of('WAITING') + of('WRITTEN'),
    sent,
    failed,
    read,
    waiting: of('WAITING') + of('WRITTEN') - sent - failed,
    others: others as JsonValue,
  };
}
