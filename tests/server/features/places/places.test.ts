// Countries, provinces and postal codes at every way in: what people write becomes a code, and what is none is refused with a sentence.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject, Schema } from '../../../../src/contract/types.ts';
import { migrationsFolder } from '../../../../src/server/platform/db/migrate.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';
import { ADDRESS, inDays } from '../subscriptions/fixture.ts';
import { file, goodRow, Imports, soldVariants } from '../migration/helpers.ts';
import { visitor } from '../portal/visitor.ts';

/** How people write where they live, and what is saved of it. */
const WRITTEN: [JsonObject, JsonObject][] = [
  [
    { provinceCode: 'california', zip: '90001' },
    { countryCode: 'US', provinceCode: 'CA' },
  ],
  [
    { provinceCode: ' New York', zip: '11201' },
    { countryCode: 'US', provinceCode: 'NY' },
  ],
  [
    { countryCode: 'CA', provinceCode: 'québec', zip: 'h3z 2y7' },
    { countryCode: 'CA', provinceCode: 'QC', zip: 'H3Z 2Y7' },
  ],
  [
    { countryCode: 'UK', provinceCode: null, zip: 'sw1a 1aa' },
    { countryCode: 'GB', zip: 'SW1A 1AA' },
  ],
  [
    { countryCode: 'IE', provinceCode: 'Co. Dublin', zip: '' },
    { countryCode: 'IE', provinceCode: 'D' },
  ],
  [
    { countryCode: 'AE', provinceCode: 'dubai', zip: null },
    { countryCode: 'AE', provinceCode: 'DU' },
  ],
];
/** What is refused, and the part that is named. */
const REFUSED: [JsonObject, string, RegExp][] = [
  [{ provinceCode: 'Californa' }, 'provinceCode', /“Californa” is no state or province of United States\. Did you mean California \(CA\)/],
  [{ countryCode: 'ZZ', provinceCode: null }, 'countryCode', /“ZZ” is no country/],
  [{ countryCode: 'EN', provinceCode: null }, 'countryCode', /“EN” is no country/],
  [{ countryCode: 'DE', provinceCode: null, zip: '' }, 'zip', /Enter a ZIP or postal code/],
  [{ countryCode: 'DE', provinceCode: null, zip: '101' }, 'zip', /“101” is no postal code of this country\. Write it like \d{5}\./],
];

