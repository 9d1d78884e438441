// What every action of schemas/actions does to a subscription in every state, on every surface that runs actions: the outcome, the notes and
// the changed rows are those that are recorded in actions-recorded.json. Record them again with RECORD=1 after a change that is intended.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { ACTION_KINDS, type ActionKey } from '../../../src/generated/actions.ts';
import { act } from '../../../src/server/engine/actions/act.ts';
import { loadAggregates } from '../../../src/server/engine/aggregate.ts';
import { erasedEmail } from '../../../src/server/engine/erased.ts';
import type { EngineContext } from '../../../src/server/engine/context.ts';
import { addDiscount } from '../../../src/server/engine/edits/discounts.ts';
import { updateAttributes } from '../../../src/server/engine/edits/details.ts';
import { skipOrder } from '../../../src/server/engine/edits/orders.ts';
import { cancel, pause } from '../../../src/server/engine/status.ts';
import { runAction } from '../../../src/server/engine/actions/run-action.ts';
import { doAction } from '../../../src/server/features/flows/actions.ts';
import { handlerOfCall } from '../../../src/server/engine/actions/call-of-action.ts';
import { Refusal } from '../../../src/server/platform/context.ts';
import type { Database } from '../../../src/server/platform/db/database.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import { ADDRESS, DAY, definitions, type Shop } from './shop.ts';

const FILE = fileURLToPath(new URL('actions-recorded.json', import.meta.url));
const NOW = '2026-01-10T15:00:00Z';
const inDays = (days: number): number => (new Date(NOW).getTime() + days * DAY) / 1000;

/** What the form of each action is filled in with: an input that changes an active subscription, and one that its code looks at closer. */
const INPUTS: Partial<Record<ActionKey, JsonObject[]>> = {
  ADD_DISCOUNT: [
    { kind: 'MANUAL', title: 'Thanks', type: 'PERCENTAGE', value: '10', targetType: 'LINE_ITEM' },
    { kind: 'CODE', code: 'OLD' },
  ],
  ADD_ORDER_NOTE: [{ note: 'Ring the bell' }],
  ADD_PRODUCT: [
    { variantId: 3, quantity: 2, type: 'RECURRING', discountType: 'NONE' },
    { variantId: 5, quantity: 1, type: 'ONE_TIME', discountType: 'NONE' },
  ],
  ASSIGN_BACKUP_PAYMENT: [{}],
  CANCEL_SUBSCRIPTION: [{ cancellationReason: 'Other', cancellationComment: 'Moved', notify: true }],
  CHARGE_ORDER: [{ which: 'NEXT', keepSchedule: true }, { which: 'FAILED' }, { which: 'OVERDUE' }],
  EXPORT_SUBSCRIPTION: [{ columns: ['id', 'status'] }],
  HOLD_FOR_HOLIDAY: [
    { from: inDays(1), until: inDays(60), note: 'By the sea', notify: true },
    { from: inDays(1), until: inDays(2) },
  ],
  PAUSE_SUBSCRIPTION: [
    { until: 'DURATION', intervalCount: 2, intervalType: 'WEEK', notify: true },
    { until: 'INDEFINITE' },
    { until: 'DATE', resumeDateEpoch: inDays(20) },
  ],
  REACTIVATE_SUBSCRIPTION: [{ from: 'INTERVAL' }, { from: 'DATE', nextBillingDateEpoch: inDays(9), notify: true }],
  RECALCULATE_DISCOUNT: [{}],
  REMOVE_DISCOUNT: [{ which: 'TITLE', title: 'sorry' }, { which: 'ALL' }],
  REMOVE_PRODUCT: [{ variantId: 1 }, { variantId: 4 }],
  RESCHEDULE: [
    { mode: 'DAYS', days: 3, scope: 'ALL' },
    { mode: 'DATE', nextBillingDateEpoch: inDays(20), scope: 'NEXT', notify: true },
    { mode: 'WEEKDAY', weekday: 3, scope: 'ALL' },
  ],
  RESUME_SUBSCRIPTION: [{ from: 'INTERVAL' }, { from: 'DATE', nextBillingDateEpoch: inDays(12), notify: true }],
  SEND_PAYMENT_UPDATE_EMAIL: [{}],
  SEND_PORTAL_LINK: [{}],
  SKIP_ORDER: [{ count: 2 }, { count: 1, notify: true }],
  SWAP_PRODUCT: [{ variantIds: [2], toVariantId: 3, quantityRule: 'KEEP', priceRule: 'STORE' }],
  UNSKIP_ORDER: [{ count: 1 }],
  UPDATE_ATTRIBUTES: [
    { mode: 'ADD', customAttributes: [{ key: 'size', value: 'M' }] },
    { mode: 'REMOVE', names: ['colour'] },
  ],
  UPDATE_DELIVERY_METHOD: [{ optionCode: 'EXPRESS' }, { optionCode: 'BY_ROCKET' }],
  UPDATE_FREQUENCY: [{ billingPolicy: { interval: 'WEEK', intervalCount: 2 }, discountType: 'OLD' }],
  UPDATE_MIN_MAX_CYCLES: [{ minCycles: 2, maxCycles: 6 }],
  UPDATE_NOTE: [
    { mode: 'ADD', note: 'Then wait' },
    { mode: 'REPLACE', note: 'Ring twice' },
  ],
  UPDATE_PRICE: [
    { products: 'ONE', variantId: 2, rule: 'PERCENT', percent: 10, rounding: 'ENDING_99' },
    { products: 'ALL', rule: 'STORE' },
  ],
  UPDATE_QUANTITY: [{ variantId: 2, quantity: 5 }],
  UPDATE_SELLING_PLAN: [{ sellingPlanId: 4711 }],
  UPDATE_SHIPPING_PRICE: [{ rule: 'AMOUNT', deliveryPrice: '3.25' }, { rule: 'RECOMPUTE' }],
  UPDATE_TAGS: [
    { mode: 'ADD', tags: ['gold'] },
    { mode: 'REMOVE', tags: ['VIP'] },
  ],
};

