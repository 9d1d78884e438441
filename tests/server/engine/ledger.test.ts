// The ledger of movements against the subscriptions it tells of: random histories, other currencies, what may never be changed, and the fill.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { lineShares } from '../../../src/domain/money/line-shares.ts';
import { monthlyValue } from '../../../src/domain/money/metrics.ts';
import type { IntervalUnit } from '../../../src/domain/calendar/interval.ts';
import { swapLine, updateQuantity } from '../../../src/server/engine/edits/lines.ts';
import { cancel, fail, pause, reactivate, resume } from '../../../src/server/engine/status.ts';
import { measure } from '../../../src/server/platform/analytics/measure.ts';
import { convert, rateOfNow } from '../../../src/server/platform/records/exchange-rates.ts';
import { engines } from '../../support/database.ts';
import { randomFrom } from '../../support/random.ts';
import { eachShop } from './each-shop.ts';
import type { OrderRow } from '../../../src/server/engine/rows.ts';
import { DAY, type Shop } from './shop.ts';
import { randomAction } from './years/years-actions.ts';
import { clocksOf, randomContract } from './years/years-contracts.ts';

interface Row {
  contract_id: number;
  line_id: number | null;
  day: string;
  kind: string;
  source: string;
  status_before: string | null;
  status_after: string;
  row_no: number;
  mrr_before: number;
  mrr_after: number;
  booked_before: number;
  booked_after: number;
  product_id: number | null;
  runs_before: boolean;
  runs_after: boolean;
  completed_orders: number;
  is_estimated: boolean;
}
interface Span {
  contract_id: number;
  from_at: string;
  until_at: string;
  what: unknown[];
}
const migration = (name: string): string =>
  readFileSync(new URL(`../../../src/server/platform/db/migrations/${name}.sql`, import.meta.url), 'utf8');
const FILL_SPANS = /^insert into contract_spans[^;]*;/m.exec(migration('375-contract-spans'))?.[0] ?? '';
const FILL_RATES = [...migration('376-rates-of-the-day').matchAll(/^update [^;]*;/gm)].join('');
const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
const LOST = { reason: 'Too expensive', comment: null, source: 'MERCHANT', notifyCustomer: false } as const;

