// A postal address: the country first, then its parts in the words and the order of that country.
import { useEffect } from 'react';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { FieldError } from '../../src/admin/form/fields/frame.tsx';
import { pointerOf } from '../../src/admin/form/engine/path.ts';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
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
const ELSEWHERE: Words = { zip: t`Postal code`, province: t`Region` };
/** What people of a country call the parts; a country without `province` writes none. */
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

function layout(schema: Schema, words: Words): { name: string; label?: string; width: 'full' | 'half' }[] {
  const has = (names: string[]) => names.find(name => schema.properties?.[name]);
  const [country, zip, city, province] = [has(PARTS.country), has(PARTS.zip), has(PARTS.city), has(PARTS.province)];
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
    ...(zip ? [{ name: zip, label: words.zip, width: 'half' as const }] : []),
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
    ...(province && words.province ? [{ name: province, label: words.province, width: 'half' as const }] : []),
    ...['phone', ...rest]
      .filter(name => schema.properties?.[name] && schema.properties[name]!['x-ui']?.widget !== 'unseen')
      .map(name => ({ name, width: 'half' as const })),
  ];
}

const widths = new WeakMap<Schema, Map<string, Schema>>();
/** The same schema with another width and no doubled country select; made once so that fields aren't redrawn. */
function sized(schema: Schema, name: string, width: 'full' | 'half', isCountry: boolean): Schema {
  const key = `${name} ${width}`;
  const made = widths.get(schema) ?? new Map<string, Schema>();
  widths.set(schema, made);
  let one = made.get(key);
  if (!one) {
    const member = schema.properties![name]!;
    made.set(
      key,
      (one = { ...member, 'x-ui': { ...member['x-ui'], width, ...(isCountry && !member['x-ui']?.widget ? { widget: 'country' } : {}) } }),
    );
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

export default function Address(props: WidgetProps<JsonObject>) {
  const { id, label, hideLabel, path, pointer, schema, nullable, form, nested, error } = props;
  const countryField = PARTS.country.find(name => schema.properties?.[name]);
  useChannel(form.store, pointerOf([...path, countryField ?? 'countryCode']));
  const code = countryField ? form.store.get([...path, countryField]) : undefined;
  // One that may be left out demands nothing until a country begins it.
  const isBegun = typeof code === 'string' && code !== '';
  useNameBeside(props, isBegun);
  const words = (typeof code === 'string' && WORDS[code]) || ELSEWHERE;
  return (
    <fieldset className="f-group">
      <legend className={hideLabel ? 'p-sr' : 'f-group-title'}>{label}</legend>
      <div className="f-grid">
        {layout(schema, words)
          .filter(part => !form.store.isHidden(`${pointer}/${part.name}`))
          .map(part =>
            nested(part.name, sized(schema, part.name, part.width, PARTS.country.includes(part.name)), {
              required: (isBegun || !nullable) && (schema.required?.includes(part.name) ?? false),
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
