// The embedded gateway: takes no real money, and its test cards do the same every time. What it "took" is kept apart from our books.
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Charge, FullGateway, Outcome, Refund, RefundAnswer } from './gateway.ts';

/** The cards that demos and tests use. A token may end in `:anything`, so that two customers need not share one. */
export const TEST_CARDS = {
  success: 'tok_success',
  requiresAction: 'tok_requires_action',
  decline: (code: string): string => `tok_decline_${code.toLowerCase()}`,
  /** Refuses the first n attempts of every order and takes the money on the next. */
  failThenSucceed: (n: number): string => `tok_fail_n_${n}_then_success`,
} as const;

const DECLINES: Record<string, string> = {
  INSUFFICIENT_FUNDS: 'The card has insufficient funds.',
  EXPIRED_CARD: 'The card has expired.',
  CARD_DECLINED: 'The card was declined.',
  DO_NOT_HONOR: 'The issuer does not honour the charge.',
};

/** What a token does on the attempt that its key ends with ("…-3"). */
function outcomeOf({ token, key }: Charge): Outcome {
  const card = token.split(':')[0] as string;
  const attempt = Number(/-(\d+)$/.exec(key)?.[1] ?? 1);
  // A method that was moved is charged by the provider of before, which tells of a decline by the token.
  if (card.startsWith('moved_') && !/:decline/.test(token)) return { ok: true, reference: `ch_${key}` };
  if (card.startsWith('moved_')) return { ok: false, code: 'CARD_DECLINED', message: 'The card was declined.' };
  if (card === TEST_CARDS.success) return { ok: true, reference: `ch_${key}` };
  if (card === TEST_CARDS.requiresAction) {
    return {
      ok: false,
      code: 'AUTHENTICATION_REQUIRED',
      message: 'The customer has to confirm this payment.',
      nextActionUrl: `https://gateway.example/confirm/${encodeURIComponent(key)}`,
    };
  }
  const failures = /^tok_fail_n_(\d+)_then_success$/.exec(card);
  if (failures)
    return attempt > Number(failures[1])
      ? { ok: true, reference: `ch_${key}` }
      : { ok: false, code: 'CARD_DECLINED', message: 'The card was declined.' };
  const code = /^tok_decline_([a-z0-9_]+)$/.exec(card)?.[1]?.toUpperCase();
  if (code) return { ok: false, code, message: DECLINES[code] ?? `The charge was refused: ${code.toLowerCase().replaceAll('_', ' ')}.` };
  return { ok: false, code: 'PAYMENT_METHOD_NOT_FOUND', message: 'The gateway does not know this payment method.' };
}

interface Waiting {
  charge: Charge;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** How many charges go into one statement. */
const TOGETHER = 200;

/** A gateway on the table gateway_charges. Charges asked for at the same moment are written together, each under its own key. */
export class TestGateway implements FullGateway {
  keysLive(): number {
    return Number.POSITIVE_INFINITY;
  }
  readonly #db: Database;
  #waiting: Waiting[] = [];
  constructor(db: Database) {
    this.#db = db;
  }

  charge(charge: Charge): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ charge, resolve, reject });
      if (this.#waiting.length === 1)
        queueMicrotask(() => {
          void this.#flush();
        });
    });
  }

  async lookup({ storeId, key }: Pick<Charge, 'storeId' | 'key'>): Promise<Outcome | null> {
    const row = await this.#db.inStore(
      storeId,
      trx =>
        trx
          .selectFrom('gateway_charges')
          .select('outcome')
          .where('store_id', '=', storeId)
          .where('idempotency_key', '=', key)
          .executeTakeFirst(),
      { readOnly: true },
    );
    return row ? (row.outcome as Outcome) : null;
  }

  /** No more than was taken. */
  refund({ storeId, key, reference, amount, at }: Refund): Promise<RefundAnswer> {
    return this.#db.inStore(storeId, async (trx): Promise<RefundAnswer> => {
      // The charge is locked: of two refunds at once the second one sees the first.
      const { rows } = await sql<{ amount: number; refunded: number }>`select c.amount, (select coalesce(sum(r.amount), 0)::bigint
          from gateway_refunds r where r.store_id = c.store_id and r.charge_reference = ${reference}
            and r.idempotency_key <> ${key}) as refunded
        from gateway_charges c where c.store_id = ${storeId}::integer
          and c.idempotency_key = ${reference.replace(/^ch_/, '')} for update`.execute(trx);
      const [charge] = rows;
      // What a demo's customers paid in its past stands in our books alone.
      if (charge && Number(charge.refunded) + amount > Number(charge.amount))
        return { ok: false, message: 'The refund is larger than the charge.' };
      await sql`insert into gateway_refunds (store_id, idempotency_key, charge_reference, amount, at)
        values (${storeId}::integer, ${key}, ${reference}, ${amount}::bigint, ${at}::timestamptz) on conflict do nothing`.execute(trx);
      return { ok: true, reference: `re_${key}` };
    });
  }

  async lookupRefund({ storeId, key }: Refund): Promise<RefundAnswer | null> {
    const { rows } = await this.#db.inStore(
      storeId,
      trx => sql`select 1 from gateway_refunds where store_id = ${storeId}::integer and idempotency_key = ${key}`.execute(trx),
      { readOnly: true },
    );
    return rows.length ? { ok: true, reference: `re_${key}` } : null;
  }

  async #flush(): Promise<void> {
    const all = this.#waiting;
    this.#waiting = [];
    const byStore = new Map<number, Waiting[]>();
    for (const one of all) byStore.set(one.charge.storeId, [...(byStore.get(one.charge.storeId) ?? []), one]);
    for (const [storeId, waiting] of byStore) {
      for (let i = 0; i < waiting.length; i += TOGETHER) await this.#write(storeId, waiting.slice(i, i + TOGETHER));
    }
  }

  /** In a transaction of its own: what was charged stays charged, whatever becomes of the caller. */
  async #write(storeId: number, waiting: Waiting[]): Promise<void> {
    try {
      const rows = waiting.map(({ charge }) => ({
        store_id: storeId,
        idempotency_key: charge.key,
        token: charge.token,
        amount: charge.amount,
        currency_code: charge.currency,
        outcome: outcomeOf(charge),
        at: charge.at,
      }));
      const saved = await this.#db.inStore(storeId, async trx => {
        await sql`insert into gateway_charges select * from jsonb_populate_recordset(null::gateway_charges, ${JSON.stringify(rows)}::jsonb)
          on conflict do nothing`.execute(trx);
        const keys = rows.map(row => row.idempotency_key);
        return trx
          .selectFrom('gateway_charges')
          .select(['idempotency_key', 'amount', 'currency_code', 'outcome'])
          .where('store_id', '=', storeId)
          .where('idempotency_key', 'in', keys)
          .execute();
      });
      const byKey = new Map(saved.map(row => [row.idempotency_key, row]));
      for (const { charge, resolve, reject } of waiting) {
        const row = byKey.get(charge.key);
        if (!row) reject(new Error(`The gateway lost the charge ${charge.key}.`));
        else if (row.amount !== charge.amount || row.currency_code !== charge.currency)
          reject(
            new Error(
              `The key ${charge.key} was used for ${row.amount} ${row.currency_code} before; it can't stand for ${charge.amount} ` +
                `${charge.currency}.`,
            ),
          );
        else resolve(row.outcome as Outcome);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