describe.each(engines)('the ledger of movements on %s', engine => {
  let shop: Shop;
  const database = eachShop(engine, opened => {
    shop = opened;
  });
  const ledger = async (contract?: number): Promise<Row[]> =>
    database.db.asOwner(async trx => {
      const { rows } = await sql<Row>`select *, to_char(day, 'YYYY-MM-DD') as day from movements where store_id = ${shop.storeId}::integer
        and (${contract ?? null}::bigint is null or contract_id = ${contract ?? null}::bigint)
        order by contract_id, change_no, row_no`.execute(trx);
      return rows;
    });
  const spansOf = async (): Promise<Span[]> => {
    const list = (name: string) => sql`to_jsonb(array(select unnest(${sql.ref(name)}) order by 1))`;
    const { rows } = await database.db.asOwner(trx =>
      sql<Span>`select contract_id, from_at::text, until_at::text, jsonb_build_array(country_code, frequency, is_prepaid,
          ${list('plan_group_ids')}, ${list('product_ids')}, ${list('variant_ids')}) as what
        from contract_spans where store_id = ${shop.storeId}::integer order by contract_id, contract_spans.from_at`.execute(trx),
    );
    return rows;
  };
  const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const change = (row: Row): number => row.mrr_after - row.mrr_before;
  const said = (rows: readonly Row[]) => rows.filter(row => row.row_no === 0).map(row => `${row.day} ${row.kind} by ${row.source}`);

  it('a life: each change is a row with its day of the store, who made it and what it changed', async () => {
    const id = await shop.contract({ first: '2026-02-10T14:00:00Z' });
    // In New York it is still the day before.
    shop.now = new Date('2026-01-16T03:00:00Z');
    await shop.act(id, 'updateQuantity', (work, x) => updateQuantity(work, x, { lineId: x.lines[0]!.id, quantity: 3 }));
    await shop.act(id, 'swapLine', (work, x) => swapLine(work, x, { lineId: x.lines[0]!.id, variantId: 1, quantity: 3 }), {
      source: 'Customer portal',
    });
    shop.now = new Date('2026-01-20T12:00:00Z');
    await shop.act(id, 'pause', (work, x) => pause(work, x, null), { source: 'Customer portal' });
    await shop.act(id, 'resume', (work, x) => resume(work, x, new Date('2026-02-10T14:00:00Z')));
    await shop.until('2026-02-11T00:00:00Z');
    await shop.act(id, 'cancel', (work, x) => cancel(work, x, LOST));
    await shop.act(id, 'reactivate', (work, x) => reactivate(work, x, new Date('2026-03-10T14:00:00Z')), { source: 'Flow' });
    await shop.act(id, 'chargeNow', (work, x) => fail(work, x, {}), { source: 'System' });
    const rows = await ledger(id);
    expect(said(rows)).toEqual([
      '2026-01-10 new by MERCHANT',
      '2026-01-15 expansion by MERCHANT',
      '2026-01-15 contraction by CUSTOMER',
      '2026-01-20 paused by CUSTOMER',
      '2026-01-20 resumed by MERCHANT',
      '2026-02-10 cancelled by MERCHANT',
      '2026-02-10 reactivated by FLOW',
      '2026-02-10 failed by DUNNING',
    ]);
    // A swap takes the one product out and puts the other in, so that products add up.
    expect(rows.filter(row => row.kind === 'contraction').map(row => [row.product_id, row.mrr_before, row.mrr_after])).toEqual([
      [2, 7200, 0],
      [1, 0, 3600],
    ]);
    expect(rows.map(row => row.completed_orders).slice(-3)).toEqual([1, 1, 1]);
    expect(sum(rows, change)).toBe(0);
    // What figures don't count leaves no row.
    const before = rows.length;
    await shop.act(id, 'updateTags', (_work, x) => (x.contract.tags = ['vip']));
    expect(await ledger(id)).toHaveLength(before);
  });

  it('a row is never changed or deleted, not by the application and not by the owner of the tables', async () => {
    await shop.contract();
    for (const statement of [sql`update movements set mrr_after = 0`, sql`delete from movements`]) {
      await expect(database.db.inStore(shop.storeId, trx => statement.execute(trx))).rejects.toThrow(/permission denied/);
      await expect(database.db.asOwner(trx => statement.execute(trx))).rejects.toThrow('never changed or deleted');
    }
  });

  it('another currency comes in at the rate of its day and leaves nothing behind when rates change', async () => {
    const rate = (usd: number) =>
      database.db.asOwner(trx =>
        sql`update stores set details = jsonb_set(details, '{usdRates,EUR}', ${usd}::numeric::text::jsonb)
          where id = ${shop.storeId}`.execute(trx),
      );
    const id = await shop.contract();
    await shop.act(id, 'pause', (work, x) => pause(work, x, null));
    await database.db.exec(`update contracts set currency_code = 'EUR' where store_id = ${shop.storeId}`);
    await shop.act(id, 'resume', (work, x) => resume(work, x, new Date('2026-03-10T14:00:00Z')));
    const first = (await ledger(id)).at(-1);
    expect([first?.mrr_after, first?.booked_after]).toEqual([2400, 2640]);
    await rate(1.3);
    await shop.act(id, 'updateQuantity', (work, x) => updateQuantity(work, x, { lineId: x.lines[0]!.id, quantity: 2 }));
    await rate(0.9);
    await shop.act(id, 'updateQuantity', (work, x) => updateQuantity(work, x, { lineId: x.lines[0]!.id, quantity: 1 }));
    await shop.act(id, 'pause', (work, x) => pause(work, x, null));
    await shop.act(id, 'resume', (work, x) => resume(work, x, new Date('2026-03-10T14:00:00Z')));
    await shop.act(id, 'cancel', (work, x) => cancel(work, x, LOST));
    const rows = await ledger(id);
    expect(rows.map(row => row.booked_after)).toEqual([2400, 0, 2640, 2640 + 3120, 2880, 0, 2160, 0]);
    expect(sum(rows, row => row.booked_after - row.booked_before)).toBe(0);
  });

  it('an order in another currency is worth what it was on its day, to the minor unit, whatever rates do later', async () => {
    const day = { startDate: '2026-02-10', endDate: '2026-02-10' };
    for (const [own, code, first, later] of [
      ['GBP', 'EUR', { GBP: 1.27, EUR: 1.1 }, { GBP: 1.31, EUR: 0.97 }],
      ['JPY', 'KWD', { JPY: 0.0067, KWD: 3.25 }, { JPY: 0.0071, KWD: 3.31 }],
      ['KWD', 'JPY', { JPY: 0.0067, KWD: 3.25 }, { JPY: 0.0071, KWD: 3.31 }],
      ['USD', 'SEK', { SEK: 0.096 }, { SEK: 0.111 }],
    ] as [string, string, Record<string, number>, Record<string, number>][]) {
      const rates = (of: Record<string, number>, currency = own) =>
        database.db
          .exec(`update stores set currency_code = '${currency}', details = jsonb_set(details, '{usdRates}', '${JSON.stringify(of)}')
          where id = ${shop.storeId}`);
      shop.now = new Date('2026-01-10T15:00:00Z');
      await rates(first, 'USD');
      const id = await shop.contract({ first: '2026-02-10T14:00:00Z' });
      await database.db.exec(`update contracts set currency_code = '${code}', version = version + 1, updated_at = '2026-01-11'
        where store_id = ${shop.storeId} and id = ${id}`);
      await rates(first);
      await shop.until('2026-02-11T12:00:00Z');
      const [order] = (await shop.orders(id)).filter(one => one.status === 'PAID');
      const figures = () =>
        database.db.asOwner(async trx => {
          const store = await trx.selectFrom('stores').selectAll().where('id', '=', shop.storeId).executeTakeFirstOrThrow();
          const asking = { trx, store: store as never, now: shop.now, filters: { currency: [code] } };
          const sum = async (fact: string, name: string): Promise<number> =>
            (await measure(asking, [{ fact, measure: name, when: {}, at: 'end', times: 1, minus: false }], day))[0]?.sums[0] ?? 0;
          return [await sum('order', 'revenue'), await sum('payment', 'amount'), await sum('attempt', 'amount')];
        });
      const worth = convert({ currency_code: own, details: { usdRates: first } }, order!.total, code, own);
      expect(worth).toBeGreaterThan(10);
      expect([own, ...(await figures())]).toEqual([own, worth, worth, worth]);
      // A movement of that day: the ledger has its rate.
      shop.now = new Date('2026-02-10T16:00:00Z');
      await shop.act(id, 'updateQuantity', (work, x) => updateQuantity(work, x, { lineId: x.lines[0]!.id, quantity: 2 }));
      await rates(later);
      await shop.until('2026-03-11T12:00:00Z');
      expect([own, ...(await figures())]).toEqual([own, worth, worth, worth]);
      const paid = async (): Promise<OrderRow[]> => (await shop.orders(id)).filter(one => one.status === 'PAID');
      const kept = [first, later].map(usdRates => rateOfNow({ currency_code: own, details: { usdRates } }, code));
      expect((await paid()).map(one => one.rate)).toEqual(kept);
      // The migration finds it, for orders from before rates were kept; where no rate of the day is known, it says so.
      await database.db.exec(`update orders set rate = null; update billing_attempts set rate = null; ${FILL_RATES}`);
      expect([own, ...(await figures())]).toEqual([own, worth, worth, worth]);
      expect((await paid()).map(one => one.is_estimated)).toEqual([false, own !== 'USD']);
      await database.db.exec(`update contracts set status = 'CANCELLED', next_billing_at = null where store_id = ${shop.storeId}`);
    }
  });

  it('the database converts by a kept rate as the formulas do', async () => {
    const random = randomFrom(7);
    const cases = Array.from({ length: 400 }, () => {
      const [own, code] = random.pick([
        ['USD', 'EUR'],
        ['JPY', 'KWD'],
        ['KWD', 'JPY'],
        ['GBP', 'SEK'],
      ] as const);
      const usdRates = { [own]: random.between(1, 400) / 100, [code]: random.between(1, 40_000) / 10_000 };
      const store = { currency_code: own, details: { usdRates } };
      const amount = random.between(1, random.pick([50, 100_000_000]));
      return { amount, code, rate: rateOfNow(store, code), own, is: convert(store, amount, code, own) };
    });
    const { rows } = await database.db.asOwner(trx =>
      sql`select c.*, booked(c.amount, c.code, c.rate, c.own) as found from jsonb_to_recordset(${JSON.stringify(cases)}::jsonb)
        as c (amount bigint, code text, rate numeric, own text, "is" bigint)
        where booked(c.amount, c.code, c.rate, c.own) <> c.is`.execute(trx),
    );
    expect(rows).toEqual([]);
  });

  it('over random histories it is what the subscriptions are, day by day, and a day that is over never changes', async () => {
    const random = randomFrom(engine === 'embedded' ? 41 : 42);
    const zone = 'America/New_York';
    const ids: number[] = [];
    let closed: string | undefined;
    const fixed = new Map<string, string>();
    let spans: Span[] = [];
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 3; n++) ids.push(await randomContract(shop, random, { currency: 'USD', zone, clocks: clocksOf(random) }));
      for (let n = 0; n < 10; n++) await randomAction(shop, random, await shop.get(random.pick(ids)));
      for (let n = 0; n < 4; n++) {
        shop.now = new Date(shop.now.getTime() + 60_000);
        await shop.act(random.pick(ids), 'updateTags', (_, x) => (x.contract.country_code = random.pick(['US', 'CA', 'DE'])));
      }
      const before = spans;
      spans = await spansOf();
      for (const id of ids) {
        const own = spans.filter(one => one.contract_id === id);
        // One after the other without a gap, and the last is what the subscription is.
        expect([own[0]?.from_at, ...own.slice(1).map(one => one.from_at)]).toEqual([
          '-infinity',
          ...own.slice(0, -1).map(one => one.until_at),
        ]);
        const { contract: c } = await shop.get(id);
        expect(own.at(-1)).toMatchObject({
          until_at: 'infinity',
          what: [c.country_code, c.frequency, c.is_prepaid, sorted(c.plan_group_ids), sorted(c.product_ids), sorted(c.variant_ids)],
        });
      }
      // What is over stays: what followed it is all that a later change can say.
      expect(spans.filter(({ until_at: until }) => until !== 'infinity')).toEqual(
        expect.arrayContaining(before.filter(({ until_at: until }) => until !== 'infinity')),
      );
      const rows = await ledger();
      for (const id of ids) {
        const { contract, lines } = await shop.get(id);
        const own = rows.filter(row => row.contract_id === id);
        expect(own.at(-1)?.status_after).toBe(contract.status);
        const recurring = lines.filter(line => !line.one_time_added).sort((a, b) => a.position - b.position || a.id - b.id);
        const worth = monthlyValue(
          contract.recurring_charge ?? contract.subtotal,
          contract.billing_interval as IntervalUnit,
          contract.billing_interval_count,
        );
        const shares = contract.status === 'ACTIVE' ? lineShares(worth, recurring) : recurring.map(() => 0);
        expect(sum(own, change), `MRR of ${id}`).toBe(contract.status === 'ACTIVE' ? worth : 0);
        for (const [i, line] of recurring.entries())
          expect(
            sum(
              own.filter(row => row.line_id === line.id),
              change,
            ),
            `MRR of line ${line.id}`,
          ).toBe(shares[i]);
        expect(
          sum(own, row => Number(row.runs_after) - Number(row.runs_before)),
          `lines of ${id}`,
        ).toBe(['ACTIVE', 'PAUSED'].includes(contract.status) ? recurring.length : 0);
      }
      const { rows: days } = await database.db.asOwner(trx =>
        sql<{ day: string; kind: string; same: boolean; text: string }>`
          select to_char(day, 'YYYY-MM-DD') as day, kind,
            d.n = m.n and d.running = m.running and d.active = m.active and d.mrr = m.mrr as same,
            concat_ws(' ', m.n, m.running, m.active, m.mrr) as text
          from (select day, kind, sum(movements) as n, sum(running) as running, sum(active) as active, sum(mrr) as mrr from movement_days
            where store_id = ${shop.storeId}::integer group by 1, 2) d
          full join (select day, kind, count(*) filter (where row_no = 0) as n,
              sum((status_after in ('ACTIVE', 'PAUSED'))::int - coalesce((status_before in ('ACTIVE', 'PAUSED'))::int, 0))
                filter (where row_no = 0) as running,
              sum((status_after = 'ACTIVE')::int - coalesce((status_before = 'ACTIVE')::int, 0)) filter (where row_no = 0) as active,
              sum(booked_after - booked_before) as mrr
            from movements where store_id = ${shop.storeId}::integer group by 1, 2) m using (day, kind)`.execute(trx),
      );
      expect(days.filter(({ same }) => !same)).toEqual([]);
      for (const { day, kind, text } of days)
        if (closed !== undefined && day <= closed) {
          const key = `${day} ${kind}`;
          if (fixed.has(key)) expect(text, key).toBe(fixed.get(key));
          fixed.set(key, text);
        }
      closed = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(shop.now);
      await shop.until(new Date(shop.now.getTime() + random.between(3, 12) * DAY));
    }
    expect(fixed.size).toBeGreaterThan(5);
    expect(spans.length).toBeGreaterThan(ids.length + 5);
    // The migration finds the same in the ledger, but for what changed while nothing ran.
    await database.db.exec(`delete from contract_spans; ${FILL_SPANS}`);
    const filled = await spansOf();
    const ended = new Set((await ledger()).filter(row => !['ACTIVE', 'PAUSED'].includes(row.status_after)).map(row => row.contract_id));
    const ofRunning = (all: Span[]): unknown[] =>
      all
        .filter((one, i) => !ended.has(one.contract_id) && (one.from_at === '-infinity' || !isDeepStrictEqual(one.what, all[i - 1]?.what)))
        .map(one => [one.contract_id, one.from_at, one.what]);
    expect(ofRunning(filled)).toEqual(ofRunning(spans));
    expect(new Set(filled.map(one => one.contract_id))).toEqual(new Set(spans.map(one => one.contract_id)));
    expect(filled.length).toBeGreaterThan(ids.length);
  });

  it('subscriptions without movements get theirs out of the log, and it says that their worth is that of now', async () => {
    const id = await shop.contract({ lines: [1, 2].map(variantId => ({ variantId, quantity: 1, discountType: 'NONE' as const })) });
    for (const day of ['2026-01-15', '2026-01-18', '2026-01-21']) {
      shop.now = new Date(`${day}T12:00:00Z`);
      await shop.act(id, day.endsWith('18') ? 'resume' : 'pause', (work, x) =>
        x.contract.status === 'PAUSED' ? resume(work, x, new Date('2026-02-10T14:00:00Z')) : pause(work, x, null),
      );
    }
    await shop.act(id, 'cancel', (work, x) => cancel(work, x, LOST));
    const copy = id + 500;
    await database.db.asOwner(async trx => {
      for (const [table, columns] of [
        ['contracts', { id: copy, shopify_id: copy }],
        ['contract_lines', null],
        ['events', null],
      ] as const)
        await sql`insert into ${sql.table(table)} select (jsonb_populate_record(r, ${JSON.stringify(
          columns ?? { contract_id: copy },
        )}::jsonb || ${columns ? sql`'{}'` : sql`jsonb_build_object('id', r.id + 100000)`}::jsonb)).* from ${sql.table(table)} r
          where r.store_id = ${shop.storeId}::integer and ${columns ? sql`r.id` : sql`r.contract_id`} = ${id}::bigint`.execute(trx);
      await sql`select fill_movements(${shop.storeId}::integer)`.execute(trx);
      // Once more changes nothing.
      await sql`select fill_movements(${shop.storeId}::integer)`.execute(trx);
    });
    const [own, filled] = [await ledger(id), await ledger(copy)];
    const shown = (rows: readonly Row[]) =>
      rows.map(row => [row.day, row.kind, row.source, row.status_before, row.status_after, row.mrr_before, row.mrr_after, row.product_id]);
    expect(shown(filled)).toEqual(shown(own).map(row => (row[1] === 'new' ? row.with(2, 'MERCHANT') : row)));
    expect([...new Set(filled.map(row => row.is_estimated))]).toEqual([true]);
    expect([...new Set(own.map(row => row.is_estimated))]).toEqual([false]);
  });
});