describe.each(oneEngine)('places on %s', engine => {
  const at = serverWithGoods({ engine, jobs: true, config: { workers: 0 }, seed: { contracts: 2, stores: 1 } });
  const query = <T extends object = JsonObject>(text: string, params: unknown[] = []) =>
    at.server.services.db.ownerQuery<T>(text, params).then(({ rows }) => rows);
  let n = 0;
  /** Each way in: takes an address; gives what is saved, or what is wrong. */
  const WAYS: Record<string, (address: JsonObject) => Promise<{ kept?: JsonObject; errors?: readonly FieldError[] | string }>> = {
    async 'a customer that is made'(address) {
      const answer = await at.server.call('customers-app.create', { lastName: 'Lee', email: `place${n++}@mail.example`, address });
      return answer.status === 200 ? { kept: answer.data.address } : { errors: answer.body.errors ?? [] };
    },
    async 'the address of a subscription'(address) {
      const answer = await at.server.call('subscription-contract.updateShippingDetails', {
        id: contract.id,
        address,
        optionCode: 'STANDARD',
      });
      if (answer.status !== 200) return { errors: answer.body.errors ?? [] };
      return { kept: (await at.server.call('subscription-contract.read', { id: contract.id })).data.shippingAddress };
    },
    async 'the portal'(address) {
      const { portalLink } = (await at.server.call('subscription-contract.customerDetails', { id: contract.id })).data;
      const { pathname, search } = new URL(portalLink);
      const visit = visitor(at, () => pathname + search);
      const typed = Object.fromEntries(Object.entries(address).map(([name, value]) => [name, String(value ?? '')]));
      // As after the country was chosen, whose provinces the form has then.
      const page = await visit.fill(await visit.ask('ADDRESS'), { ...typed, partsOf: typed.countryCode ?? '' });
      if (page.status === 422) return { errors: page.body.replaceAll('&#34;', '"') };
      return { kept: (await at.server.call('subscription-contract.read', { id: contract.id })).data.shippingAddress };
    },
    async 'an import'(address) {
      const imports = new Imports(at.server);
      const [variant] = await soldVariants(at.server.services.db);
      const id = `place-${n++}`;
      const row = {
        ...goodRow(id, variant!),
        'Subscription ID': id,
        'Shipping country': String(address.countryCode ?? ''),
        'Shipping province': String(address.provinceCode ?? ''),
        'Shipping zip': String(address.zip ?? ''),
      };
      const done = await imports.checked(file([row]));
      if (Number(done.importable) === 0) return { errors: String((await imports.rows(done.id))[0]?.message) };
      await imports.move('start', done.id);
      await imports.work(done.id);
      return {
        kept: (await query<{ shipping_address: JsonObject }>('select shipping_address from contracts where external_id = $1', [id]))[0]!
          .shipping_address,
      };
    },
  };
  let contract: { id: number };

  it.each(Object.keys(WAYS))('what people write becomes a code: %s', async name => {
    contract = await at.make({ nextBillingDateEpoch: inDays(5) });
    await query("update stores set details = details #- '{shippingOptions,0,countries}' where id = 1");
    for (const [written, kept] of WRITTEN) {
      const found = await WAYS[name]!({ ...ADDRESS, ...written });
      expect([written, found]).toMatchObject([written, { kept }]);
    }
    for (const [written, part, message] of REFUSED) {
      const { errors } = await WAYS[name]!({ ...ADDRESS, ...written });
      if (typeof errors === 'string') expect(errors).toMatch(message);
      else expect(errors?.find(one => String(one.pointer).endsWith(part))?.message, JSON.stringify([written, errors])).toMatch(message);
    }
  });

  it('days before delivery and zones of shipping are saved by code', async () => {
    const page = (await at.server.call('settings.get', { settingsPage: 'order-schedule' })).data;
    const save = (countryBasedChargeOffset: JsonObject[]) =>
      at.server.call('settings.set', {
        ...page,
        version: undefined,
        settingsPage: 'order-schedule',
        scheduleType: 'DELIVERY',
        countryBasedChargeOffset,
      });
    const saved = await save([
      { countryCode: 'US', provinceCodes: ['california', 'ny'], offsetDays: 2 },
      { countryCode: 'UK', provinceCodes: [], offsetDays: 3 },
    ]);
    expect(saved.data.countryBasedChargeOffset).toMatchObject([{ provinceCodes: ['CA', 'NY'] }, { countryCode: 'GB' }]);
    expect((await save([{ countryCode: 'US', provinceCodes: ['Californa'], offsetDays: 2 }])).body.errors).toMatchObject([
      { pointer: '/countryBasedChargeOffset/0/provinceCodes/0', message: expect.stringContaining('California (CA)') },
    ]);
    expect((await save([{ countryCode: 'ZZ', provinceCodes: [], offsetDays: 2 }])).status).toBe(422);
    const zones = (countries: JsonObject[]) =>
      at.server.call('rest-shipping-profile.create', {
        name: `Places ${n++}`,
        isDefault: true,
        zones: [{ name: 'Home', countries, rates: [{ name: 'Post', type: 'FLAT', price: '4.00' }] }],
      });
    const made = await zones([{ code: 'US', provinces: ['hawaii'] }, { code: 'UK' }]);
    expect(made.data.zones[0].countries).toMatchObject([{ code: 'US', provinces: ['HI'] }, { code: 'GB' }]);
    await at.server.call('rest-shipping-profile.delete', { id: made.data.id });
    expect((await zones([{ code: 'EN' }])).status).toBe(422);
  });

  it('conditions find a state whatever way it is written in them', async () => {
    const one = await at.make({ nextBillingDateEpoch: inDays(5), address: { ...ADDRESS, provinceCode: 'california', zip: '90001' } });
    const count = async (value: string) =>
      (
        await at.server.call('conditions.count', {
          conditions: { match: 'ALL', rows: [{ conditionKey: 'SHIPPING_PROVINCE', operator: 'IN', value: [value] }] },
        })
      ).data;
    expect(await count('california')).toEqual(await count('CA'));
    expect(await count('California')).not.toEqual(await count('WY'));
    expect(one.id).toBeGreaterThan(0);
  });

  it('addresses that were stored before are resolved once', async () => {
    const one = await at.make({ nextBillingDateEpoch: inDays(5) });
    await query(
      `update contracts set country_code = 'US', shipping_address = shipping_address || '{"provinceCode": "California"}',
      delivery_method = jsonb_set(delivery_method, '{shipping,address,provinceCode}', '"california"') where id = $1`,
      [one.id],
    );
    await query('update customer_addresses set address = address || $1::jsonb where id = (select min(id) from customer_addresses)', [
      JSON.stringify({ countryCode: 'UK', provinceCode: null }),
    ]);
    const migration = fs.readFileSync(path.join(migrationsFolder, '170-places-by-code.sql'), 'utf8');
    for (let times = 0; times < 2; times++)
      await at.server.services.db.exec(`begin; ${migration.replace('create function', 'create or replace function')} commit;`);
    expect(
      await query(
        `select shipping_address ->> 'provinceCode' as own, delivery_method #>> '{shipping,address,provinceCode}' as method,
      (select address ->> 'countryCode' from customer_addresses order by id limit 1) as country from contracts where id = $1`,
        [one.id],
      ),
    ).toEqual([{ own: 'CA', method: 'CA', country: 'GB' }]);
  });

  it('every field of a schema that holds a place is among those that are resolved', () => {
    const { definitions } = at.server.services;
    const found = new Set<string>();
    const walk = (name: string, schema: Schema | undefined): void => {
      for (const [key, member] of Object.entries(schema?.properties ?? {})) {
        const isPlace = /country|province|^zip$|postal/i.test(key) || (key === 'code' && member['x-ui']?.widget === 'country');
        if (isPlace && !member.readOnly && !schema?.readOnly && !member.properties && member.items?.type !== 'object')
          found.add(`${name}.${key}`);
        walk(`${name}.${key}`, member);
        if (member.items) walk(`${name}.${key}[]`, member.items);
      }
    };
    for (const [name, schema] of Object.entries({ ...definitions.entities, ...definitions.settings }))
      walk(name, schema.readOnly ? undefined : schema);
    // A new one: resolve it where it is written (countryOf, regionOf, cleanAddress of src/domain/places), and name it here.
    expect([...found].sort()).toEqual([
      // Of figures: chosen among the codes that subscriptions have.
      'custom-chart.filters.country',
      'customer.address.country',
      'customer.address.countryCode',
      'customer.address.province',
      'customer.address.provinceCode',
      'customer.address.zip',
      'customer.countryCode',
      'order-schedule.countryBasedChargeOffset[].countryCode',
      'order-schedule.countryBasedChargeOffset[].provinceCodes',
      'shipping-profile.zones[].countries[].code',
      'shipping-profile.zones[].countries[].provinces',
    ]);
  });
});
