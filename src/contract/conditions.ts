// The catalogue of conditions (schemas/conditions): loaded, expanded into the fields that use it, and what is wrong with a set of them.
import { optionsOf, pointer } from './paths.ts';
import type { ConditionKind, FieldError, JsonObject, JsonValue, Schema, Takes } from './types.ts';
import { inFigures, t, translated } from '../domain/text/t.ts';

export type { ConditionKind, ConditionOperator, ConditionRow, ConditionSet, Takes } from './types.ts';

export const KINDS_FILE = 'schemas/conditions/_kinds.json';
export const FOLDER = 'schemas/conditions/';
/** Rows of a set, and values of a row, at most. */
export const MOST_ROWS = 10;
export const MOST_VALUES = 50;
/** Conditions on attributes need the right to read them, as the field of the subscription does. */
const ATTRIBUTES = { fact: 'attribute:', permission: 'orderNotesAndAttributes' };

interface RawKinds {
  operators?: Record<string, { title?: string; takes?: Takes }>;
  kinds?: Record<string, { operators?: string[] }>;
}

/** Every condition by its key, in the order of the files. */
export function conditionsIn(
  documents: Record<string, unknown>,
  references: { schema(file: string, place?: string): Schema },
): Record<string, ConditionKind> {
  const { operators = {}, kinds = {} } = (documents[KINDS_FILE] ?? {}) as RawKinds;
  const found: Record<string, ConditionKind> = {};
  const files = Object.keys(documents).filter(file => file.startsWith(FOLDER) && file !== KINDS_FILE);
  for (const file of files.sort()) {
    const { title = '', conditions = {} } = (documents[file] ?? {}) as { title?: string; conditions?: Record<string, JsonObject> };
    for (const [key, raw] of Object.entries(conditions)) {
      const own = raw as Partial<Omit<ConditionKind, 'operators'>> & { operators?: string[] };
      const permission = own.permission ?? (own.fact?.startsWith(ATTRIBUTES.fact) ? ATTRIBUTES.permission : undefined);
      const names = own.operators ?? kinds[own.kind ?? '']?.operators ?? [];
      found[key] = {
        key,
        title: own.title ?? key,
        group: title,
        kind: own.kind ?? '',
        fact: own.fact ?? '',
        ...(permission === undefined ? {} : { permission }),
        operators: names.map(name => ({
          name,
          title: operators[name]?.title ?? name,
          takes: operators[name]?.takes ?? 'one',
        })),
        value: references.schema(file, pointer(['conditions', key, 'value'])),
        events: own.events ?? [],
        in: own.in ?? [],
      };
    }
  }
  return found;
}

/** The conditions that a feature may use; "any": all there are. */
export const conditionsFor = (all: Record<string, ConditionKind>, feature: string): Record<string, ConditionKind> =>
  Object.fromEntries(Object.entries(all).filter(([, kind]) => feature === 'any' || kind.in.includes(feature)));

/** What a field with `x-conditions` is: a set of the conditions that its feature may use. */
export const conditionsSchema = (feature: string, all: Record<string, ConditionKind>): Schema => ({
  type: 'object',
  properties: {
    match: {
      title: 'Match',
      type: 'string',
      oneOf: [
        { const: 'ALL', title: 'all of these' },
        { const: 'ANY', title: 'any of these' },
      ],
    },
    rows: {
      title: 'Conditions',
      type: 'array',
      maxItems: MOST_ROWS,
      'x-errors': { maxItems: `Use at most ${MOST_ROWS} conditions.` },
      items: {
        type: 'object',
        properties: {
          conditionKey: { title: 'Condition', type: 'string', maxLength: 100 },
          operator: { title: 'Operator', type: 'string', maxLength: 20 },
          value: { title: 'Value' },
          valueType: { title: 'Kind of value', type: 'string', maxLength: 20 },
        },
        required: ['conditionKey', 'operator', 'value'],
        additionalProperties: false,
      },
    },
  },
  required: ['match', 'rows'],
  additionalProperties: false,
  'x-catalogue': conditionsFor(all, feature),
});

/** A sentence about a value that does not fit the schema of one; undefined where it does. */
function faultOf(schema: Schema, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return t`Enter a value.`;
  const options = optionsOf(schema);
  if (options.length) return options.some(option => option.value === value) ? undefined : t`Choose one from the list.`;
  if (schema.format === 'money') {
    return typeof value !== 'string' || !/^\d{1,12}(\.\d{1,4})?$/.test(value) ? t`Enter an amount, such as "25.00".` : undefined;
  }
  const unit = schema['x-ui']?.unit && translated(schema['x-ui'].unit);
  if (schema.type === 'integer') {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return t`Enter a whole number.`;
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    if (value >= minimum && value <= maximum) return undefined;
    const [least, most] = [inFigures(minimum), inFigures(maximum)];
    return unit ? t`Enter between ${least} and ${most} ${unit}.` : t`Enter between ${least} and ${most}.`;
  }
  if (typeof value !== 'string') return t`Enter a text.`;
  if (value.length > (schema.maxLength ?? 255)) return t`Use at most ${schema.maxLength ?? 255} characters.`;
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value) ? t`This value has another form.` : undefined;
}

