// The form that both candidates draw: n inputs of five kinds, flat, in groups, and in one array of objects.
import type { JsonObject, JsonValue, Schema } from '../../../src/contract/types.ts';

const PLANS: Record<number, { flat: number; groups: number; perGroup: number; rows: number; perRow: number }> = {
  30: { flat: 18, groups: 1, perGroup: 6, rows: 3, perRow: 2 },
  100: { flat: 40, groups: 2, perGroup: 10, rows: 20, perRow: 2 },
  300: { flat: 120, groups: 8, perGroup: 10, rows: 20, perRow: 5 },
};

const KINDS: ((i: number) => [Schema, JsonValue])[] = [
  i => [{ type: 'string', title: `Text ${i}`, minLength: 2, maxLength: 60 }, `Text ${i}`],
  i => [{ type: 'string', title: `Choice ${i}`, enum: ['DAY', 'WEEK', 'MONTH', 'YEAR'] }, 'WEEK'],
  i => [{ type: 'integer', title: `Count ${i}`, minimum: 0, maximum: 500 }, i % 500],
  i => [{ type: 'boolean', title: `Switch ${i}` }, i % 2 === 0],
  i => [{ type: 'string', title: `Mail ${i}`, pattern: '^[^@ ]+@[^@ ]+\\.[a-z]{2,6}$' }, `user${i}@mail.com`],
];
const kind = (i: number) => KINDS[i % KINDS.length]!(i);

function group(prefix: string, count: number): { schema: Schema; data: JsonObject } {
  const schema: Schema = { type: 'object', properties: {}, required: [] };
  const data: JsonObject = {};
  for (let i = 0; i < count; i += 1) {
    const [field, value] = kind(i);
    schema.properties![prefix + i] = field;
    data[prefix + i] = value;
    if (i % 5 === 0) schema.required!.push(prefix + i);
  }
  return { schema, data };
}

export function benchForm(n: number): { schema: Schema; data: JsonObject; inputs: number } {
  const plan = PLANS[n];
  if (!plan) throw new Error(`There is no form of ${n} fields; take 30, 100 or 300.`);
  const { schema, data } = group('f', plan.flat);
  schema.title = `Form ${n}`;
  for (let i = 0; i < plan.groups; i += 1) {
    const inner = group('g', plan.perGroup);
    schema.properties![`obj${i}`] = { ...inner.schema, title: `Group ${i}` };
    data[`obj${i}`] = inner.data;
  }
  const row = group('h', plan.perRow);
  schema.properties!.rows = { type: 'array', title: 'Rows', items: row.schema };
  data.rows = Array.from({ length: plan.rows }, () => ({ ...row.data }));
  return { schema, data, inputs: plan.flat + plan.groups * plan.perGroup + plan.rows * plan.perRow };
}