/** What the call of the record is given, where an action has a call of the table of subscriptions that can be tried without a charge. */
const RECORD: Partial<Record<ActionKey, JsonObject>> = {
  ADD_DISCOUNT: INPUTS.ADD_DISCOUNT?.[0],
  ADD_ORDER_NOTE: INPUTS.ADD_ORDER_NOTE?.[0],
  ADD_PRODUCT: INPUTS.ADD_PRODUCT?.[0],
  CANCEL_SUBSCRIPTION: { cancellationReason: 'Other', notifyCustomer: true },
  HOLD_FOR_HOLIDAY: { from: inDays(1), until: inDays(40) },
  PAUSE_SUBSCRIPTION: INPUTS.PAUSE_SUBSCRIPTION?.[0],
  REACTIVATE_SUBSCRIPTION: { nextBillingDateEpoch: inDays(9) },
  REMOVE_PRODUCT: { lineId: 0 },
  RESCHEDULE: { nextBillingDateEpoch: inDays(12) },
  RESUME_SUBSCRIPTION: { nextBillingDateEpoch: inDays(12) },
  SKIP_ORDER: {},
  SWAP_PRODUCT: { lineId: 0, variantId: 3, quantity: 1 },
  UNSKIP_ORDER: { orderId: 0 },
  UPDATE_ATTRIBUTES: { customAttributes: [{ key: 'size', value: 'M' }] },
  UPDATE_DELIVERY_METHOD: { optionCode: 'EXPRESS', address: ADDRESS },
  UPDATE_FREQUENCY: { billingPolicy: { interval: 'WEEK', intervalCount: 2 } },
  UPDATE_NOTE: { note: 'Ring twice' },
  UPDATE_PRICE: { lineId: 0, price: '9.00' },
  UPDATE_QUANTITY: { lineId: 0, quantity: 5 },
  UPDATE_SELLING_PLAN: { sellingPlanId: 4711 },
  UPDATE_SHIPPING_PRICE: { deliveryPrice: '3.25' },
  UPDATE_TAGS: { tags: ['gold'] },
};

const OF_CONTRACT = ['contract_lines', 'contract_discounts', 'orders', 'billing_attempts', 'events', 'outbox'] as const;
type Rows = Record<string, JsonObject>;

