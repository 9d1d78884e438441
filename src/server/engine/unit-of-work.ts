// A piece of work on contracts: reads them locked, lets the rules change them in memory, and writes what changed in a few statements.
import { sql } from 'kysely';
import type { JsonObject } from '../../contract/types.ts';
import type { EventKey, EventPayloads } from '../../generated/families.ts';
import { addEvents, type EventRow } from '../platform/events/emit.ts';
import { yieldToEventLoop } from '../platform/queue/yield-to-event-loop.ts';
import type { Message } from '../platform/context.ts';
import { addMails, mailRow, type MailRow } from '../platform/mail/mail-rows.ts';
import { loadAggregates, type Aggregate } from './aggregate.ts';
import { actorOf, type EngineContext } from './context.ts';
import { IdsAhead } from './ids-ahead.ts';
import { writeMovements } from './movements.ts';
import { forgetDeclined, type CameWith } from './charging/declined-links.ts';
import { nextCharge } from './charging/next-charge.ts';
import { refreshContract } from './price.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import {
  changedColumns,
  copyOf,
  deleteMany,
  hasChanged,
  insertMany,
  newIds,
  publicOrderId,
  updateMany,
  type AttemptRow,
  type OrderRow,
  type VariantRow,
} from './rows.ts';
import { keepHour, syncSchedule } from './schedule.ts';
import { readSettings, type EngineSettings } from './settings.ts';
import { retagCustomers } from './charging/tags.ts';
import { isChanged, touchesFacts, differs } from './changes.ts';

interface CreditEntry {
  contract_id: number;
  type: 'ADDED' | 'CONSUMED' | 'ADJUSTED' | 'REFUNDED';
  credits: number;
  balance_after: number;
  order_id: number | null;
  reason: string;
}

/** The variants of lines, as far as stock and prices go. */
export type StockRow = Pick<
  VariantRow,
  'id' | 'product_id' | 'price' | 'inventory_management' | 'inventory_policy' | 'inventory_quantity' | 'deleted_at'
>;

/** A place in a piece of work to go back to. */
export interface UnitOfWorkMark {
  events: number;
  mails: number;
  credits: number;
  stock: ReadonlyMap<number, number>;
  attempts: ReadonlySet<number>;
  contracts: number;
}

export class UnitOfWork {
  readonly context: EngineContext;
  readonly settings: EngineSettings;
  readonly zone: string;
  /** The moment that is being worked on: now, or in a run that moves the clock the instant at which the thing was due. */
  at: Date;
  readonly aggregates = new Map<number, Aggregate>();
  readonly variants = new Map<number, StockRow>();
  readonly ids: IdsAhead;
  /** Billing attempts made or changed by this work; new ones have an id already. */
  readonly attempts = new Map<number, { row: AttemptRow; before: AttemptRow | null }>();
  /** Charges by hand, by contract: a key of the caller, and what of the subscription is given with it. */
  readonly chargesAsked = new Map<number, { key?: string; cameWith?: CameWith }>();
  readonly #events: EventRow[] = [];
  readonly #mails: MailRow[] = [];
  readonly #credits: object[] = [];
  readonly #stock = new Map<number, number>();
  readonly #attemptIds: number[] = [];
  readonly #unnumbered: { order: OrderRow; note: JsonObject }[] = [];

  private constructor(context: EngineContext, settings: EngineSettings) {
    this.context = context;
    this.settings = settings;
    this.zone = context.store.timezone;
    this.at = context.now();
    this.ids = new IdsAhead(context.trx);
  }
  static async open(context: EngineContext, settings?: EngineSettings): Promise<UnitOfWork> {
    return new UnitOfWork(context, settings ?? (await readSettings(context)));
  }

  /** Reads and locks contracts; those that do not exist are left out. */
  async load(ids: readonly number[], orderIds: readonly number[] = []): Promise<Aggregate[]> {
    const loaded = await loadAggregates(this.context.trx, this.context.storeId, ids, { lock: true, orderIds });
    for (const aggregate of loaded) this.add(aggregate);
    return loaded;
  }
  add(aggregate: Aggregate): void {
    this.aggregates.set(aggregate.contract.id, aggregate);
  }

