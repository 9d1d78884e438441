// Every amount and every date that can be sent, saved or set by a bulk action has bounds: a new one without them fails here.
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/contract/types.ts';
import { inputSchema, isRead } from '../../src/contract/request.ts';
import { loadDefinitions } from '../../src/server/platform/definitions.ts';

const definitions = loadDefinitions();

/** Places of a schema, read-only ones left out, that hold an amount without a highest one or an instant without a last one. */
function unbounded(schema: Schema, at: string): string[] {
  if (schema.readOnly) return [];
  const here =
    schema.format === 'money' && schema.formatMaximum === undefined
      ? [`${at}: an amount`]
      : schema.format === 'epoch' && schema.maximum === undefined
        ? [`${at}: a date`]
        : [];
  return [
    ...here,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => unbounded(field, `${at}/${name}`)),
    ...(schema.items ? unbounded(schema.items, `${at}/0`) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((branch, i) => unbounded(branch, `${at}/${i}`)),
  ];
}

describe('amounts and dates', () => {
  it('have bounds in the input of every call that changes something', () => {
    const writes = Object.values(definitions.calls).filter(call => !isRead(call));
    expect(writes.length).toBeGreaterThan(80);
    expect(writes.flatMap(call => unbounded(inputSchema(call, definitions.ambient), call.name))).toEqual([]);
  });

  it('have bounds on every settings page and in every form of a bulk action', () => {
    const forms = Object.entries(definitions.entities).filter(([name]) => name.startsWith('bulk-') && name !== 'bulk-action');
    expect(forms.length).toBeGreaterThan(20);
    expect([...forms, ...Object.entries(definitions.settings)].flatMap(([name, schema]) => unbounded(schema, name))).toEqual([]);
  });
});