/** Everything that the store holds of a subscription, by table and row. */
async function rowsOf({ trx, storeId }: EngineContext, id: number): Promise<Rows> {
  const rows: Rows = {};
  const contract = await trx
    .selectFrom('contracts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  rows.contract = JSON.parse(JSON.stringify(contract)) as JsonObject;
  for (const table of OF_CONTRACT) {
    const found = await trx
      .selectFrom(table)
      .selectAll()
      .where('store_id', '=', storeId)
      .where('contract_id', '=', id)
      .orderBy('id')
      .execute();
    // Texts of e-mails are the templates' subject; numbers of new rows depend on what ran before.
    found.forEach((row, at) => {
      const { text: _text, html: _html, ...plain } = JSON.parse(JSON.stringify(row)) as JsonObject;
      rows[`${table} ${at + 1}`] = table === 'events' || table === 'outbox' || table === 'billing_attempts' ? { ...plain, id: 0 } : plain;
    });
  }
  return rows;
}

/** What differs, as lines: "contract.status: ACTIVE → PAUSED", "+ orders 1: …". */
function differences(before: Rows, after: Rows): string[] {
  const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 400);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const [was, is] = [before[key], after[key]];
    if (!is) return [`- ${key}`];
    if (!was) return [`+ ${key}: ${JSON.stringify(Object.fromEntries(Object.entries(is).filter(([, value]) => value !== null)))}`];
    return Object.keys(is).flatMap(name =>
      JSON.stringify(was[name]) === JSON.stringify(is[name]) ? [] : [`${key}.${name}: ${shown(was[name])} → ${shown(is[name])}`],
    );
  });
}

interface Surface {
  /** Whether an action, with its input of this number, is tried there. */
  isFor(key: ActionKey, index: number): boolean;
  /** Does it; gives the outcome in words. */
  run(context: EngineContext, key: ActionKey, id: number, input: JsonObject): Promise<string>;
}
const full = (context: EngineContext) => ({ ...context, definitions });
const inWords = ({ status, sentence, pending }: Awaited<ReturnType<typeof runAction>>): string =>
  `${status}: ${sentence}${pending ? ' (charge)' : ''}`;
const triedCall = (key: ActionKey) => handlerOfCall({ name: ACTION_KINDS[key].call ?? '' })?.acting;
const SURFACES: Record<string, Surface> = {
  bulk: {
    isFor: () => true,
    run: async (context, key, id, input) => inWords(await runAction(full(context), key, id, input, { source: 'System' })),
  },
  link: {
    isFor: (_key, index) => index === 0,
    run: async (context, key, id, input) =>
      inWords(await runAction(full(context), key, id, input, { source: 'Customer portal', mails: 'ALL', noteData: { linkId: '1' } })),
  },
  flow: {
    isFor: key => ACTION_KINDS[key].in.flow !== undefined,
    run: async (context, key, id, input) => {
      const { status, message } = await doAction(context, id, { action: key, input }, { flowId: '1' });
      return `${status}: ${message ?? ''}`;
    },
  },
  record: {
    isFor: (key, index) => index === 0 && RECORD[key] !== undefined && triedCall(key) !== undefined,
    run: async (context, key, id) => {
      const [ofRecord, tried] = [RECORD[key] as JsonObject, triedCall(key)!];
      const [loaded] = await loadAggregates(context.trx, context.storeId, [id], { lock: false });
      const lineId = loaded?.lines.find(line => line.variant_id === 2)?.id ?? 0;
      const orderId = loaded?.orders.find(order => order.status === 'SKIPPED')?.id ?? 0;
      const given = { id, ...ofRecord, ...('lineId' in ofRecord ? { lineId } : {}), ...('orderId' in ofRecord ? { orderId } : {}) };
      await act(context, id, { action: tried.action, orderIds: 'orderId' in ofRecord ? [orderId] : [] }, (work, on) =>
        tried.work(work, on, given as never, context as never),
      );
      return 'DONE';
    },
  },
};

interface Scene {
  shop: Shop;
  db: Database;
}
const set = ({ shop, db }: Scene, id: number, columns: string): Promise<unknown> =>
  db.ownerQuery(`update contracts set ${columns} where store_id = $1 and id = $2`, [shop.storeId, id]);