  /** Reads the variants of contracts' lines; with `lock` their stock stays as it is until the work is written. */
  async loadVariants(aggregates: Iterable<Aggregate>, lock = false): Promise<void> {
    const wanted = new Set<number>();
    for (const { lines } of aggregates)
      for (const { variant_id } of lines) if (variant_id !== null && !this.variants.has(variant_id)) wanted.add(variant_id);
    if (wanted.size === 0) return;
    const rows = await prepared(sql<StockRow>`
      select id, product_id, price, inventory_management, inventory_policy, inventory_quantity, deleted_at from variants
      where store_id = ${this.context.storeId}::integer and id = any(${[...wanted]}::bigint[])
        order by id ${lock ? sql`for update` : sql``}`).execute(this.context.trx);
    for (const row of rows.rows) this.variants.set(row.id, row);
  }

  /** Makes sure that `attemptId` can hand out this many ids. */
  async reserveAttemptIds(count: number): Promise<void> {
    this.#attemptIds.push(
      ...(await newIds(this.context.trx, 'billing_attempts', count - this.#attemptIds.length > 0 ? count - this.#attemptIds.length : 0)),
    );
  }
  attemptId(): number {
    const id = this.#attemptIds.shift();
    if (id === undefined) throw new Error('Reserve ids of attempts before using them.');
    return id;
  }

  /** Who acts: the person of the store, or the name of the token; "" for the customer and for what happens by itself. */
  actor(): string {
    return actorOf(this.context);
  }

  /** Something happened to the contract: an entry of its activity, and what messages and others follow. */
  note<K extends EventKey>(subscription: Aggregate, key: K, payload: EventPayloads[K] = {}): JsonObject {
    const { source, storeId, noteData, mails } = this.context;
    const data: JsonObject = { ...(payload as JsonObject), ...noteData };
    this.#events.push({
      store_id: storeId,
      contract_id: subscription.contract.id,
      key,
      source,
      entity: this.actor(),
      data,
      messages: mails ?? 'ALL',
      created_at: this.at,
    });
    return data;
  }
  /** Gives a paid order its number and its public id in the store when this is written, and says them in its line of the log. */
  numberOrder(order: OrderRow, note: JsonObject): void {
    this.#unnumbered.push({ order, note });
  }
  /** Forgets what was noted, from a place on: a new contract has one beginning, however many steps made it. */
  clearNotes(from = 0): void {
    this.#events.length = from;
  }
  /** One line instead of the last ones, where an action on a contract made several: `key` with all of them under `events`. */
  joinNotes<K extends EventKey>(from: number, subscription: Aggregate, key: K, data: EventPayloads[K]): void {
    if (this.#events.length - from < 2) return;
    const events = this.#events.splice(from).map(one => ({ key: one.key, data: one.data }));
    this.note(subscription, key, { ...data, events } as EventPayloads[K]);
  }
  /** What was noted and is not written yet. */
  get notes(): readonly { key: EventKey; data: JsonObject }[] {
    return this.#events;
  }
  /** The e-mails that leave when this is written. */
  get letters(): readonly { recipient: string; subject: string }[] {
    return this.#mails;
  }
  /** Puts an e-mail into the outbox; one with the same `dedupeKey` goes out once. */
  mail(message: Message): void {
    this.#mails.push(mailRow(this.context.storeId, message, this.at));
  }
  /** Books prepaid deliveries and keeps the ledger; the balance never goes below zero. */
  credit(subscription: Aggregate, type: CreditEntry['type'], credits: number, orderId: number | null, reason: string): void {
    subscription.contract.prepaid_credits += credits;
    this.#credits.push({
      store_id: this.context.storeId,
      contract_id: subscription.contract.id,
      type,
      credits,
      balance_after: subscription.contract.prepaid_credits,
      order_id: orderId,
      reason,
      created_by: this.context.source === 'System' ? 'System' : this.context.userEmail,
      created_at: this.at,
    });
  }
  /** Takes pieces out of the stock of a variant (a negative number puts them back); variants that are not tracked have none. */
  takeStock(variantId: number | null, pieces: number): void {
    if (variantId === null || pieces === 0) return;
    const variant = this.variants.get(variantId);
    if (variant && !variant.inventory_management) return;
    if (variant) variant.inventory_quantity -= pieces;
    this.#stock.set(variantId, (this.#stock.get(variantId) ?? 0) + pieces);
  }

  /** Where the work stands, before one contract of many is changed. */
  mark(): UnitOfWorkMark {
    return {
      events: this.#events.length,
      mails: this.#mails.length,
      credits: this.#credits.length,
      stock: new Map(this.#stock),
      attempts: new Set(this.attempts.keys()),
      contracts: this.aggregates.size,
    };
  }
  /** Takes back contracts that were begun since the mark, with all that was noted: nothing of them is written. */
  forget(mark: UnitOfWorkMark): void {
    this.#events.length = mark.events;
    this.#mails.length = mark.mails;
    this.#credits.length = mark.credits;
    for (const id of [...this.aggregates.keys()].slice(mark.contracts)) this.aggregates.delete(id);
  }
  /** Takes back what was done to a contract since the mark, so that the others of the same work are not touched by its refusal. */
  undo(mark: UnitOfWorkMark, subscription: Aggregate): void {
    this.#events.length = mark.events;
    this.#mails.length = mark.mails;
    this.#credits.length = mark.credits;
    for (const [id, pieces] of this.#stock) {
      const back = pieces - (mark.stock.get(id) ?? 0);
      const variant = this.variants.get(id);
      if (variant) variant.inventory_quantity += back;
      this.#stock.set(id, pieces - back);
    }
    for (const id of this.attempts.keys()) if (!mark.attempts.has(id)) this.attempts.delete(id);
    if (!subscription.before.contract) return;
    subscription.contract = copyOf(subscription.before.contract);
    subscription.lines = [...subscription.before.lines.values()].map(copyOf);
    subscription.discounts = [...subscription.before.discounts.values()].map(copyOf);
    subscription.orders = [...subscription.before.orders.values()].map(copyOf);
    delete subscription.at;
  }

  /** Writes what changed; the work may go on with the same contracts. */
  async flush(): Promise<void> {
    const changed = await this.conclude();
    await this.write(changed);
    this.#settle(changed);
  }

  /** Gives contracts that changed a new version, fresh totals and dates, and answers which these are. */
  async conclude(): Promise<Aggregate[]> {
    await this.#numberOrders();
    const changed: Aggregate[] = [];
    const yieldTurn = yieldToEventLoop();
    for (const subscription of this.aggregates.values()) {
      await yieldTurn();
      if (!isChanged(subscription)) continue;
      keepHour(subscription, this.zone, this.settings.billingHour);
      syncSchedule(subscription, this.zone);
      if (touchesFacts(subscription)) refreshContract(subscription, this.settings.prepaidShippingCharge);
      subscription.contract.next_charge = nextCharge(subscription, this.zone, this.settings.prepaidShippingCharge);
      if (subscription.before.contract) subscription.contract.version = subscription.before.contract.version + 1;
      subscription.contract.updated_at = subscription.at ?? this.at;
      for (const order of subscription.orders)
        if (differs(subscription.before.orders.get(order.id), order)) order.updated_at = subscription.at ?? this.at;
      changed.push(subscription);
    }
    return changed;
  }

  async #numberOrders(): Promise<void> {
    const waiting = this.#unnumbered.splice(0).filter(({ order }) => order.status === 'PAID' && order.shopify_order_number === null);
    if (waiting.length === 0) return;
    const { rows } = await sql<{ number: number }>`select next_order_numbers(${waiting.length}::integer) as number`.execute(
      this.context.trx,
    );
    waiting.forEach(({ order, note }, i) => {
      const { number } = rows[i] as { number: number };
      order.shopify_order_number = note.shopifyOrderNumber = number;
      order.shopify_id = note.orderShopifyId = publicOrderId(number);
    });
  }

  /**
   * Writes what `conclude` gave and everything else that is new. All of it is sent in one batch and in this order, as
   * the caller may ask for more at once.
   */
  async write(changed: readonly Aggregate[]): Promise<void> {
    const { trx, storeId } = this.context;
    const created = changed.filter(subscription => !subscription.before.contract);
    const updated = changed.filter(subscription => subscription.before.contract);
    const attempts = [...this.attempts.values()];
    const finished = attempts.filter(({ row, before }) => before && differs(before, row));
    const moved = changed.filter(subscription => subscription.before.contract?.status !== subscription.contract.status);
    await Promise.all([
      insertMany(
        trx,
        'contracts',
        created.map(subscription => subscription.contract),
      ),
      updateMany(
        trx,
        'contracts',
        updated.map(subscription => subscription.contract),
        unionOf(updated.map(subscription => changedColumns(subscription.before.contract as object, subscription.contract))),
      ),
      this.#writeParts(
        changed,
        'contract_lines',
        subscription => subscription.lines,
        subscription => subscription.before.lines,
      ),
      this.#writeParts(
        changed,
        'contract_discounts',
        subscription => subscription.discounts,
        subscription => subscription.before.discounts,
      ),
      this.#writeParts(
        changed,
        'orders',
        subscription => subscription.orders,
        subscription => subscription.before.orders,
      ),
      insertMany(
        trx,
        'billing_attempts',
        attempts.filter(({ before }) => !before).map(({ row }) => row),
      ),
      updateMany(
        trx,
        'billing_attempts',
        finished.map(({ row }) => row),
        unionOf(finished.map(({ row, before }) => changedColumns(before as object, row))),
      ),
      insertMany(trx, 'credit_transactions', this.#credits),
      this.#writeStock(),
      forgetDeclined(this.context, changed),
      writeMovements(this.context, changed, this.at),
      addEvents(trx, this.#events),
      addMails(trx, this.#mails),
      retagCustomers(trx, storeId, [...new Set(moved.map(subscription => subscription.contract.customer_id))], this.settings.tags, this.at),
    ]);
  }

  #writeParts<T extends { store_id: number; id: number }>(
    aggregates: readonly Aggregate[],
    table: 'contract_lines' | 'contract_discounts' | 'orders',
    now: (subscription: Aggregate) => T[],
    before: (subscription: Aggregate) => Map<number, T>,
  ): Promise<unknown> {
    const { trx, storeId } = this.context;
    const added: T[] = [],
      kept: T[] = [],
      gone: number[] = [],
      columns: string[][] = [];
    for (const subscription of aggregates) {
      const old = before(subscription);
      const rows = now(subscription);
      for (const row of rows) {
        const was = old.get(row.id);
        if (!was) added.push(row);
        else if (hasChanged(was, row)) {
          kept.push(row);
          columns.push(changedColumns(was, row));
        }
      }
      if (old.size) {
        const present = new Set(rows.map(row => row.id));
        for (const id of old.keys()) if (!present.has(id)) gone.push(id);
      }
    }
    return Promise.all([
      deleteMany(trx, table, storeId, gone),
      insertMany(trx, table, added),
      updateMany(trx, table, kept, unionOf(columns)),
    ]);
  }

  async #writeStock(): Promise<unknown> {
    const changes = [...this.#stock].filter(([, pieces]) => pieces !== 0).sort(([a], [b]) => a - b);
    if (changes.length === 0) return undefined;
    const { trx, storeId } = this.context;
    const ids = changes.map(([id]) => id);
    return Promise.all([
      sql`select id from variants where store_id = ${storeId}::integer and id = any(${ids}::bigint[]) order by id for update`.execute(trx),
      sql`update variants v set inventory_quantity = v.inventory_quantity - d.pieces
        from unnest(${ids}::bigint[], ${changes.map(([, pieces]) => pieces)}::integer[]) as d(id, pieces)
        where v.store_id = ${storeId}::integer and v.id = d.id and v.inventory_management is not null`.execute(trx),
    ]);
  }

  #settle(changed: readonly Aggregate[]): void {
    for (const subscription of changed) {
      subscription.before = {
        contract: copyOf(subscription.contract),
        lines: new Map(subscription.lines.map(row => [row.id, copyOf(row)])),
        discounts: new Map(subscription.discounts.map(row => [row.id, copyOf(row)])),
        orders: new Map(subscription.orders.map(row => [row.id, copyOf(row)])),
      };
    }
    for (const entry of this.attempts.values()) entry.before = copyOf(entry.row);
    this.#events.length = this.#mails.length = this.#credits.length = 0;
    this.#stock.clear();
  }
}

const unionOf = (lists: readonly string[][]): string[] => [...new Set(lists.flat())];
