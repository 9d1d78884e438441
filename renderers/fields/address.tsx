// A postal address: the country first, then its parts in the words and the order of that country. Which parts there are, and which it must
// have, says the table of countries that the server and the pages for customers have too.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { FieldError } from '../../src/admin/form/fields/frame.tsx';
import { pointerOf } from '../../src/admin/form/engine/path.ts';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { chunk } from '../../src/admin/platform/chunk.ts';
import { country as countryName } from '../../src/admin/platform/format.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'bare';

interface Words {
  zip: string;
  province?: string;
  city?: string;
  address2?: string;
  zipFirst?: boolean;
}
const REGION = t`Region`;
const ELSEWHERE: Words = { zip: t`Postal code` };
/** What people of a country call the parts. */
const WORDS: Record<string, Words> = {
  US: { zip: t`ZIP code`, province: t.as('address')`State`, address2: t`Apartment, suite, etc.` },
  CA: { zip: t`Postal code`, province: t`Province` },
  AU: { zip: t`Postcode`, province: t`State or territory`, city: t`Suburb` },
  GB: { zip: t`Postcode`, city: t`Town or city` },
  IE: { zip: t`Eircode`, province: t`County` },
  NZ: { zip: t`Postcode`, province: t`Region` },
  IN: { zip: t`PIN code`, province: t.as('address')`State` },
  JP: { zip: t`Postal code`, province: t`Prefecture`, zipFirst: true },
  DE: { zip: t`Postal code`, zipFirst: true },
  AT: { zip: t`Postal code`, zipFirst: true },
  CH: { zip: t`Postal code`, zipFirst: true },
  FR: { zip: t`Postal code`, zipFirst: true },
  NL: { zip: t`Postal code`, zipFirst: true },
  BE: { zip: t`Postal code`, zipFirst: true },
  DK: { zip: t`Postal code`, zipFirst: true },
  SE: { zip: t`Postal code`, zipFirst: true },
  NO: { zip: t`Postal code`, zipFirst: true },
  FI: { zip: t`Postal code`, zipFirst: true },
  PL: { zip: t`Postal code`, zipFirst: true },
  PT: { zip: t`Postal code`, zipFirst: true },
  ES: { zip: t`Postal code`, province: t`Province`, zipFirst: true },
  IT: { zip: t`Postal code`, province: t`Province`, zipFirst: true },
  BR: { zip: 'CEP', province: t.as('address')`State` },
  MX: { zip: t`Postal code`, province: t.as('address')`State`, zipFirst: true },
  ZA: { zip: t`Postal code`, province: t`Province` },
};

/** The names under which the parts of an address go in schemas. */
const PARTS = {
  country: ['countryCode', 'country'],
  province: ['provinceCode', 'province', 'state'],
  zip: ['zip', 'postalCode', 'postcode'],
  city: ['city'],
  address2: ['address2'],
};

type Places = typeof import('../../src/domain/places/places.ts');
const places = chunk<Places>(() => import('../../src/domain/places/places.ts'));
/** What is known of countries; undefined until it is loaded, and where it can't be: then everything is asked for and nothing demanded. */
function usePlaces(): Places | undefined {
  useEffect(() => {
    void places.load().catch(() => undefined);
  }, []);
  return useSyncExternalStore(places.watch, places.get);
}

const has = (schema: Schema, names: string[]): string | undefined => names.find(name => schema.properties?.[name]);

interface Part {
  name: string;
  label?: string;
  width: 'full' | 'half';
}
/** The parts of an address in their order. `asks` says whether a part is asked for at all. */
function layout(schema: Schema, words: Words, asks: (part: 'zip' | 'province', name: string) => boolean): Part[] {
  const [country, zip, city, province] = [PARTS.country, PARTS.zip, PARTS.city, PARTS.province].map(names => has(schema, names));
  // Both a country's code and its name (or a province's) say the same: only one of them is asked for.
  const known = new Set([
    ...PARTS.country,
    ...PARTS.province,
    ...PARTS.zip,
    'city',
    'firstName',
    'lastName',
    'company',
    'address1',
    'address2',
    'phone',
  ]);
  const rest = Object.keys(schema.properties ?? {}).filter(name => !known.has(name));
  const town = [
    ...(zip && asks('zip', zip) ? [{ name: zip, label: words.zip, width: 'half' as const }] : []),
    ...(city ? [{ name: city, label: words.city ?? t`City`, width: 'half' as const }] : []),
  ];
  return [
    ...(country ? [{ name: country, label: t`Country`, width: 'full' as const }] : []),
    ...['firstName', 'lastName'].filter(name => schema.properties?.[name]).map(name => ({ name, width: 'half' as const })),
    ...['company', 'address1'].filter(name => schema.properties?.[name]).map(name => ({ name, width: 'full' as const })),
    ...(schema.properties?.address2
      ? [{ name: 'address2', ...(words.address2 ? { label: words.address2 } : {}), width: 'full' as const }]
      : []),
    ...(words.zipFirst ? town : town.toReversed()),
    ...(province && asks('province', province) ? [{ name: province, label: words.province ?? REGION, width: 'half' as const }] : []),
    ...['phone', ...rest]
      .filter(name => schema.properties?.[name] && schema.properties[name]!['x-ui']?.widget !== 'unseen')
      .map(name => ({ name, width: 'half' as const })),
  ];
}

