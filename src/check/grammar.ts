// Each definition file against its meta-schema, with a sentence for every kind of failure.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject, JsonValue } from '../contract/types.ts';
import { atPointer, pointer } from '../contract/paths.ts';
import type { Finding } from './source.ts';
import { isObject } from './context.ts';

const BASE = 'https://perennial.invalid/';

const meta = (name: string): string => `schemas/meta/${name}.json`;
/** The meta-schema of a definition file by where it stands; undefined for files that follow none. */
export function metaOf(file: string): string | undefined {
  if (file.startsWith('schemas/meta/')) return undefined;
  if (file === 'resources/navigation.json') return meta('navigation');
  if (file.startsWith('resources/')) return meta('resource');
  if (file === 'schemas/calls/_hosts.json') return meta('hosts');
  if (file.startsWith('schemas/calls/')) return meta('calls');
  if (file.startsWith('schemas/entities/')) return meta('entity');
  if (file.startsWith('schemas/settings/')) return meta('setting');
  if (file.startsWith('schemas/events/')) return meta('events');
  if (file.startsWith('schemas/actions/')) return meta('action');
  if (file === 'schemas/conditions/_kinds.json') return meta('condition-kinds');
  if (file.startsWith('schemas/conditions/')) return meta('conditions');
  if (file === 'schemas/integrations/_events.json') return meta('integration-events');
  if (file.startsWith('schemas/integrations/')) return meta('integration');
  if (file.startsWith('schemas/messages/')) return meta('message');
  if (file.startsWith('schemas/texts/')) return meta('texts');
  if (file.startsWith('schemas/metrics/')) return meta('metric');
  if (file.startsWith('schemas/analytics/')) return meta('analytics');
  if (file.startsWith('schemas/reports/')) return meta('report');
  const list =
    /^schemas\/common\/(params|session|permissions|plans|special|switches|set-up|popups|whats-new|message-variables)\.json$/.exec(file);
  if (list) return meta(list[1] as string);
  return file.startsWith('schemas/common/') ? meta('common') : undefined;
}

let cached: { key: string; files: Record<string, string>; validators: Map<string, ValidateFunction> } | undefined;
/**
 * The meta-schemas, compiled once, and compared with those before once for each set of files, as every file of the set asks for them.
 * Names are completed by editors from names.json; here they are checked against the definitions themselves.
 */