/** What is wrong with a row, at pointers below it. */
function rowErrors(catalogue: Record<string, ConditionKind>, row: JsonObject): FieldError[] {
  const wrong = (at: string, message: string): FieldError[] => [{ pointer: at, rule: 'conditions', message }];
  const kind = Object.hasOwn(catalogue, String(row.conditionKey)) ? catalogue[String(row.conditionKey)] : undefined;
  if (!kind) {
    const text = String(row.conditionKey ?? '').slice(0, 60);
    return wrong('/conditionKey', text ? t`There is no condition “${text}” here. Choose one from the list.` : t`Choose a condition.`);
  }
  const operator = kind.operators.find(one => one.name === row.operator);
  if (!operator) {
    const titles = kind.operators.map(one => translated(one.title)).join(', ');
    return wrong('/operator', t`Choose one of: ${titles}.`);
  }
  const { value } = row;
  if (operator.takes === 'one') {
    const fault = faultOf(kind.value, value) ?? (operator.name === 'EVERY_NTH' && value === 0 ? t`Enter 1 or more.` : undefined);
    return fault ? wrong('/value', fault) : [];
  }
  if (!Array.isArray(value)) return wrong('/value', operator.takes === 'two' ? t`Enter both ends.` : t`Enter a value.`);
  if (operator.takes === 'several' && value.length === 0) return wrong('/value', t`Enter a value.`);
  if (operator.takes === 'several' && value.length > MOST_VALUES) return wrong('/value', t`Use at most ${MOST_VALUES} values.`);
  if (operator.takes === 'two' && value.length !== 2) return wrong('/value', t`Enter both ends.`);
  const faults = value.flatMap((one, i) => {
    const fault = faultOf(kind.value, one);
    return fault ? wrong(`/value/${i}`, fault) : [];
  });
  if (faults.length) return faults;
  return operator.takes === 'two' && Number(value[0]) > Number(value[1]) ? wrong('/value/1', t`Enter more than the first value.`) : [];
}

/** What is wrong with a set of conditions; its form is the schema's affair. */
export function setErrors(catalogue: Record<string, ConditionKind>, set: JsonValue | undefined, at = ''): FieldError[] {
  const rows = set !== null && typeof set === 'object' && !Array.isArray(set) ? set.rows : undefined;
  if (!Array.isArray(rows)) return [];
  return rows
    .slice(0, MOST_ROWS)
    .flatMap((row, i) =>
      row !== null && typeof row === 'object' && !Array.isArray(row)
        ? rowErrors(catalogue, row).map(error => ({ ...error, pointer: `${at}/rows/${i}${error.pointer}` }))
        : [],
    );
}

/** Rows of a set that ask what the person may not read, at pointers below the set: a count would tell it as well as the value does. */
export function forbiddenRows(catalogue: Record<string, ConditionKind>, set: JsonObject, mayRead: (area: string) => boolean): FieldError[] {
  const rows = Array.isArray(set.rows) ? (set.rows as JsonObject[]) : [];
  return rows.flatMap((row, i) => {
    const kind = catalogue[String(row.conditionKey)];
    if (!kind?.permission || mayRead(kind.permission)) return [];
    const message = t`You don't have permission to ask for “${translated(kind.title)}”. Ask an admin of your store for it.`;
    return [{ pointer: `/rows/${i}/conditionKey`, rule: 'permission', message }];
  });
}

const holding = new WeakMap<Schema, boolean>();
const holdsConditions = (schema: Schema): boolean => {
  let known = holding.get(schema);
  if (known === undefined) {
    const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
    holding.set(schema, (known = schema['x-catalogue'] !== undefined || inner.some(holdsConditions)));
  }
  return known;
};

/** What is wrong with the sets of conditions anywhere in data of a schema. */
export function conditionErrors(schema: Schema, data: unknown): FieldError[] {
  const found: FieldError[] = [];
  const visit = (node: Schema, value: JsonValue | undefined, at: string): void => {
    if (value === undefined || value === null || !holdsConditions(node)) return;
    if (node['x-catalogue']) found.push(...setErrors(node['x-catalogue'], value, at));
    else if (Array.isArray(value)) value.forEach((item, i) => node.items && visit(node.items, item, `${at}/${i}`));
    else if (typeof value === 'object')
      for (const [name, member] of Object.entries(value)) {
        const field = node.properties?.[name];
        if (field) visit(field, member, at + pointer([name]));
      }
  };
  visit(schema, data as JsonValue, '');
  return found;
}
