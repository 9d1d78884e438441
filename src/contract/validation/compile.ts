// Schemas -> validators: functions at run time for Node, and source code without eval for the
// browser. Never part of the admin's own bundle.
import { Ajv, _ } from 'ajv';
import standaloneModule from 'ajv/dist/standalone/index.js';
import limitModule from 'ajv-formats/dist/limit.js';
import type { JsonValue, Schema } from '../types.ts';
import type { Validator } from './validate.ts';
import { formats } from './formats.ts';

// Both packages are CommonJS: what is the default there may arrive wrapped once more.
const unwrap = <T>(module: T): T => (module as { default?: T }).default ?? module;
const standalone = unwrap(standaloneModule as unknown) as (ajv: Ajv, validate: unknown) => string;
const limit = unwrap(limitModule as unknown) as (ajv: Ajv) => Ajv;

const WORDS_ONLY = [
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'x-above',
  'x-unlike',
  'x-id',
  'x-record',
  'x-states',
  'x-setting',
  'x-ui',
  'x-errors',
  'x-events',
  'x-conditions',
  'x-actions',
  'x-catalogue',
  'x-limits',
  'x-scope',
  'x-grants',
  'x-idle',
  'x-sense',
  'x-topics',
  'x-charts',
];
/**
 * The schema without what doesn't decide whether data is valid, and options as a plain list of values: a fifth of the code for the same
 * verdict. A failed option is reported as `enum`.
 */
export function slim(schema: Schema): Schema {
  const result = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !WORDS_ONLY.includes(keyword))) as Schema;
  if (schema.oneOf?.every(one => one.const !== undefined)) {
    delete result.oneOf;
    result.enum = schema.oneOf.map(one => one.const as JsonValue);
  } else if (schema.oneOf) result.oneOf = schema.oneOf.map(slim);
  if (schema.anyOf) result.anyOf = schema.anyOf.map(slim);
  if (schema.items) result.items = slim(schema.items);
  if (typeof schema.additionalProperties === 'object') result.additionalProperties = slim(schema.additionalProperties);
  if (schema.properties)
    result.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, slim(field)]));
  return result;
}

function makeAjv(source: boolean): Ajv {
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: true,
    messages: false,
    // One for each piece of code, whose names it counts: without a validator of schemas, which takes longer to make than the code.
    ...(source ? { meta: false, validateSchema: false, code: { source: true, esm: true, formats: _`formats`, optimize: 1 } } : {}),
  });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format as Parameters<Ajv['addFormat']>[1]);
  limit(ajv);
  return ajv;
}

let shared: Ajv | undefined;
const compiled = new WeakMap<Schema, Validator>();
/** By what the schema says: definitions that are read again, as a development server does with every change, differ in one or two. */
const compiledByContent = new Map<string, Validator>();
/** The validator of a loaded schema, compiled at first use and remembered with it. Throws with the reason when the schema isn't valid. */
export function compileValidator(schema: Schema): Validator {
  let validator = compiled.get(schema);
  if (!validator) {
    const slimmed = slim(schema);
    const content = JSON.stringify(slimmed);
    validator = compiledByContent.get(content);
    if (!validator) {
      shared ??= makeAjv(false);
      validator = shared.compile(slimmed) as Validator;
      compiledByContent.set(content, validator);
    }
    compiled.set(schema, validator);
  }
  return validator;
}

const RUNTIME = ['ucs2length', 'equal'];
/**
 * The source of an ES module whose default export validates by the schema, without eval. It imports formats and helpers from
 * `runtime` (src/contract/validation/validator-runtime.ts by whatever name the bundler knows it).
 */
export function validatorCode(schema: Schema, runtime: string): string {
  const slimmed = slim(schema);
  shared ??= makeAjv(false);
  void shared.validateSchema(slimmed, true);
  const ajv = makeAjv(true);
  let code = standalone(ajv, ajv.compile(slimmed));
  code = code.replace(/require\("ajv\/dist\/runtime\/(\w+)"\)\.default/g, (_whole, name: string) => {
    if (!RUNTIME.includes(name))
      throw new Error(`The validator needs ajv's ${name}, which src/contract/validation/validator-runtime.ts doesn't offer yet.`);
    return name;
  });
  if (code.includes('require('))
    throw new Error(`The validator of ${schema.title ?? 'a schema'} still asks for a module: ${/require\([^)]*\)/.exec(code)?.[0]}.`);
  return `import { formats, ${RUNTIME.join(', ')} } from ${JSON.stringify(runtime)};\n${code.replace(/^"use strict";/, '')}`;
}