function validators(files: Record<string, string>): Map<string, ValidateFunction> {
  if (cached?.files === files) return cached.validators;
  const metas = Object.keys(files)
    .filter(file => file.startsWith('schemas/meta/') && !file.endsWith('/names.json'))
    .sort();
  const key = metas.map(file => files[file]).join('\0');
  if (cached?.key === key) {
    cached.files = files;
    return cached.validators;
  }
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, messages: true });
  const documents = metas.map(file => [file, JSON.parse(files[file] as string) as JsonObject] as const);
  const used = new Set(
    metas.flatMap(file => [...(files[file] as string).matchAll(/names\.json#\/definitions\/(\w+)/g)].map(match => match[1] as string)),
  );
  ajv.addSchema({ definitions: Object.fromEntries([...used].map(name => [name, { type: 'string' }])) }, `${BASE}schemas/meta/names.json`);
  for (const [file, document] of documents) ajv.addSchema(document, BASE + file);
  const result = new Map<string, ValidateFunction>();
  for (const [file] of documents) {
    const validate = ajv.getSchema(BASE + file);
    if (validate) result.set(file, validate);
  }
  cached = { key, files, validators: result };
  return result;
}

/** The "$schema" that a file lacks, by which editors complete and explain its keys. It stops nothing else from being looked at. */
export function withoutSchema(file: string, value: unknown): Finding | undefined {
  const by = metaOf(file);
  if (!by || !isObject(value) || value.$schema !== undefined) return undefined;
  const path = file.startsWith('schemas/') ? `../meta/${by.split('/').at(-1)}` : '../'.repeat(file.split('/').length - 1) + by;
  return {
    file,
    pointer: '',
    message: `"$schema" is missing, by which editors complete and explain the keys. Write "$schema": "${path}" first.`,
  };
}

/** What of a file is not in the grammar. */
export function grammar(file: string, value: unknown, files: Record<string, string>, report: (finding: Finding) => void): void {
  const by = metaOf(file);
  if (!by) {
    if (!file.startsWith('schemas/meta/'))
      report({
        file,
        pointer: '',
        message:
          'Definitions stand in schemas/entities, schemas/settings, schemas/events, schemas/messages, schemas/texts, schemas/conditions, ' +
          'schemas/actions, schemas/integrations, schemas/metrics, schemas/analytics, schemas/reports, schemas/common, ' +
          'schemas/calls or resources; this file is in none ' +
          'of them.',
      });
    return;
  }
  const validate = validators(files).get(by);
  if (!validate) throw new Error(`${by} is missing; every definition file is checked against its meta-schema.`);
  if (validate(value)) return;
  const errors = (validate.errors ?? []).filter(
    error =>
      error.keyword !== 'if' && error.keyword !== 'allOf' && !(error.propertyName !== undefined && error.keyword !== 'propertyNames'),
  );
  const reported = new Set<string>();
  for (const error of chosen(errors)) {
    const finding = tell(file, value, error);
    const key = `${finding.pointer} ${finding.message}`;
    if (!reported.has(key)) {
      reported.add(key);
      report(finding);
    }
  }
}

/** Alternatives of the grammar differ by their JSON type: only the failures of the one whose type fits are reported. */
function chosen(errors: ErrorObject[]): ErrorObject[] {
  let rest = errors;
  for (const group of errors.filter(error => error.keyword === 'anyOf')) {
    const at = group.instancePath;
    const inner = rest.filter(error => error !== group && (error.instancePath === at || error.instancePath.startsWith(`${at}/`)));
    const fitting = inner.filter(error => !(error.instancePath === at && error.keyword === 'type'));
    rest = rest.filter(error =>
      fitting.length ? error !== group && !(error.instancePath === at && error.keyword === 'type') : !inner.includes(error),
    );
  }
  return rest;
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
const kindOf = (value: unknown): string => kinds[value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value] as string;
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const listed = (names: readonly unknown[], limit = 12): string =>
  names.length > limit ? `${names.slice(0, limit).map(String).join(', ')} and ${names.length - limit} more` : names.map(String).join(', ');

function tell(file: string, root: unknown, error: ErrorObject): Finding {
  const at = error.instancePath;
  const schema = (error.parentSchema ?? {}) as {
    title?: string;
    properties?: JsonObject;
    propertyNames?: { enum?: string[] };
    type?: string | string[];
    anyOf?: unknown[];
  };
  const name = at.split('/').at(-1)?.replace(/~1/g, '/').replace(/~0/g, '~') ?? '';
  const called = at === '' ? 'The file' : /^\d+$/.test(name) ? `Entry ${Number(name) + 1}` : `"${name}"`;
  const data = atPointer(root, at);
  const p = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(p.additionalProperty);
      const known = Object.keys(schema.properties ?? {}).filter(one => one !== '$schema' && one !== '$comment');
      return {
        file,
        pointer: at + pointer([key]),
        on: 'key',
        message: `"${key}" is not a key of ${schema.title ?? 'this object'}.${known.length <= 12 ? ` It has ${listed(known)}.` : ''}`,
        wanted: key,
        among: known,
      };
    }
    case 'propertyNames': {
      const key = String(p.propertyName);
      const known = schema.propertyNames?.enum;
      return {
        file,
        pointer: at + pointer([key]),
        on: 'key',
        message: known
          ? `"${key}" is not a key of ${schema.title ?? 'this object'}.${known.length <= 12 ? ` It has ${listed(known)}.` : ''}`
          : `"${key}" is not a name that may stand here.`,
        wanted: key,
        among: known ?? [],
      };
    }
    case 'required':
      return { file, pointer: at, message: `${upper(schema.title ?? 'this object')} needs "${String(p.missingProperty)}".` };
    case 'type':
    case 'anyOf': {
      const types = [schema.type ?? []].flat();
      const wanted = types.length ? types.map(type => kinds[type] ?? type).join(' or ') : undefined;
      return {
        file,
        pointer: at,
        message: wanted ? `${called} must be ${wanted}, not ${kindOf(data)}.` : `${called} can't be ${kindOf(data)} here.`,
      };
    }
    case 'enum': {
      const values = (p.allowedValues ?? []) as JsonValue[];
      return {
        file,
        pointer: at,
        message: `${JSON.stringify(data)} is not a value of ${called}. It has ${listed(values, 24)}.`,
        ...(typeof data === 'string' ? { wanted: data, among: values.map(String) } : {}),
      };
    }
    case 'const':
      return { file, pointer: at, message: `${called} must be ${JSON.stringify(p.allowedValue)}.` };
    case 'minLength':
      return { file, pointer: at, message: `${called} must not be empty.` };
    case 'minItems':
    case 'minProperties':
      return {
        file,
        pointer: at,
        message: Number(p.limit) === 1 ? `${called} must not be empty.` : `${called} needs at least ${Number(p.limit)} entries.`,
      };
    case 'uniqueItems':
      return { file, pointer: at + pointer([Number(p.i)]), message: `${called} holds the same entry twice.` };
    case 'pattern':
      return { file, pointer: at, message: patternSentence(name, data, called) };
    case 'minimum':
      return { file, pointer: at, message: `${called} must be ${Number(p.limit)} or more.` };
    case 'maximum':
      return { file, pointer: at, message: `${called} must be ${Number(p.limit)} or less.` };
    case 'exclusiveMinimum':
      return { file, pointer: at, message: `${called} must be more than ${Number(p.limit)}.` };
    default:
      return { file, pointer: at, message: `${called} ${error.message ?? 'is not right'}.` };
  }
}

function patternSentence(name: string, data: unknown, called: string): string {
  const shown = JSON.stringify(data);
  if (name === 'route') return `${shown} is no route. Write a method and a path: "POST /pauseContract", "GET /{id}".`;
  if (name === 'base') return `${shown} is no base. It begins with a slash and has none at the end: "/api/merchant/store".`;
  if (name === 'to') return `${shown} leads nowhere. A path begins with "/", an outside address with "https://".`;
  if (name === '$ref') return `${shown} is no reference. Write a file, and a place in it after "#/": "../common/address.json".`;
  return `${called} can't be ${shown}: it has characters that may not stand here.`;
}