/** One subscription in each state, with two products, a discount, a tag, an attribute and a note. */
const STATES: Record<string, (scene: Scene, id: number) => Promise<unknown>> = {
  ACTIVE: async () => undefined,
  SKIPPED: ({ shop }, id) => shop.act(id, 'skipOrder', (work, on) => skipOrder(work, on, {})),
  PAUSED: ({ shop }, id) => shop.act(id, 'pause', (work, on) => pause(work, on, null)),
  CANCELLED: ({ shop }, id) =>
    shop.act(id, 'cancel', (work, on) => cancel(work, on, { reason: 'Other', comment: null, source: 'MERCHANT', notifyCustomer: false })),
  EXPIRED: (scene, id) =>
    set(scene, id, "status = 'EXPIRED', expired_at = '2026-01-09T00:00:00Z', max_cycles = 1, completed_orders = 1, next_billing_at = null"),
  FAILED: (scene, id) => set(scene, id, "status = 'FAILED', last_payment_status = 'FAILED', next_billing_at = null"),
  CHARGED: async ({ shop, db }, id) =>
    db.ownerQuery(
      `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, created_at,
        currency_code) select store_id, $2 * 10000 + 9, id, customer_id, next_cycle, 1, 'PROCESSING', next_billing_at, next_billing_at, next_billing_at,
        '2026-01-10T14:59:00Z', currency_code from contracts where store_id = $1 and id = $2`,
      [shop.storeId, id],
    ),
  ERASED: (scene, id) => set(scene, id, `customer_email = '${erasedEmail(1)}'`),
};

let shop: Shop;
const shops = eachShop(
  oneEngine[0]!,
  given => {
    shop = given;
  },
  NOW,
);

it('every action in every state, on every surface, does and refuses what is recorded', { timeout: 300_000 }, async () => {
  await shop.settings('general', {});
  const of: Record<string, number> = {};
  for (const [state, move] of Object.entries(STATES)) {
    const id = await shop.contract({
      first: '2026-02-09T15:00:00Z',
      backup: 'tok_success',
      lines: [
        { variantId: 2, quantity: 1, discountType: 'NONE' },
        { variantId: 1, quantity: 3, discountType: 'NONE' },
      ],
    });
    await shop.act(id, 'addDiscount', (work, on) =>
      addDiscount(work, on, { title: 'Sorry', type: 'PERCENTAGE', value: '20', targetType: 'LINE_ITEM' }),
    );
    await shop.act(id, 'updateCustomAttributes', (work, on) =>
      updateAttributes(work, on, { customAttributes: [{ key: 'colour', value: 'green' }] }),
    );
    await set({ shop, db: shops.db }, id, "tags = '{VIP}', note = 'Side door'");
    await move({ shop, db: shops.db }, id);
    of[state] = id;
  }
  const before = Object.fromEntries(
    await Promise.all(Object.entries(of).map(async ([state, id]) => [state, await shop.as()(context => rowsOf(context, id))] as const)),
  );
  const recorded: Record<string, string[]> = {};
  const offered = Object.values(ACTION_KINDS).filter(kind => Object.keys(kind.in).some(place => place !== 'record'));
  for (const { key } of offered)
    for (const [index, input] of (INPUTS[key] ?? []).entries())
      for (const [state, id] of Object.entries(of))
        for (const [surface, { run, isFor }] of Object.entries(SURFACES)) {
          if (!isFor(key, index)) continue;
          const takeBack = new Error('taken back');
          let lines: string[] = [];
          await shop
            .as()(async context => {
              let outcome: unknown;
              try {
                outcome = await run(context, key, id, input);
              } catch (error) {
                if (!(error instanceof Refusal)) throw error;
                outcome =
                  `REFUSED ${error.status}: ${error.message} ${(error.errors ?? []).map(one => `${one.pointer} ${one.message}`).join('; ')}`.trim();
              }
              lines = [String(outcome), ...differences(before[state] as Rows, await rowsOf(context, id))];
              throw takeBack;
            })
            .catch((error: unknown) => {
              if (error !== takeBack) throw new Error(`${key} ${index + 1} ${state} ${surface}`, { cause: error });
            });
          recorded[`${key} ${index + 1} · ${state} · ${surface}`] = lines;
        }
  if (process.env.RECORD) writeFileSync(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
  const wanted = JSON.parse(readFileSync(FILE, 'utf8')) as typeof recorded;
  expect(Object.keys(recorded)).toEqual(Object.keys(wanted));
  const other = Object.keys(wanted).filter(key => JSON.stringify(wanted[key]) !== JSON.stringify(recorded[key]));
  expect(other.slice(0, 5).map(key => ({ key, was: wanted[key], is: recorded[key] }))).toEqual([]);
});