const widths = new WeakMap<Schema, Map<string, Schema>>();
/** What stands for a state or province, where there are some to choose from. */
interface Choices {
  country: string;
  provinces: readonly { code: string; name: string }[];
}
/**
 * The same schema with another width, no doubled country select, and the provinces of a country to choose from, by what the member holds:
 * codes or names. Made once so that fields aren't redrawn.
 */
function sized(schema: Schema, { name, width }: Part, choices: Choices | undefined): Schema {
  const key = `${name} ${width} ${choices?.country}`;
  const isCountry = PARTS.country.includes(name);
  const made = widths.get(schema) ?? new Map<string, Schema>();
  widths.set(schema, made);
  let one = made.get(key);
  if (!one) {
    const member = schema.properties![name]!;
    const widget = choices ? 'select' : isCountry ? (member['x-ui']?.widget ?? 'country') : member['x-ui']?.widget;
    const { description, ...rest } = member;
    one = {
      ...rest,
      ...(choices
        ? { oneOf: choices.provinces.map(({ code, name: title }) => ({ const: name.endsWith('Code') ? code : title, title })) }
        : description === undefined
          ? {}
          : { description }),
      'x-ui': { ...member['x-ui'], width, ...(widget ? { widget } : {}) },
    };
    made.set(key, one);
  }
  return one;
}

/** An address that may be left out takes the name that stands beside it once it is begun, so that it isn't typed twice. */
function useNameBeside({ form: { store }, path, schema, nullable }: WidgetProps<JsonObject>, isBegun: boolean): void {
  useEffect(() => {
    if (!nullable || !isBegun || !schema.properties?.lastName || ['firstName', 'lastName'].some(name => store.get([...path, name]))) return;
    const [first, last] = ['firstName', 'lastName'].map(name => store.get([...path.slice(0, -1), name]));
    if (typeof last !== 'string' || last === '') return;
    if (typeof first === 'string' && first) store.set([...path, 'firstName'], first);
    store.set([...path, 'lastName'], last);
  }, [store, path, schema, nullable, isBegun]);
}

/** A province goes with its country: where that changes to one that has no such province, none was meant. */
function useProvinceOfCountry(
  { form: { store }, path, schema }: WidgetProps<JsonObject>,
  country: string,
  known: Places | undefined,
): void {
  const before = useRef(country);
  useEffect(() => {
    if (!known || before.current === country) return;
    before.current = country;
    const name = has(schema, PARTS.province);
    const value = name && store.get([...path, name]);
    if (!name || typeof value !== 'string' || value === '') return;
    const there = known.provincesToChoose(country);
    if (Array.isArray(there) && there.some(one => one.code === value || one.name === value)) return;
    store.set([...path, name], [schema.properties?.[name]?.type].flat().includes('null') ? null : '');
  }, [store, path, schema, country, known]);
}

export default function Address(props: WidgetProps<JsonObject>) {
  const { id, label, hideLabel, path, pointer, schema, nullable, form, nested, error } = props;
  const countryField = has(schema, PARTS.country);
  useChannel(form.store, pointerOf([...path, countryField ?? 'countryCode']));
  const code = countryField ? form.store.get([...path, countryField]) : undefined;
  // One that may be left out demands nothing until a country begins it.
  const isBegun = typeof code === 'string' && code !== '';
  useNameBeside(props, isBegun);
  const country = isBegun ? code : '';
  const known = usePlaces();
  useProvinceOfCountry(props, country, known);
  const words = WORDS[country] ?? ELSEWHERE;
  const provinces = known && country ? known.provincesToChoose(country) : 'ANY';
  // What is written there already stays in view.
  const asks = (part: 'zip' | 'province', name: string): boolean =>
    Boolean(form.store.get([...path, name])) || (part === 'zip' ? !known || !country || known.hasZip(country) : provinces !== 'NONE');
  const needs = (name: string): boolean =>
    (schema.required?.includes(name) ?? false) ||
    (known !== undefined && PARTS.zip.includes(name) && known.needsZip(country)) ||
    (known !== undefined && PARTS.province.includes(name) && known.needsProvince(country));
  const choices = Array.isArray(provinces) ? { country, provinces } : undefined;
  return (
    <fieldset className="f-group">
      <legend className={hideLabel ? 'p-sr' : 'f-group-title'}>{label}</legend>
      <div className="f-grid">
        {layout(schema, words, asks)
          .filter(part => !form.store.isHidden(`${pointer}/${part.name}`))
          .map(part =>
            nested(part.name, sized(schema, part, PARTS.province.includes(part.name) ? choices : undefined), {
              required: (isBegun || !nullable) && needs(part.name),
              ...(part.label ? { label: part.label } : {}),
            }),
          )}
      </div>
      {error && <FieldError id={id} error={error} />}
    </fieldset>
  );
}

/** An address as it is written on a parcel. */
export function Show({ value }: { value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle }) {
  const part = (name: string) =>
    value && typeof value === 'object' && !Array.isArray(value) && typeof value[name] === 'string' ? (value[name] as string) : '';
  const code = part('countryCode') || part('country');
  const town = (WORDS[code]?.zipFirst ? [part('zip'), part('city')] : [part('city'), part('provinceCode') || part('province'), part('zip')])
    .filter(Boolean)
    .join(' ');
  const lines = [
    [part('firstName'), part('lastName')].filter(Boolean).join(' '),
    part('company'),
    part('address1'),
    part('address2'),
    town,
    code.length === 2 ? countryName(code) : code,
    part('phone'),
  ].filter(Boolean);
  return (
    <>
      {lines.map(line => (
        <span className="f-shown-line" key={line}>
          {line}
        </span>
      ))}
    </>
  );
}
