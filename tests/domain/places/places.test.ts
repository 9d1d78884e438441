// Countries, provinces and postal codes by whatever a person writes, and the fields of schemas that hold them.
import { expect, it } from 'vitest';
import { countryOf, needsZip, noProvince, provinceCodes, provinceOf, zipLike } from '../../../src/domain/places/places.ts';
import table from '../../../src/domain/places/table.json' with { type: 'json' };
import { COUNTRIES } from '../../../src/domain/text/countries.ts';
import { person } from '../../../src/server/features/demo/people.ts';
import { random } from '../../../src/server/features/demo/random.ts';
import { addressErrors, cleanAddress } from '../../../src/domain/places/address.ts';

it('knows a country by its code, a code used for it, or its name, and nothing else', () => {
  expect(['US', 'us', 'UK', 'EL', 'germany', ' GB '].map(countryOf)).toEqual(['US', 'US', 'GB', 'GR', 'DE', 'GB']);
  expect(['EN', 'ZZ', 'XX', 'EU', '', 'Narnia'].map(countryOf)).toEqual(Array(6).fill(undefined));
  expect(COUNTRIES.filter(code => countryOf(code) !== code || !(code in table))).toEqual([]);
});

it('knows each province of each country by its code and all its names, in any case and without accents', () => {
  const missed = Object.entries(table as Record<string, { provinces?: string[][] }>).flatMap(([country, { provinces = [] }]) =>
    provinces.flatMap(([code = '', ...names]) => {
      const written = [code.toLowerCase(), ...names.flatMap(name => [name, name.toUpperCase(), name.normalize('NFD')])];
      const found = written.map(one => provinceOf(country, one)?.code);
      // Of two regions of one name the first is meant.
      return found[0] === code && found.every(one => one !== undefined) ? [] : [`${country} ${code}: ${found.join(', ')}`];
    }),
  );
  expect(missed).toEqual([]);
  expect(['california', ' Califórnia', 'ca', 'US-CA'].map(text => provinceOf('US', text)?.code)).toEqual(['CA', 'CA', 'CA', 'CA']);
  expect([provinceOf('CA', 'québec')?.code, provinceOf('IE', 'County Cork')?.code, provinceOf('GB', 'scotland')?.code]).toEqual([
    'QC',
    'CO',
    'SCT',
  ]);
  expect(provinceOf('US', 'Californa')).toBeUndefined();
  expect(noProvince('US', 'Californa')).toMatch(/^“Californa” is no state or province of United States\. Did you mean California \(CA\), /);
  expect([provinceCodes('california'), provinceCodes('NY')]).toEqual([['CA'], ['NY']]);
});

it('asks for postal codes where addresses have them, in the form of the country', () => {
  expect(['IE', 'AE', 'HK', 'PA', 'US', 'DE', 'GB'].map(needsZip)).toEqual([false, false, false, false, true, true, true]);
  expect([zipLike('IE', 'd02 af30'), zipLike('GB', 'sw1a 1aa'), zipLike('US', '90210-1234'), zipLike('DE', '1011')]).toEqual([
    undefined,
    undefined,
    undefined,
    '26133',
  ]);
});

it('finds nothing wrong with the addresses of the demo', () => {
  const chance = random(3);
  const wrong = Array.from({ length: 3000 }, (_, n) => person(chance, n).address).flatMap(address => {
    const clean = cleanAddress(address);
    return [
      ...addressErrors(clean),
      ...(clean.provinceCode === address.provinceCode ? [] : [`${address.provinceCode} became ${clean.provinceCode}`]),
    ];
  });
  expect(wrong).toEqual([]);
});
