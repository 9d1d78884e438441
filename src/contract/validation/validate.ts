// Validates data by a schema as the person sees it: hidden fields don't count, every failure is a sentence at its field.
import type { FieldError, JsonValue, Schema, When } from '../types.ts';
import { hiddenPointers, holds, inside } from './condition.ts';
import { conditionErrors } from '../conditions.ts';
import { overLimits } from './limits.ts';
import { atPointer, humanise, parts, pointer, schemaAt, without } from '../paths.ts';
import { comparisons } from './comparisons.ts';
import { sentence, type AjvError } from './sentences.ts';
import { inSentence, t, translated } from '../../domain/text/t.ts';

export type { AjvError } from './sentences.ts';
/** A compiled schema, made at build time for the browser and at start for the server (compile.ts). */
export type Validator = ((data: unknown) => boolean) & { errors?: AjvError[] | null };

/** Fields that an answer names at most; those after them are counted. */
export const MOST_ERRORS = 50;
/** The most failures that an error lists or counts; more would not help to correct the input. */
export const MOST_COUNTED = 1000;
/** Failures that are judged at once: far more than a form has fields. */
const PORTION = 500;

/** Which of several failures at one field is shown: the most basic one. */
const ORDER = ['required', 'additionalProperties', 'type', 'const', 'enum', 'oneOf', 'anyOf', 'minLength', 'minItems', 'format', 'pattern'];
const rank = (rule: string): number => {
  const i = ORDER.indexOf(rule);
  return i < 0 ? ORDER.length : i;
};

/**
 * What is wrong with the data, one entry per field, in the order of the form; empty when nothing is. Hidden fields are neither
 * required nor validated, whatever they hold; what is read only is not required. A missing member is
 * reported at the member's own pointer. Of more than a thousand the rest is left out.
 */
export function validate(schema: Schema, validator: Validator, data: unknown, facts: Record<string, JsonValue> = {}): FieldError[] {
  const hidden = hiddenPointers(schema, data, facts);
  const shown = without(data, hidden);
  const beyond = [...overLimits(schema, shown, facts), ...conditionErrors(schema, shown)];
  const compared = comparisons(schema, shown);
  if (validator(shown) && !beyond.length && !compared.length) return [];
  const found = new Map<string, FieldError>();
  const judge = (error: AjvError): void => {
    const at = placeOf(error);
    if (inside(at, hidden)) return;
    const field = schemaAt(schema, error.keyword === 'additionalProperties' ? error.instancePath : at) ?? {};
    // What only the server sets can't be filled in.
    if (error.keyword === 'required' && field.readOnly) return;
    if (field['x-ui']?.optional && mayBeEmpty(field['x-ui'].optional, at, shown, facts)) return;
    const message = sentence(error, field, titleOf(field, at, schema), atPointer(shown, at));
    const before = found.get(at);
    if (!before || rank(error.keyword) < rank(before.rule)) found.set(at, { pointer: at, rule: error.keyword, message });
  };
  for (const error of compared) judge(error);
  // Made to be wrong in thousands of places, data is judged in portions until enough is found; the rest is counted.
  const failures = validator.errors ?? [];
  let judged = 0;
  for (; judged < failures.length && (judged === 0 || found.size < MOST_ERRORS); judged += PORTION)
    settle(failures.slice(judged, judged + PORTION)).forEach(judge);
  for (const error of beyond) if (!found.has(error.pointer)) found.set(error.pointer, error);
  const sorted = [...found.values()]
    .map(error => ({ error, key: order(schema, error.pointer) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ error }) => error);
  for (const failure of failures.slice(judged)) {
    if (sorted.length >= MOST_COUNTED) break;
    const at = placeOf(failure);
    if (found.has(at)) continue;
    const error = { pointer: at, rule: failure.keyword, message: t`This is wrong too.` };
    found.set(at, error);
    sorted.push(error);
  }
  return sorted;
}

/** Whether a field that holds nothing is allowed to (`x-ui.optional`). */
function mayBeEmpty(optional: When, at: string, data: unknown, facts: Record<string, JsonValue>): boolean {
  const value = atPointer(data, at);
  return (
    (value === undefined || value === null || value === '') &&
    holds(optional, { siblings: atPointer(data, at.slice(0, at.lastIndexOf('/'))), root: data, facts })
  );
}

/** Where a failure belongs: a missing or surplus member is named by its own pointer. */
function placeOf(error: AjvError): string {
  const member =
    error.keyword === 'required'
      ? error.params.missingProperty
      : error.keyword === 'additionalProperties'
        ? error.params.additionalProperty
        : undefined;
  return typeof member === 'string' ? error.instancePath + pointer([member]) : error.instancePath;
}

function titleOf(field: Schema, at: string, root: Schema): string {
  if (field.title) return field.title;
  const names = parts(at);
  const last = names.at(-1);
  if (last === undefined) return root.title ?? t`This`;
  if (!/^\d+$/.test(last)) return humanise(last);
  const list = schemaAt(root, pointer(names.slice(0, -1)));
  const [n, name] = [Number(last) + 1, names.at(-2)];
  const title = list?.title ?? (name === undefined ? undefined : humanise(name));
  return title === undefined ? t`Entry ${n} of the list` : t`Entry ${n} of ${inSentence(translated(title))}`;
}

/** A sortable key: positions of the fields in their schemas, so that errors come in the order of the form. */
function order(schema: Schema, at: string): string {
  let here: Schema | undefined = schema;
  return parts(at)
    .map(part => {
      const names = Object.keys(here?.properties ?? {});
      const i = names.indexOf(part);
      here = i >= 0 ? here?.properties?.[part] : here?.items;
      return String(i >= 0 ? i : /^\d+$/.test(part) ? Number(part) : 99999).padStart(6, '0');
    })
    .join('/');
}

/**
 * One failure instead of one per alternative: options become "choose one of", of other alternatives the failures of the branch whose
 * type fits are kept.
 */
export function settle(errors: readonly AjvError[]): AjvError[] {
  let rest = [...errors];
  const groups = rest
    .filter(error => error.keyword === 'anyOf' || error.keyword === 'oneOf')
    .sort((a, b) => a.schemaPath.length - b.schemaPath.length);
  for (const group of groups) {
    if (!rest.includes(group)) continue;
    const branchOf = (error: AjvError): string | undefined => {
      if (
        error === group ||
        !error.schemaPath.startsWith(group.schemaPath + '/') ||
        !(error.instancePath === group.instancePath || error.instancePath.startsWith(group.instancePath + '/'))
      )
        return undefined;
      return error.schemaPath.slice(group.schemaPath.length + 1).split('/')[0];
    };
    const inner = rest.filter(error => branchOf(error) !== undefined);
    const branches = [...new Set(inner.map(branchOf))];
    const fitting =
      group.keyword === 'anyOf'
        ? branches.filter(
            branch =>
              !inner.some(
                error =>
                  branchOf(error) === branch &&
                  error.instancePath === group.instancePath &&
                  ['type', 'const', 'enum'].includes(error.keyword),
              ),
          )
        : [];
    rest = rest.filter(error => (error === group ? fitting.length === 0 : branchOf(error) === undefined || branchOf(error) === fitting[0]));
  }
  return rest;
}
