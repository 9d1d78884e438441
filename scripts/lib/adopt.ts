// A JSON schema of any draft made into a schema that a settings page can have, with word of everything that was changed and left out.
import { slowness } from '../../src/check/regular.ts';
import {
  clone,
  DEEPEST,
  FORMATS,
  isSecret,
  joined,
  jsonType,
  KEPT,
  memberName,
  nameOf,
  NUMBERS,
  SILENT,
  titleOf,
  valuesOf,
} from './adopt-parts.ts';
import { isObject } from '../../src/check/context.ts';
import { atPointer, humanise, pointer } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';

/** What was done with the schema: sentence -> where in it. */
export type Notes = Map<string, string[]>;
export interface Union {
  name: string;
  kinds: string[];
}
export interface Adopted {
  schema: JsonObject;
  changed: Notes;
  /** What the page does not have, or does not check. */
  lost: Notes;
  /** Fields of several kinds of values, of which a form has one: the kind that was taken is the first. */
  unions: Union[];
}

/**
 * The schema as that of a page: an object whose fields people can fill in. `@throws` never; what can't be is in `lost`.
 * @param wanted where one of several kinds of values has to be taken: the field as `nameOf` calls it -> its kind
 */
export function adopt(source: JsonObject, wanted: Readonly<Record<string, string>> = {}): Adopted {
  const changed: Notes = new Map();
  const lost: Notes = new Map();
  const note = (notes: Notes, at: string, sentence: string): void => {
    notes.set(sentence, [...(notes.get(sentence) ?? []), at || '/']);
  };
  const unions: Union[] = [];
  /** One of several kinds that a field may have: the one that is wanted, else the one that a form shows best. */
  const kindOf = (at: string, kinds: readonly string[], best: string): string => {
    const name = nameOf(at);
    const kind = kinds.find(one => one === wanted[name]) ?? best;
    const others = [...new Set(kinds)].filter(one => one !== kind);
    unions.push({ name, kinds: [kind, ...others] });
    note(
      lost,
      at,
      `takes one of its several kinds of values only (${kind}, not ${others.join(', ') || 'others'}). --kind ${name}=… takes another.`,
    );
    return kind;
  };

  /** A schema with its references followed. undefined: it can't be followed. */
  const followed = (raw: JsonValue | undefined, at: string, above: readonly string[]): [JsonObject, string[]] | undefined => {
    if (!isObject(raw)) return undefined;
    const ref = raw.$ref ?? raw.$dynamicRef ?? raw.$recursiveRef;
    if (typeof ref !== 'string') return [raw, [...above]];
    if (above.includes(ref) || ref === '#') {
      note(lost, at, 'refers to itself, like a tree. Forms have no trees: give it a page of its own, or a list of one level.');
      return undefined;
    }
    const named = /^#[\w-]+$/.test(ref)
      ? anchored(ref.slice(1))
      : ref.startsWith('#')
        ? atPointer(source, decodeURIComponent(ref.slice(1)))
        : undefined;
    if (named === undefined) {
      note(lost, at, `refers to another file or to nothing (${ref.slice(0, 60)}). Copy that part into the file.`);
      return undefined;
    }
    const { $ref: _1, $dynamicRef: _2, $recursiveRef: _3, ...beside } = raw;
    const inner = followed(named, at, [...above, ref]);
    return inner && [joined(clone(beside), inner[0]), inner[1]];
  };
  const anchored = (name: string): JsonValue | undefined => {
    const seek = (value: JsonValue): JsonValue | undefined => {
      if (Array.isArray(value)) return value.map(seek).find(Boolean);
      if (!isObject(value)) return undefined;
      return value.$anchor === name || value.$id === `#${name}`
        ? value
        : Object.values(value)
            .map(one => seek(one as JsonValue))
            .find(Boolean);
    };
    return seek(source);
  };

  /** allOf, and the alternatives of anyOf and oneOf, folded into the schema itself. */
  const folded = (raw: JsonObject, at: string, above: string[]): [JsonObject, string[]] | undefined => {
    let here: JsonObject = clone(raw);
    let seen = above;
    if (Array.isArray(here.allOf)) {
      const { allOf, ...rest } = here;
      here = rest;
      for (const part of allOf as JsonValue[]) {
        const whole = followed(part, at, seen);
        const inner = whole && folded(whole[0], at, whole[1]);
        if (!inner) continue;
        here = joined(here, inner[0]);
        seen = [...seen, ...inner[1]];
      }
      note(changed, at, 'is one object instead of several that must all hold (allOf).');
    }
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      if (!Array.isArray(here[keyword])) continue;
      const { [keyword]: given, ...rest } = here;
      const all = (given as JsonValue[]).flatMap(branch => {
        const whole = followed(branch, at, seen);
        const inner = whole && folded(whole[0], at, whole[1]);
        return inner ? [inner[0]] : [];
      });
      // What only says which members are required can't be shown; the page checks it no more.
      const branches = all.filter(branch => Object.keys(branch).some(key => !['required', 'not', 'title', 'description'].includes(key)));
      if (branches.length < all.length)
        note(lost, at, `does not check which members go together (${keyword} with nothing but "required").`);
      here = branches.length ? choice(rest, branches, at) : rest;
    }
    return [here, seen];
  };

  const choice = (rest: JsonObject, branches: JsonObject[], at: string): JsonObject => {
    const isNullable = branches.some(branch => branch.type === 'null');
    const real = branches.filter(branch => branch.type !== 'null');
    const withNull = (schema: JsonObject): JsonObject =>
      isNullable && schema.type !== undefined ? { ...schema, type: [...new Set([schema.type, 'null'].flat())] as JsonValue } : schema;
    if (real.length > 0 && real.every(branch => valuesOf(branch))) {
      const options = real.flatMap(branch =>
        (valuesOf(branch) as JsonValue[]).map(value => ({
          const: value,
          title: typeof branch.title === 'string' && branch.const !== undefined ? branch.title : titleOf(value),
          ...(typeof branch.description === 'string' ? { description: branch.description } : {}),
        })),
      );
      note(changed, at, 'is a choice of values, each with a title for people.');
      return { ...rest, oneOf: options.map(option => option as JsonObject), ...(isNullable ? { nullable: true } : {}) };
    }
    const [first = {}] = real;
    if (real.length === 1) return withNull(joined(rest, first));
    if (real.every(branch => isObject(branch.properties))) return alternatives(rest, real, at);
    const scalar = real.find(
      branch => ['string', 'number', 'integer', 'boolean'].includes(String(branch.type)) && !Array.isArray(branch.enum),
    );
    const best =
      real.find(branch => isObject(branch.properties)) ??
      real.find(branch => branch.type === 'array') ??
      real.find(valuesOf) ??
      scalar ??
      first;
    const kindOfBranch = (branch: JsonObject): string => String(branch.type ?? 'object');
    const kind = kindOf(at, real.map(kindOfBranch), kindOfBranch(best));
    const taken = kindOfBranch(best) === kind ? best : (real.find(branch => kindOfBranch(branch) === kind) ?? best);
    return withNull(joined(rest, taken));
  };

  /** Several objects, one of which holds: the member that tells them apart is a choice, and the others show with it. */
  const alternatives = (rest: JsonObject, branches: JsonObject[], at: string): JsonObject => {
    const constant = (branch: JsonObject, name: string): JsonValue[] | undefined => {
      const field = (branch.properties as JsonObject)[name];
      return isObject(field) ? valuesOf(field) : undefined;
    };
    const names = Object.keys(branches[0]?.properties as JsonObject);
    const kind = names.find(name => branches.every(branch => constant(branch, name)));
    const required = branches.map(branch => (Array.isArray(branch.required) ? (branch.required as string[]) : []));
    const result: JsonObject = { ...rest, type: 'object' };
    const properties: JsonObject = { ...(isObject(rest.properties) ? rest.properties : {}) };
    if (kind)
      properties[kind] = {
        oneOf: branches.flatMap(branch =>
          (constant(branch, kind) as JsonValue[]).map(value => ({
            const: value,
            title: (branch.title as string | undefined) ?? titleOf(value),
          })),
        ),
      };
    branches.forEach((branch, i) => {
      for (const [name, field] of Object.entries(branch.properties as JsonObject)) {
        if (name === kind || !isObject(field)) continue;
        const owners = branches.filter(other => (other.properties as JsonObject)[name] !== undefined);
        if (properties[name] !== undefined) {
          if (
            branches.indexOf(owners[0] as JsonObject) !== i &&
            JSON.stringify(((owners[0] as JsonObject).properties as JsonObject)[name]) !== JSON.stringify(field)
          )
            note(lost, at + pointer([name]), 'has several forms by the kind of its object; the first one counts.');
          continue;
        }
        const values = kind ? owners.flatMap(owner => constant(owner, kind) as JsonValue[]) : [];
        properties[name] = kind && owners.length < branches.length ? { ...field, 'x-ui': { when: { [kind]: values } } } : field;
      }
    });
    result.properties = properties;
    const everywhere = [...new Set(required.flat())].filter(name => required.every(list => list.includes(name)));
    // A hidden field is not required, so with a kind each keeps what its own branch requires.
    const needed = kind
      ? [...new Set(required.flat())].filter(
          name => name === kind || everywhere.includes(name) || isObject((properties[name] as JsonObject | undefined)?.['x-ui']),
        )
      : everywhere;
    if (needed.length) result.required = [...new Set([...(Array.isArray(rest.required) ? (rest.required as string[]) : []), ...needed])];
    note(
      changed,
      at,
      kind
        ? 'is one object with a choice of kinds; what belongs to a kind shows with it.'
        : 'is one object with the fields of all its alternatives.',
    );
    return result;
  };

  /** One field; undefined where a form can't have it, which is noted. */
  const field = (raw: JsonValue | undefined, at: string, name: string, above: readonly string[], depth: number): JsonObject | undefined => {
    if (depth > DEEPEST) return void note(lost, at, `is nested more than ${DEEPEST} deep. Give its inner part a page of its own.`);
    if (!isObject(raw)) return void note(lost, at, 'may be anything. Say of which type it is.');
    const whole = followed(raw, at, above);
    const inner = whole && folded(whole[0], at, whole[1]);
    if (!inner) return undefined;
    const [from, seen] = inner;
    if (isSecret(from))
      return void note(
        lost,
        at,
        'is a secret, and what a page holds can be read. Make it a field of an integration (schemas/integrations).',
      );
    for (const key of Object.keys(from))
      if (!KEPT.includes(key) && !SILENT.has(key) && !/^x-|^_/.test(key)) note(lost, at, `is not checked by "${key}".`);
    const out: JsonObject = { title: typeof from.title === 'string' && from.title.trim() ? from.title.trim() : humanise(name) || 'Value' };
    if (typeof raw.title !== 'string' && typeof from.title !== 'string' && depth > 0) note(changed, at, 'has a title made of its name.');
    if (typeof from.description === 'string' && from.description.trim()) out.description = from.description.trim();

    const values = valuesOf(from);
    if (values && !Array.isArray(from.oneOf)) {
      from.oneOf = [...new Map(values.map(value => [JSON.stringify(value), value])).values()].map(value => ({
        const: value,
        title: titleOf(value),
      }));
      if (from.const !== undefined && from.default === undefined) from.default = from.const;
      note(changed, at, 'is a choice of values, each with a title for people.');
    }
    let types = [from.type ?? []].flat().map(String);
    if (types.length === 0)
      types = Array.isArray(from.oneOf)
        ? [...new Set((from.oneOf as JsonObject[]).map(option => jsonType(option.const)))]
        : from.properties || from.additionalProperties || from.patternProperties
          ? ['object']
          : from.items || from.prefixItems
            ? ['array']
            : ['pattern', 'minLength', 'maxLength', 'format'].some(key => from[key] !== undefined)
              ? ['string']
              : ['minimum', 'maximum', 'multipleOf'].some(key => from[key] !== undefined)
                ? ['number']
                : from.default !== undefined && from.default !== null
                  ? [jsonType(from.default)]
                  : [];
    if (from.nullable === true && !types.includes('null')) types.push('null');
    const real = types.filter(type => type !== 'null');
    if (real.length === 0) return void note(lost, at, 'may be anything. Say of which type it is.');
    const best =
      real.length > 1 && real.includes('string') && !from.items && !from.properties
        ? 'string'
        : (real.find(one => from.items && one === 'array') ?? (real[0] as string));
    const type = real.length > 1 ? kindOf(at, real, best) : best;
    if (Array.isArray(from.oneOf) && real.length > 1)
      from.oneOf = (from.oneOf as JsonObject[]).filter(
        option => jsonType(option.const) === type || (type === 'integer' && Number.isInteger(option.const)),
      );
    out.type = types.includes('null') && type !== 'boolean' ? [type, 'null'] : type;

    if (Array.isArray(from.oneOf)) {
      const options = (from.oneOf as JsonObject[]).filter(option => option.const !== null && typeof option.const !== 'object');
      if (options.length === 0) return void note(lost, at, 'is a choice of objects that nothing tells apart. Split it into fields.');
      if (type !== 'boolean') out.oneOf = options;
    } else if (type === 'string') text(from, out, at);
    else if (type === 'number' || type === 'integer') number(from, out);
    else if (type === 'array') {
      const list = listOf(from, at, name, seen, depth);
      if (!list) return undefined;
      Object.assign(out, list);
    } else if (type === 'object') {
      const object = objectOf(from, at, name, seen, depth);
      if (!object) return undefined;
      Object.assign(out, object);
    } else if (type !== 'boolean') return void note(lost, at, `has a type that is none (${type}).`);
    if (from.default !== undefined && type !== 'object') out.default = from.default;
    if (isObject(from['x-ui']) && isObject(from['x-ui'].when)) out['x-ui'] = from['x-ui'];
    if (from.readOnly === true) note(lost, at, 'can be changed, though it was read-only; a page has what people decide.');
    return out;
  };

  const text = (from: JsonObject, out: JsonObject, at: string): void => {
    for (const key of ['minLength', 'maxLength']) if (typeof from[key] === 'number') out[key] = from[key];
    if (typeof from.format === 'string') {
      const format = FORMATS[from.format];
      if (format) out.format = format;
      else note(lost, at, `is a text of any form; "${from.format}" is no format here.`);
    }
    if (typeof from.pattern === 'string') {
      let sentence: string | undefined;
      try {
        if (slowness(from.pattern)) sentence = 'has no pattern any more: the one it had can be slow on long texts.';
      } catch {
        sentence = 'has no pattern any more: the one it had is no regular expression of JavaScript.';
      }
      if (sentence) note(lost, at, sentence);
      else out.pattern = from.pattern;
    }
  };
  const number = (from: JsonObject, out: JsonObject): void => {
    for (const key of NUMBERS) if (typeof from[key] === 'number') out[key] = from[key];
    if (typeof from.divisibleBy === 'number') out.multipleOf = from.divisibleBy;
    // Draft 4 said with true that the bound itself is not meant.
    for (const [flag, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const)
      if (from[flag] === true && typeof from[bound] === 'number') {
        out[flag] = from[bound];
        delete out[bound];
      }
  };
  const listOf = (from: JsonObject, at: string, name: string, seen: string[], depth: number): JsonObject | undefined => {
    const tuple = Array.isArray(from.prefixItems) ? from.prefixItems : Array.isArray(from.items) ? from.items : undefined;
    if (tuple && new Set(tuple.map(one => JSON.stringify(one))).size > 1)
      return void note(lost, at, 'is a list whose places mean different things. Make it an object with a name for each place.');
    const items = field((tuple ? tuple[0] : from.items) ?? { type: 'string' }, `${at}/items`, name.replace(/s$/, ''), seen, depth + 1);
    if (!items) return undefined;
    if (items.type === 'array') return void note(lost, at, 'is a list of lists. Make its inner part an object with a name.');
    if (items['x-ui']) delete items['x-ui'];
    const out: JsonObject = { items };
    for (const key of ['minItems', 'maxItems', 'uniqueItems']) if (from[key] !== undefined) out[key] = from[key] as JsonValue;
    return out;
  };
  const objectOf = (from: JsonObject, at: string, name: string, seen: string[], depth: number): JsonObject | undefined => {
    const properties = isObject(from.properties) ? from.properties : {};
    const patterns = isObject(from.patternProperties) ? Object.values(from.patternProperties) : [];
    const open = patterns[0] ?? (isObject(from.additionalProperties) ? from.additionalProperties : undefined);
    if (Object.keys(properties).length === 0)
      return open === undefined
        ? void note(lost, at, 'is an object that may have any members. Say which ones.')
        : mapOf(open as JsonValue, at, name, seen, depth);
    if (open !== undefined) note(lost, at, 'has the members that are named, and no further ones of any name.');
    const out: JsonObject = { additionalProperties: false, properties: {} };
    const renamed: Record<string, string> = {};
    const required = new Set(Array.isArray(from.required) ? (from.required as string[]) : []);
    for (const [key, raw] of Object.entries(properties)) {
      // A file of that form names its schema there; a page has no such field.
      if (depth === 0 && key === '$schema') continue;
      if (isObject(raw) && raw.required === true) required.add(key);
      const made = field(
        isObject(raw) && typeof raw.required === 'boolean' ? { ...raw, required: [] } : (raw as JsonValue),
        at + pointer(['properties', key]),
        key,
        seen,
        depth + 1,
      );
      if (!made) continue;
      const own = memberName(key, new Set(Object.keys(out.properties as JsonObject)), depth === 0);
      if (own !== key) {
        made.$comment = `"${key}" in the schema that this page was made of.`;
        note(
          changed,
          `${at + pointer(['properties', key])} → ${own}`,
          'is called something else, with its own name in "$comment": names are letters, digits, _, - and $, and those that every page has are taken.',
        );
      }
      renamed[key] = own;
      (out.properties as JsonObject)[own] = made;
    }
    for (const made of Object.values(out.properties as JsonObject)) {
      const when = isObject(made) && isObject(made['x-ui']) && isObject(made['x-ui'].when) ? made['x-ui'].when : undefined;
      for (const key of Object.keys(when ?? {}))
        if (renamed[key] === undefined) delete (made as JsonObject)['x-ui'];
        else if (when && renamed[key] !== key) (made as JsonObject)['x-ui'] = { when: { [renamed[key]]: when[key] as JsonValue } };
    }
    if (Object.keys(out.properties as JsonObject).length === 0) return undefined;
    const needed = [...required].flatMap(key => renamed[key] ?? []);
    if (needed.length) out.required = needed;
    return out;
  };
  /** Members of any name: names with texts, or a list of objects that have their name as a field. */
  const mapOf = (open: JsonValue, at: string, name: string, seen: string[], depth: number): JsonObject | undefined => {
    const inner = field(open, `${at}/*`, name, seen, depth + 1);
    if (!inner) return undefined;
    if (inner.type === 'string' && !inner.oneOf) {
      note(changed, at, 'is a table of names and texts.');
      const { title: _title, default: _default, ...value } = inner;
      return { additionalProperties: value };
    }
    const key = { title: 'Name', type: 'string', minLength: 1, maxLength: 100 };
    const isPlain = inner.type !== 'object' || !isObject(inner.properties);
    const fields: JsonObject = isPlain ? { value: { ...inner, title: 'Value' } } : (inner.properties as JsonObject);
    if (fields.key !== undefined)
      return void note(lost, at, 'is an object with members of any name, which have a field "key" already. Make it a list.');
    note(changed, at, 'is a list instead of an object with members of any name; each entry has its name in "key".');
    const required = Array.isArray(inner.required) ? (inner.required as string[]) : [];
    return {
      type: 'array',
      items: {
        title: humanise(name.replace(/s$/, '')) || 'Entry',
        type: 'object',
        additionalProperties: false,
        required: ['key', ...required],
        properties: { key, ...fields },
      },
    };
  };

  const isList = source.type === 'array' || (source.items !== undefined && source.properties === undefined);
  if (isList) note(changed, '', 'is a page with one field "entries" that holds the list.');
  const root = field(
    isList ? { title: source.title ?? 'Settings', type: 'object', properties: { entries: source } } : source,
    '',
    'settings',
    [],
    0,
  );
  const isPage = root && root.type === 'object' && isObject(root.properties);
  if (root && !isPage)
    note(lost, '', 'has no fields of its own, only entries of any name. Name the fields, or wrap it: { "properties": { "entries": … } }.');
  return { schema: isPage ? root : {}, changed, lost, unions };
}
