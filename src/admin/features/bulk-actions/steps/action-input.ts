// What an action needs to know, as a form: its schema, its validator, and a store for what is typed, which outlives the steps.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { withDefaults } from '../../../../contract/validation/defaults.ts';
import type { JsonObject, Schema } from '../../../../contract/types.ts';
import { validate } from '../../../../contract/validation/validate.ts';
import { hasSchema } from '../../../platform/definitions.ts';
import { FormStore } from '../../../form/engine/store.ts';
import { useValidation } from '../../../platform/validators.ts';
import { useFacts, useSession } from '../../../platform/session/session.tsx';
import { type Asked, askedOf } from '../action-input-summary.tsx';
import { inputName } from '../bulk-calls.ts';

/** Of actions that need to know nothing. */
const EMPTY: Schema = { type: 'object', properties: {} };

export interface Input {
  /** Undefined while its code loads. */
  store: FormStore | undefined;
  /** What is sent; validated whether it can be. */
  value: JsonObject;
  isValid: boolean;
  /** What was filled in, in words. */
  asked: Asked[];
}
const NO_INPUT: Input = { store: undefined, value: {}, isValid: false, asked: [] };

/** The form of an action's input. `keep` gets what was typed, to be kept with the draft. */
export function useInput(actionKey: string | undefined, saved: JsonObject | undefined, keep?: (value: JsonObject) => void): Input {
  const facts = useFacts();
  const {
    store: { currency_code: currency },
  } = useSession();
  const name = actionKey && hasSchema(inputName(actionKey)) ? inputName(actionKey) : undefined;
  const validation = useValidation(name);
  const schema = name ? validation?.schema : actionKey ? EMPTY : undefined;
  const store = useMemo(
    () =>
      schema &&
      new FormStore({
        schema,
        ...(validation ? { validator: validation.validator } : {}),
        facts,
        value: withDefaults<JsonObject>(schema, { ...saved }),
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is kept is what it begins with
    [actionKey, schema, facts],
  );
  useEffect(() => {
    if (!store || !keep) return;
    let last = store.value;
    return store.subscribe('*', () => {
      if (store.value === last) return;
      last = store.value;
      keep(store.value);
    });
  }, [store]); // eslint-disable-line react-hooks/exhaustive-deps -- the newest of what is kept is the same function
  const value = useSyncExternalStore(
    then => store?.subscribe('*', then) ?? (() => undefined),
    () => store?.value,
  );
  return useMemo<Input>(() => {
    if (!store || !value) return NO_INPUT;
    const result = store.result();
    const asked = askedOf(store.schema, result, currency);
    return {
      store,
      value: result,
      isValid: !store.validator || validate(store.schema, store.validator, value, store.facts).length === 0,
      asked,
    };
  }, [store, value, currency]);
}
