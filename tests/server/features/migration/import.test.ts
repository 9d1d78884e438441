// Subscriptions of another app in a CSV file: the dry run, the import, and taking it back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, JsonObject, Schema } from '../../../../src/contract/types.ts';
import { isoDay } from '../../../../src/domain/calendar/calendar.ts';
import { deliverAll } from '../../../support/events.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { file, FOREIGN, goodRow, Imports, inDays, soldVariants, type Row, type Sold } from './helpers.ts';

describe('importing subscriptions', () => {
  let server: TestServer;
  let imports: Imports;
  let variants: Sold[];
  beforeAll(async () => {
    server = await startTestServer({ jobs: true, config: { workers: 0 }, seed: { contracts: 20, stores: 1 } });
    imports = new Imports(server);
    variants = await soldVariants(server.services.db);
  });
  afterAll(() => server?.close());
  const good = (n: number | string, over: Row = {}): Row => goodRow(n, variants[0] as Sold, over);
  const contractOf = async (externalId: string) =>
    (await imports.query('select * from contracts where store_id = 1 and external_id = $1', [externalId]))[0];

  test('columns are guessed by the names of other apps; what is not known is chosen by hand, each field once', async () => {
    const content = file([good('map')], [...Object.keys(FOREIGN).filter(head => head !== 'Email'), 'Kundenpost', 'Loyalty tier']).replace(
      /,,\r?\n$/,
      ',mara@elsewhere.example,gold\r\n',
    );
    const chosen = await imports.checked(content);
    const columns = chosen.mapping as JsonObject[];
    expect(Object.fromEntries(columns.map(({ head, field }) => [head, field]))).toEqual({
      ...Object.fromEntries(Object.entries(FOREIGN).filter(([head]) => head !== 'Email')),
      Kundenpost: null,
      'Loyalty tier': null,
    });
    expect(columns.at(-1)).toEqual({ head: 'Loyalty tier', sample: 'gold', field: null });
    const refused = await server.call('subscription-imports.start', { id: chosen.id });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('No column says customer_email. Choose the columns first.');

    const set = (over: Record<string, string>) =>
      server.call('subscription-imports.setColumns', {
        id: chosen.id,
        mapping: columns.map(column => ({ ...column, field: over[String(column.head)] ?? column.field })) as JsonObject[],
      });
    const twice = await set({ Kundenpost: 'external_id' });
    expect(twice.status).toBe(422);
    expect(twice.body.errors).toMatchObject([
      { message: 'The column “Subscription ID” is read as this already. Choose something else for one of them.' },
    ]);
    expect((await set({ Kundenpost: 'customer_email' })).status).toBe(200);
    expect(await imports.work(chosen.id)).toMatchObject({ status: 'READY', total: 1, importable: 1, subscriptions: 1, failed: 0 });
    await imports.move('start', chosen.id);
    await imports.work(chosen.id);
    expect(await contractOf('sub-map')).toMatchObject({ customer_email: 'mara@elsewhere.example' });
  });

  test('a file that a spreadsheet saved keeps zeros and plus signs, and no apostrophe that guarded them', async () => {
    const heads = [...Object.keys(FOREIGN), 'Customer phone'];
    const row: Record<string, string> = { ...good('guards'), 'Shipping zip': '="02134"', 'Shipping province': 'MA', 'First name': "'=Noa" };
    row['Customer phone'] = "'+16175550100";
    const content = `sep=;\r\n${heads.join(';')}\r\n${heads.map(head => row[head] ?? '').join(';')}\r\n`;
    const chosen = await imports.checked(content);
    const mapping = (chosen.mapping as JsonObject[]).map(one =>
      one.head === 'Customer phone' ? { ...one, field: 'customer_phone' } : one,
    );
    expect((await server.call('subscription-imports.setColumns', { id: chosen.id, mapping })).status).toBe(200);
    expect(await imports.work(chosen.id)).toMatchObject({ status: 'READY', importable: 1, failed: 0 });
    await imports.move('start', chosen.id);
    await imports.work(chosen.id);
    const [customer] = await imports.query(`select first_name, phone from customers where email = 'person-guards@elsewhere.example'`);
    expect(customer).toEqual({ first_name: '=Noa', phone: '+16175550100' });
    expect(JSON.stringify(await contractOf('sub-guards'))).toContain('"02134"');
  });

  test('every call that takes a file refuses one whose letters were lost, and says where', async () => {
    const heads = ['subscription_id', 'external_id', 'Handle', 'Title', 'Category', 'Key', 'Translation'];
    const content = `${heads.join(',')}\n1,1,a,b,general,pause,x\n2,2,b,Caf\uFFFD,general,skip,Caf\uFFFD\n`;
    // Pictures are written in base64, which has a pattern.
    const isFile = (schema?: Schema): boolean => (schema?.maxLength ?? 0) >= 1_000_000 && schema?.pattern === undefined;
    const members = (call: Call): [string, Schema][] => [
      ...call.in.map(({ name, schema }): [string, Schema] => [name, schema]),
      ...Object.entries(call.body?.properties ?? {}),
    ];
    const inputs: [string, JsonObject][] = Object.values(server.services.definitions.calls).flatMap(call =>
      members(call).flatMap(([name, schema]): [string, JsonObject][] => {
        if (isFile(schema)) return [[call.name, { fileName: 'a.csv', [name]: content }]];
        if (!isFile(schema.properties?.content)) return [];
        const value: JsonObject = schema.properties?.mode ? { mode: 'CSV', fileName: 'a.csv', content } : { name: 'a.csv', content };
        return [[call.name, { actionKey: 'PAUSE_SUBSCRIPTION', input: { until: 'INDEFINITE' }, [name]: value }]];
      }),
    );
    const names = inputs.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['product-import.preview', 'subscription-imports.create', 'texts.importFile']));
    for (const [name, input] of inputs) {
      const call = server.services.definitions.calls[name] as Call;
      const takes = new Set(members(call).map(([member]) => member));
      const given = Object.fromEntries(Object.entries(input).filter(([key]) => takes.has(key)));
      const { body } = await server.call(name, takes.has('localeStoreId') ? { ...given, localeStoreId: 'en' } : given);
      expect([name, JSON.stringify(body)]).toEqual([name, expect.stringContaining('Row 3, column “Title”: a letter was lost')]);
    }
  });

  test('the example file holds products of the store and can be imported and undone as it is', async () => {
    const { text } = await server.request('GET', '/host/main/api/merchant/migration/imports/template', { as: 'owner' });
    const chosen = await imports.checked(text);
    expect(chosen).toMatchObject({ status: 'READY', total: 4, importable: 4, subscriptions: 3, failed: 0 });
    expect((chosen.mapping as JsonObject[]).every(({ head, field }) => head === field)).toBe(true);
    await imports.move('start', chosen.id);
    expect(await imports.work(chosen.id)).toMatchObject({ status: 'COMPLETED', imported: 4 });
    const lines = await imports.query(
      `select c.external_id, c.status, count(*)::integer as lines, bool_and(l.variant_id is not null) as known from contracts c
        join contract_lines l on l.contract_id = c.id where c.external_id like 'example-%' group by 1, 2 order by 1`,
    );
    expect(lines).toEqual([
      { external_id: 'example-1001', status: 'ACTIVE', lines: 1, known: true },
      { external_id: 'example-1002', status: 'ACTIVE', lines: 2, known: true },
      { external_id: 'example-1003', status: 'PAUSED', lines: 1, known: true },
    ]);
    await imports.move('undo', chosen.id);
    expect(await imports.work(chosen.id)).toMatchObject({ status: 'UNDONE' });
    expect(await imports.count("customers where email like '%@example.com' and email like any(array['ana@%', 'ben@%', 'cleo@%'])")).toBe(0);
  });

  test('a dry run says row, column, what is wrong and what would be right, and writes nothing else', async () => {
    const before = await imports.count('contracts');
    const seen = await imports.checked(
      file([
        good('d1'),
        good('d2', { 'Unit price': '12,50' }),
        good('d3', { 'Charge interval unit': 'fortnight' }),
        good('d4', { 'Next charge date': '03/04/2027' }),
        good('d5', { 'Next charge date': '2020-01-01' }),
        good('d6', { Email: 'unknown' }),
        good('d7', { 'External variant ID': '123456' }),
        good('d8', { 'Shipping zip': '' }),
        good('d9', { Qty: '0' }),
        good('d10', { 'Subscription ID': '' }),
        good('d11', { Status: 'Retained', 'Unit price': '-1' }),
        { ...good('d12'), 'Subscription ID': 'sub-d1', 'Charge interval unit': 'Weeks' },
      ]),
    );
    expect(seen).toMatchObject({ status: 'READY', total: 12, processed: 12, importable: 0, failed: 12, percent: 100 });
    const rows = await imports.rows(seen.id);
    expect(rows.map(({ position, wrongColumns, message }) => [position, wrongColumns, message])).toEqual([
      [2, '', 'Row 13 of the same subscription has an error.'],
      [3, 'Unit price', "“12,50” isn't an amount. Write it with digits and a dot only, such as 12.50."],
      [4, 'Charge interval unit', "“fortnight” isn't known here. Use day, week, month or year."],
      [5, 'Next charge date', "“03/04/2027” isn't a date that can be read. Write it as year-month-day, such as 2027-01-31."],
      [6, 'Next charge date', 'Choose a date in the future.'],
      [7, 'Email', "“unknown” isn't an e-mail address. Write it like name@example.com."],
      [8, 'External variant ID', 'Your store has no product variant 123456. Import the product first, or write the id of another variant.'],
      [9, 'Shipping zip', 'Enter a ZIP or postal code.'],
      [10, 'Qty', '“0” is too small. Enter 1 or more.'],
      [
        11,
        'Subscription ID',
        'Every row needs the id that the subscription has in the other app. Rows with the same id become one subscription.',
      ],
      [12, 'Status, Unit price', expect.stringContaining('Use active, paused or cancelled.')],
      [13, expect.stringContaining('Charge interval unit'), expect.stringContaining('in row 2 of the same subscription')],
    ]);
    expect(await imports.count('contracts')).toBe(before);
    expect((await server.call('subscription-imports.start', { id: seen.id })).body.message).toBe(
      'No row can be imported. Correct the file and choose it again.',
    );
  });

  test('what is no CSV, or empty, or too large is refused with a sentence', async () => {
    for (const [content, message] of [
      ['a,"b\n1,2', 'A quotation mark that opens in row 2 is never closed. A text in quotation marks needs one at its end.'],
      ['a,b\n', 'This file has a header but no rows.'],
      ['   ', 'This file is empty. Choose a file with a header and a row for each product of a subscription.'],
      [
        `external_id\n${'1\n'.repeat(50_001)}`,
        'This file has more than 50,000 rows, the most that one import takes. Split it and import the parts one after the other.',
      ],
    ]) {
      const answer = await server.call('subscription-imports.create', { file: { name: 'x.csv', content: content as string } });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([{ pointer: '/file' }]);
      expect(answer.body.errors?.[0]?.message).toContain((message as string).slice(-60));
    }
  });

  test('subscriptions come in through the engine: lines, money, dates, state, customer, log, events – and no e-mail to anybody', async () => {
    const [a, b] = variants as [Sold, Sold];
    const mails = await imports.count('outbox');
    const next = inDays(12);
    const done = await imports.imported(
      file([
        good('e1', { 'Next charge date': next }),
        { ...good('e1'), 'External variant ID': String(b.id), Qty: '1', 'Unit price': '', Email: '', 'Next charge date': '' },
        good('e2', { Status: 'paused', 'Next charge date': '' }),
        good('e3', { Status: 'Cancelled', 'Next charge date': '2019-05-01' }),
      ]),
    );
    expect(done).toMatchObject({ status: 'COMPLETED', imported: 4, failed: 0, skipped: 0, percent: 100, isUndoable: true });
    const contract = await contractOf('sub-e1');
    expect(contract).toMatchObject({
      status: 'ACTIVE',
      source: 'MIGRATION',
      billing_interval: 'MONTH',
      billing_interval_count: 1,
      completed_orders: 3,
      currency_code: 'USD',
      customer_name: 'Noa Person e1',
      country_code: 'US',
    });
    const zoned = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'short' });
    expect(zoned.format(new Date(contract?.next_billing_at))).toBe(`${next} 09:00`);
    const lines = await imports.query('select * from contract_lines where contract_id = $1 order by position', [contract?.id]);
    expect(
      lines.map(line => [
        Number(line.variant_id),
        line.quantity,
        Number(line.price_is_manual ? line.price : line.base_price),
        line.price_is_manual,
      ]),
    ).toEqual([
      [a.id, 2, 1850, true],
      [b.id, 1, b.price, false],
    ]);
    expect(Number(contract?.subtotal)).toBeGreaterThanOrEqual(3700);
    expect(await contractOf('sub-e2')).toMatchObject({ status: 'PAUSED', next_billing_at: null });
    expect(await contractOf('sub-e3')).toMatchObject({ status: 'CANCELLED', next_billing_at: null });

    const [customer] = await imports.query("select * from customers where email = 'person-e1@elsewhere.example'");
    expect(customer).toMatchObject({
      first_name: 'Noa',
      all_subscriptions_count: 1,
      subscriber_status: 'ACTIVE',
      tags: ['Active Subscriber'],
    });
    expect(await imports.count('customer_addresses where customer_id = $1', [customer?.id])).toBe(1);
    const events = await imports.query('select * from events where contract_id = $1', [contract?.id]);
    expect(events).toMatchObject([{ key: 'subscription_created', messages: 'NONE', data: { source: 'MIGRATION', importId: done.id } }]);
    const [view] = [(await server.call('subscription-contract.read', { id: Number(contract?.id) })).data];
    expect(view).toMatchObject({ externalId: 'sub-e1', source: 'MIGRATION' });
    // Whatever the consumers of events make of it.
    await deliverAll(server.services);
    expect(await imports.count('outbox')).toBe(mails);
    const log = await imports.query("select * from account_log where action = 'subscriptions.imported' order by id desc limit 1");
    expect(log).toMatchObject([{ description: expect.stringContaining('3 made, 0 rows with errors, 0 there already') }]);
  });

  test('the same file again makes nothing twice, and what is there keeps what it has', async () => {
    const content = file([good('t1'), good('t2')]);
    await imports.imported(content);
    const [made, contracts, customers] = [await contractOf('sub-t1'), await imports.count('contracts'), await imports.count('customers')];
    const again = await imports.imported(file([good('t1', { Qty: '9' }), good('t2'), good('t3')]));
    expect(again).toMatchObject({ status: 'COMPLETED', imported: 1, skipped: 2, failed: 0 });
    expect(await imports.count('contracts')).toBe(contracts + 1);
    expect(await imports.count('customers')).toBe(customers + 1);
    expect((await contractOf('sub-t1'))?.version).toBe(made?.version);
    expect((await imports.rows(again.id))[0]).toMatchObject({
      status: 'SKIPPED',
      subscriptionId: Number(made?.id),
      message: `Subscription #${made?.id} was imported with this id before.`,
    });
    const only = await imports.checked(content);
    expect(only).toMatchObject({ importable: 0, skipped: 2 });
  });

  test('two subscriptions of one person make one customer, and one who is known keeps what they have', async () => {
    const [known] = await imports.query('select * from customers where store_id = 1 order by id limit 1');
    await imports.imported(
      file([
        good('p1', { Email: 'Twice@elsewhere.example' }),
        good('p2', { Email: 'twice@Elsewhere.example' }),
        good('p3', { Email: String(known?.email).toUpperCase() }),
      ]),
    );
    expect(await imports.count("customers where lower(email) = 'twice@elsewhere.example'")).toBe(1);
    expect(await contractOf('sub-p3')).toMatchObject({ customer_id: known?.id, customer_name: `${known?.first_name} ${known?.last_name}` });
  });

  test('an import stops on request and goes on where it was', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => good(`s${i}`));
    const { id } = await imports.checked(file(rows));
    await imports.move('start', id);
    let steps = 0;
    const stopped = await imports.work(id, {
      size: 5,
      onStep: async () => {
        if (++steps === 1) await imports.move('stop', id);
      },
    });
    expect(stopped).toMatchObject({ status: 'STOPPED', imported: 5, processed: 5 });
    expect(await imports.work(id)).toMatchObject({ status: 'STOPPED', imported: 5 });
    await imports.move('start', id);
    expect(await imports.work(id, { size: 5 })).toMatchObject({ status: 'COMPLETED', imported: 12, processed: 12 });
    expect(await imports.count("contracts where external_id like 'sub-s%'")).toBe(12);
  });

  test('the result file has a line for each row: imported with its id, or why not', async () => {
    const { id } = await imports.imported(file([good('r1'), good('r2', { Qty: 'two' })]));
    const { text, headers } = await server.request('GET', `/host/main/api/merchant/migration/imports/${id}/resultFile`, { as: 'owner' });
    expect(headers.get('content-type'), text.slice(0, 300)).toContain('text/csv');
    const contract = await contractOf('sub-r1');
    expect(text.replace(/^\uFEFF/, '').split(/\r?\n/)).toEqual([
      'Row,Id in the other app,Outcome,Column,What is wrong,Subscription',
      `2,sub-r1,IMPORTED,,,${contract?.id}`,
      "3,sub-r2,FAILED,Qty,“two” isn't a whole number.,",
      '',
    ]);
    const missing = await server.request('GET', '/host/main/api/merchant/migration/imports/999999/resultFile', { as: 'owner' });
    expect(missing.status).toBe(404);
  });

  test('an import is undone within a day: its subscriptions and customers are gone, and the file can be imported again', async () => {
    const counts = () =>
      Promise.all([
        imports.count('contracts'),
        imports.count('contract_lines'),
        imports.count('customers'),
        imports.count('customer_addresses'),
      ]);
    const tabs = () =>
      imports.query(
        "select key, sum(n)::integer as n from counters where store_id = 1 and name = 'contracts' group by 1 having sum(n) <> 0 order by 1",
      );
    const [before, tabsBefore] = [await counts(), await tabs()];
    const content = file(Array.from({ length: 7 }, (_, i) => good(`u${i}`)));
    const { id } = await imports.imported(content);
    const ids = (await imports.rows(id)).map(row => Number(row.subscriptionId));
    await imports.move('undo', id);
    expect(await imports.work(id, { size: 3 })).toMatchObject({ status: 'UNDONE', imported: 0, isUndoable: false });
    expect(await counts()).toEqual(before);
    expect(await tabs()).toEqual(tabsBefore);
    expect((await imports.rows(id)).every(row => row.status === 'UNDONE' && row.subscriptionId === null)).toBe(true);
    const told = await imports.query("select distinct key from events where contract_id = any($1) and key <> 'subscription_created'", [
      ids,
    ]);
    expect(told).toEqual([{ key: 'subscription_cancelled' }]);
    expect(await imports.imported(content)).toMatchObject({ imported: 7 });
  });

  test('what was charged meanwhile, or is over for a day, is not undone', async () => {
    const { id } = await imports.imported(file([good('c1'), good('c2')]));
    const contract = await contractOf('sub-c1');
    const charge = await imports.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', $1::bigint * 10000 + 1, 'contract_id', $1::bigint, 'cycle', 1, 'shopify_id', null, 'shopify_order_number', null))).*
        from orders o where store_id = 1 and status = 'PAID' limit 1 returning id`,
      [contract?.id],
    );
    expect(charge).toHaveLength(1);
    const refused = await server.call('subscription-imports.undo', { id });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(
      `Subscription #${contract?.id} was charged since, so the import can't be undone any more. Cancel subscriptions one by one.`,
    );
    await imports.query('delete from orders where id = $1', [charge[0]?.id]);
    await imports.query("update subscription_imports set finished_at = finished_at - interval '25 hours' where id = $1", [id]);
    expect((await server.call('subscription-imports.undo', { id })).body.message).toBe(
      'An import can be undone for a day. This one is over for longer.',
    );
    expect((await imports.read(id)).isUndoable).toBe(false);
  });

  test('one import at a time; nothing is discarded that made something; who may only read changes nothing', async () => {
    const [one, two] = [await imports.checked(file([good('x1')])), await imports.checked(file([good('x2')]))];
    await imports.move('start', one.id);
    expect((await server.call('subscription-imports.start', { id: two.id })).body.message).toBe(
      '“export.csv” is being imported or undone. Wait until that is done.',
    );
    await imports.work(one.id);
    expect((await server.call('subscription-imports.delete', { id: one.id })).body.message).toBe(
      'Only an import that made nothing can be discarded.',
    );
    expect((await server.call('subscription-imports.delete', { id: two.id })).status).toBe(200);
    for (const [name, input] of [
      ['create', { file: { name: 'x.csv', content: 'a\n1' } }],
      ['start', { id: one.id }],
      ['undo', { id: one.id }],
    ] as const)
      expect((await server.call(`subscription-imports.${name}`, input, { as: 'readOnly' })).status).toBe(403);
  });

  test('when its person lost the right the import ends with a reason; what came in stays', async () => {
    const { id } = await imports.checked(file([good('l1'), good('l2'), good('l3')]));
    await imports.move('start', id);
    await imports.query(
      'update subscription_imports set acting_user_id = (select id from users where store_id = 1 and type = $1 limit 1) where id = $2',
      ['MEMBER', id],
    );
    const ended = await imports.work(id, { size: 1 });
    expect(ended).toMatchObject({ status: 'FAILED', imported: 0 });
    expect(ended.error).toMatch(/does not have the permission .* any more\. What was done before stays\.$/);
  });

  test.each(['Pacific/Pago_Pago', 'America/St_Johns', 'UTC', 'Asia/Kolkata', 'Pacific/Auckland', 'Pacific/Kiritimati'])(
    'yearly subscriptions are charged on their own day each year: %s',
    async zone => {
      const [before] = await imports.query<{ timezone: string }>('select timezone from stores where id = 1');
      await imports.query('update stores set timezone = $1 where id = 1', [zone]);
      try {
        const ids = ['2027-02-01', '2027-12-31'].map(day => ({ id: `year-${zone}-${day}`, day }));
        const rows = ids.map(({ id, day }) => ({
          ...good(id, { 'Charge interval unit': 'Years', 'Next charge date': day, 'Subscription ID': id }),
          anchor_day: String(Number(day.slice(8))),
        }));
        const done = await imports.imported(file(rows, [...Object.keys(FOREIGN), 'anchor_day']));
        expect(done).toMatchObject({ status: 'COMPLETED', imported: 2 });
        for (const { id, day } of ids) {
          const contract = await contractOf(id);
          const ahead = await server.call('subscription-contract.ordersSchedule', { id: Number(contract?.id) });
          expect(ahead.status).toBe(200);
          const days = ahead.data.map((one: { billingDateEpoch: number }) => isoDay(one.billingDateEpoch * 1000, zone));
          expect(days[0]).toBe(day);
          // Every order after the first falls on the anchor.
          const [anchorMonth, anchorDay] = [Number(day.slice(5, 7)), Number(day.slice(8))];
          expect(contract).toMatchObject({ anchor_type: 'YEARDAY', anchor_month: anchorMonth, anchor_day: anchorDay });
        }
      } finally {
        await imports.query('update stores set timezone = $1 where id = 1', [before?.timezone]);
      }
    },
  );
});
