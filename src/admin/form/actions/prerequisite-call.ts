// Actions that make another call first (`first`): one dialog asks for the parameters of both, and what the first answers fills the second.
import { useCallback, useMemo, useRef } from 'react';
import { at } from '../../../contract/paths.ts';
import type { Action, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import type { AjvError, Validator } from '../../../contract/validation/validate.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { useValidation } from '../../platform/validators.ts';
import { CallError, type SendOptions } from '../../platform/transport/transport.ts';

interface Validation {
  schema: Schema;
  validator: Validator;
}
const pick = (value: JsonObject, fits: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => fits(name)));

/** Schema and validator of the action's call, joined with those of the call that goes first; undefined while one of them loads. */
export function usePrerequisite({ prerequisite: first }: Action, validation: Validation | undefined): Validation | undefined {
  const before = useValidation(first && `calls/${first.call}`);
  return useMemo(
    () => (first ? before && validation && join(before, validation, Object.keys(first.provides)) : validation),
    [first, before, validation],
  );
}

/** Both inputs as one form. What the first call gives is neither asked for nor missed. */
function join(first: Validation, second: Validation, given: readonly string[]): Validation {
  const own = first.schema.properties ?? {};
  const schema: Schema = {
    ...second.schema,
    properties: {
      ...own,
      ...(pick((second.schema.properties ?? {}) as JsonObject, name => !given.includes(name)) as Record<string, Schema>),
    },
    required: [...(first.schema.required ?? []), ...(second.schema.required ?? []).filter(name => !given.includes(name))],
  };
  const validator: Validator = data => {
    const value = (data ?? {}) as JsonObject;
    first.validator(pick(value, name => name in own));
    second.validator(pick(value, name => !(name in own)));
    const missed = (error: AjvError): boolean => error.keyword === 'required' && given.includes(String(error.params.missingProperty));
    validator.errors = [...(first.validator.errors ?? []), ...(second.validator.errors ?? []).filter(error => !missed(error))];
    return validator.errors.length === 0;
  };
  return { schema, validator };
}

/**
 * Makes the first call of an action and answers the input of the second. A try that is repeated under the same key (because no answer came)
 * goes on with what the first call gave before. What the service says only by a number is put in words.
 */
export function useSendPrerequisite(
  { prerequisite: first }: Action,
  schema: Schema | undefined,
): ((value: JsonObject, options: SendOptions) => Promise<JsonObject>) | undefined {
  const before = useRef<{ key: string | undefined; answer: JsonValue } | undefined>(undefined);
  const send = useCallback(
    async (value: JsonObject, options: SendOptions): Promise<JsonObject> => {
      if (!first) return value;
      const call = definitions.calls[first.call];
      const names = new Set([...(call?.in ?? []).map(param => param.name), ...Object.keys(call?.body?.properties ?? {})]);
      if (before.current?.key !== options.key || !before.current) {
        try {
          const { data } = await runCall(
            first.call,
            pick(value, name => names.has(name)),
            { ...(options.key ? { key: `${options.key}-first` } : {}) },
          );
          before.current = { key: options.key, answer: data };
        } catch (error) {
          if (!(error instanceof CallError) || call?.host !== 'external') throw error;
          throw (await import('../../platform/transport/external-transport.ts')).inWords(error);
        }
      }
      const answer = before.current.answer;
      return {
        ...pick(value, name => !names.has(name)),
        ...Object.fromEntries(Object.entries(first.provides).map(([name, path]) => [name, at(answer, path) ?? null])),
      };
    },
    [first],
  );
  return first && schema ? send : undefined;
}
