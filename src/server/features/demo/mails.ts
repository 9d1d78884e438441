// What the demo store wrote in the last days, as it follows from its orders and subscriptions: each customer in their language.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { categoryOf } from '../../../domain/recovery/failure-codes.ts';
import { letterFor } from '../../platform/mail/letter-for.ts';
import { readMailWords } from '../../platform/mail/mail-words.ts';
import { letterOf } from '../../platform/mail/message-edits.ts';
import { PRODUCT_LANGUAGE, speechOf, type Speech } from '../../platform/mail/speech.ts';
import { type ContractRow, type LineRow, messageVariables, whyFailed } from '../../engine/index.ts';
import type { SeedStore } from './store.ts';

const DAY_MS = 86_400_000;

/** Something that a letter told of. */
interface Told {
  contract_id: number;
  at: Date;
  /** Of an order: what it costs, why it failed, when it is tried again. */
  total?: number;
  currency_code?: string;
  error_code?: string | null;
  next_retry_at?: Date | null;
}
interface Letters {
  message: string;
  /** The newest first, as many as are written. */
  moments: (storeId: number, now: Date) => ReturnType<typeof sql<Told>>;
  values: (say: Speech, moment: Told, contract: ContractRow, lines: readonly LineRow[]) => JsonObject;
}

const failure = (say: Speech, { total = 0, currency_code = 'USD', error_code = null, next_retry_at = null }: Told): JsonObject => ({
  explanation: whyFailed(say, categoryOf(error_code).key),
  failure: categoryOf(error_code).label,
  amount: say.money(total, currency_code),
  retryOn: next_retry_at && say.day(next_retry_at),
  isLast: false,
  finalAction: 'SKIP',
});
const changed = (column: 'created_at' | 'cancelled_at' | 'paused_at') => (storeId: number, now: Date) =>
  sql<Told>`select id as contract_id, ${sql.ref(column)} as at from contracts where store_id = ${storeId}::integer
    and ${sql.ref(column)} > ${new Date(now.getTime() - 6 * DAY_MS)}::timestamptz and ${sql.ref(column)} <= ${now}::timestamptz
    order by ${sql.ref(column)} desc, id desc limit 30`;
const failed = (storeId: number, now: Date) =>
  sql<Told>`select contract_id, billing_at as at, total, currency_code, error_code, next_retry_at from orders
    where store_id = ${storeId}::integer and status = 'FAILED' and next_retry_at is not null and error_code is not null
      and billing_at > ${new Date(now.getTime() - 10 * DAY_MS)}::timestamptz and billing_at <= ${now}::timestamptz
    order by billing_at desc, id desc limit 25`;

const LETTERS: Letters[] = [
  { message: 'NEW_SUBSCRIPTION', moments: changed('created_at'), values: () => ({}) },
  {
    message: 'SUBSCRIPTION_CANCELLED',
    moments: changed('cancelled_at'),
    values: (_say, _told, contract) => ({ reason: contract.cancellation_reason }),
  },
  {
    message: 'SUBSCRIPTION_PAUSED',
    moments: changed('paused_at'),
    values: (say, _told, contract) => ({ resumeOn: contract.resume_at && say.day(contract.resume_at) }),
  },
  { message: 'PAYMENT_FAILED_WITH_RETRIES', moments: failed, values: failure },
  { message: 'ADMIN_PAYMENT_FAILED_WITH_RETRIES', moments: failed, values: failure },
  {
    message: 'UPCOMING_ORDER',
    moments: (storeId, now) => sql<Told>`select id as contract_id, next_billing_at - interval '3 days' as at from contracts
      where store_id = ${storeId}::integer and status = 'ACTIVE' and next_billing_at > ${now}::timestamptz
        and next_billing_at <= ${new Date(now.getTime() + 3 * DAY_MS)}::timestamptz order by next_billing_at, id limit 40`,
    values: (say, _told, contract, lines) => ({
      date: contract.next_billing_at && say.day(contract.next_billing_at),
      products: lines.map(({ quantity, product_title: name, image }) => ({ quantity, name, picture: image, price: null })),
      shipping: null,
      discount: null,
      rewards: [],
      amount: contract.total === 0 ? null : say.money(contract.total, contract.currency_code),
      isPrepaid: false,
    }),
  },
];

/** Addresses that do not exist any more, one letter in so many. */
const LOST = 41;

/** Writes the letters of the last days as sent, some of them opened, and a few that came back. */
export async function writeMails(
  trx: Kysely<Tables>,
  store: SeedStore,
  { texts, messages }: Pick<Definitions, 'texts' | 'messages'>,
  at: number,
): Promise<void> {
  const now = new Date(at);
  const written = await Promise.all(
    LETTERS.filter(({ message }) => messages[message]).map(async one => ({
      ...one,
      rows: (await one.moments(store.id, now).execute(trx)).rows,
    })),
  );
  const ids = [...new Set(written.flatMap(({ rows }) => rows.map(row => row.contract_id)))];
  if (ids.length === 0) return;
  const [contracts, lines, words, zone] = await Promise.all([
    trx.selectFrom('contracts').selectAll().where('store_id', '=', store.id).where('id', 'in', ids).execute(),
    trx
      .selectFrom('contract_lines')
      .selectAll()
      .where('store_id', '=', store.id)
      .where('contract_id', 'in', ids)
      .orderBy('position')
      .execute(),
    readMailWords({ trx, storeId: store.id }),
    trx.selectFrom('stores').select('timezone').where('id', '=', store.id).executeTakeFirstOrThrow(),
  ]);
  const contractOf = new Map(contracts.map(one => [one.id, one]));
  const linesOf = new Map<number, LineRow[]>();
  for (const line of lines) linesOf.set(line.contract_id, [...(linesOf.get(line.contract_id) ?? []), line]);
  const speak = (language: string): Speech => speechOf({ words, texts, zone: zone.timezone, dateFormat: 'WEEKDAY' }, language);
  const rows = written.flatMap(({ message, rows: moments, values }) =>
    moments.flatMap(one => {
      const kind = messages[message];
      const contract = contractOf.get(one.contract_id);
      if (!kind || !contract) return [];
      const mine = linesOf.get(contract.id) ?? [];
      const valuesIn = (language: string): JsonObject => {
        const say = speak(language);
        return { ...messageVariables({ store, config: {} } as never, contract, mine, say), ...values(say, one, contract, mine) };
      };
      const isTeam = kind.audience === 'admins';
      const letter = isTeam
        ? letterOf(kind, undefined, valuesIn(PRODUCT_LANGUAGE))
        : letterFor(kind, undefined, { words, locale: contract.customer_locale }, valuesIn);
      const sentAt = new Date(one.at.getTime() + 40_000);
      const isLost = !isTeam && contract.id % LOST === 0;
      return [
        {
          store_id: store.id,
          template: message,
          recipient: isTeam ? store.email : contract.customer_email,
          ...letter,
          contract_id: contract.id,
          dedupe_key: `${message}:demo:${contract.id}:${one.at.getTime()}`,
          send_after: one.at,
          created_at: one.at,
          attempts: 1,
          sent_at: isLost ? null : sentAt,
          failed_reason: isLost ? 'The mail server refused it: 550 5.1.1 There is no such mailbox.' : null,
          opened_at:
            isLost || isTeam || contract.id % 3 === 0 || sentAt > now
              ? null
              : new Date(Math.min(at, sentAt.getTime() + (contract.id % 9) * 1_900_000)),
        },
      ];
    }),
  );
  rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.dedupe_key < b.dedupe_key ? -1 : 1));
  await trx.insertInto('outbox').values(rows).execute();
}
