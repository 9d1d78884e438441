// Every amount, count and date that can be sent, saved or set by a bulk action has bounds, the same ones everywhere: a new one without them fails here.
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/contract/types.ts';
import { inputSchema, isRead } from '../../src/contract/request.ts';
import { overLimits } from '../../src/contract/validation/limits.ts';
import { productDefinitions } from '../support/definitions.ts';

const definitions = productDefinitions();
const HIGHEST_PRICE = 1_000_000;
const LAST_INSTANT = 4_102_444_799;

/** Names of whole numbers that say which one or where, not how many. */
const NAMES_ONE = /(^|[a-z_])(id|ids|Id|Ids)$|^version$|^expectedVersion$|^position$/;
const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat();
const lists = (schema: Schema): boolean =>
  schema.enum !== undefined || schema.const !== undefined || (schema.oneOf ?? []).some(one => one.const !== undefined);
/** The highest number that the schema takes, by its own bound or by one for every other field that it depends on. */
const highest = (schema: Schema): number | undefined => {
  const limits = (schema['x-limits'] ?? []).filter(limit => limit.maximum !== undefined);
  return (
    schema.maximum ?? schema.exclusiveMaximum ?? (limits.length > 0 ? Math.max(...limits.map(limit => Number(limit.maximum))) : undefined)
  );
};

/** What is wrong with the bounds of a field itself. */
function fault(schema: Schema, name: string): string | undefined {
  const types = typesOf(schema);
  if (lists(schema) || schema.readOnly) return undefined;
  if (schema.format === 'epoch')
    return schema.maximum === undefined || schema.maximum > LAST_INSTANT ? 'an instant without a last one' : undefined;
  if (schema.format === 'date' || schema.format === 'date-time')
    return schema.formatMaximum === undefined ? 'a date without a last one' : undefined;
  if (schema.format === 'money') {
    if (schema.formatMaximum === undefined || schema.formatMinimum === undefined) return 'an amount without bounds';
    return Number(schema.formatMaximum) > HIGHEST_PRICE ? 'an amount with bounds of its own' : undefined;
  }
  if (/\\d.*\\\..*\\d/.test(schema.pattern ?? '') && /price|amount|value|discount|total/i.test(name))
    return 'an amount that is only a pattern';
  if (types.includes('number') || types.includes('integer')) {
    // Any value at all is bounded by the schema of what it is saved as.
    if (NAMES_ONE.test(name) || types.includes('boolean')) return undefined;
    return highest(schema) === undefined ? 'a number without a highest one' : undefined;
  }
  return undefined;
}

/** Places of a schema, read-only ones left out, whose bounds are wrong. */
function unbounded(schema: Schema, at: string, name = ''): string[] {
  if (schema.readOnly) return [];
  const here = fault(schema, name);
  return [
    ...(here ? [`${at}: ${here}`] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => unbounded(field, `${at}/${key}`, key)),
    ...(schema.items ? unbounded(schema.items, `${at}/0`, name) : []),
    ...(typeof schema.additionalProperties === 'object' ? unbounded(schema.additionalProperties, `${at}/*`, name) : []),
    // A branch narrows what stands around it; it is looked at alone only where nothing bounds the whole.
    ...(highest(schema) === undefined ? (schema.anyOf ?? []) : []).flatMap((branch, i) => unbounded(branch, `${at}<${i}>`, name)),
  ];
}

describe('amounts, counts and dates', () => {
  it('have bounds in the input of every call that changes something', () => {
    const writes = Object.values(definitions.calls).filter(call => !isRead(call));
    expect(writes.length).toBeGreaterThan(80);
    expect(writes.flatMap(call => unbounded(inputSchema(call, definitions.ambient), call.name))).toEqual([]);
  });

  it('have bounds on every settings page and in every form of a bulk action', () => {
    const forms = Object.values(definitions.actions).flatMap(({ key, form }): [string, Schema][] => (form ? [[key, form]] : []));
    expect(forms.length).toBeGreaterThan(20);
    expect([...forms, ...Object.entries(definitions.settings)].flatMap(([name, schema]) => unbounded(schema, name))).toEqual([]);
  });

  it('have the same bounds in the prices of plans', () => {
    const plan = definitions.entities['selling-plan'] as Schema;
    for (const [type, value] of [
      ['fixedDiscountType', 'fixedDiscountValue'],
      ['recurringDiscountType', 'recurringDiscountValue'],
    ] as const)
      for (const kind of ['PRICE', 'FIXED_AMOUNT'])
        for (const [given, faults] of [
          ['1000000', 0],
          ['1000000.01', 1],
          [999_999_999, 1],
        ] as const)
          expect([kind, given, overLimits(plan, { [type]: kind, [value]: given }).length]).toEqual([kind, given, faults]);
  });

  it('the test itself finds what has none', () => {
    const found = unbounded(
      {
        type: 'object',
        properties: {
          price: { type: 'string', format: 'money', formatMinimum: '0' },
          dear: { type: 'string', format: 'money', formatMinimum: '0', formatMaximum: '99999999999' },
          discountValue: { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,4})?$' },
          when: { type: 'integer', format: 'epoch', maximum: 253_402_300_799 },
          until: { type: 'string', format: 'date-time' },
          quantity: { type: 'integer', minimum: 1 },
          amounts: { type: 'array', items: { type: ['number', 'null'] } },
          variantId: { type: 'integer', minimum: 1 },
          either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        },
      } as Schema,
      'x',
    );
    expect(found.map(one => one.split(':')[0])).toEqual([
      'x/price',
      'x/dear',
      'x/discountValue',
      'x/when',
      'x/until',
      'x/quantity',
      'x/amounts/0',
      'x/either<0>',
    ]);
  });
});
