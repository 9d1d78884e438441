// A form from a schema: rjsf hosts it, our fields draw it, our store keeps it.
import { useEffect, useId, useMemo, useRef } from 'react';
import type { FormEvent, ReactNode, RefObject } from 'react';
import RjsfForm from '@rjsf/core';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import type { Validator } from '../../../contract/validation/validate.ts';
import type { FieldError, JsonObject, Schema, Section } from '../../../contract/types.ts';
import { focusField } from '../page/focus.ts';
import { useLatest } from './hooks.ts';
import { SchemaField } from './schema-field.tsx';
import type { RootHandle } from '../page/sections.tsx';
import { sectionsOf } from '../page/sections.tsx';
import { noServices } from '../fields/services.ts';
import type { Facts } from './store.ts';
import { FormStore } from './store.ts';
import type { FormServices } from '../fields/widget.ts';
import '../form.css';

export interface SchemaFormProps {
  schema: Schema;
  /** Compiled ahead of time (`virtual:perennial/validator/…`). */
  validator?: Validator;
  /** What the form begins with. Another object puts another value in and forgets what was typed. */
  value: JsonObject;
  /** Sections of the screen; without any the schema's own order, every titled object a section. */
  sections?: Section[];
  side?: Section[];
  facts?: Facts;
  /** Why nothing can be changed: everything is then shown as text. */
  readOnly?: string | false;
  locked?: ReadonlySet<string>;
  /** What the server refused; shown at the fields until they are changed. */
  errors?: FieldError[];
  services?: FormServices;
  currency?: string;
  timezone?: string;
  now?: () => number;
  /** Without cards, for dialogs. */
  plain?: boolean;
  /** A store made outside, when something beside the form (a save bar) needs it too; then `value` is its affair. */
  store?: FormStore;
  id?: string;
  label?: string;
  onChange?: (value: JsonObject) => void;
  /** Called with the checked value, without what conditions hide. */
  onSubmit?: (value: JsonObject) => void;
  /** Draws sections that aren't fields. */
  renderSection?: (section: Section) => ReactNode;
  children?: ReactNode;
}

// rjsf asks for a validator of its own kind; ours validates in the store, so this one is never asked anything that matters.
const unusedValidator: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: () => true,
  rawValidation: () => ({}),
};
const fields = { SchemaField: SchemaField as never };
const keepAsItIs = { emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' } } as const;
const emptyData: JsonObject = {};

/** Draws a form for a schema. See SchemaFormProps; `useFormStore` makes the store when it has to be shared. */
export function SchemaForm(props: SchemaFormProps) {
  const {
    schema,
    validator,
    value,
    facts,
    readOnly = false,
    errors,
    services,
    currency,
    timezone,
    now = Date.now,
    plain = false,
    sections,
    side,
    onChange,
    onSubmit,
    renderSection,
    children,
    id,
    label,
    locked,
  } = props;
  const own = useMemo(
    () => props.store ?? new FormStore({ schema, value, ...(validator ? { validator } : {}), ...(facts ? { facts } : {}) }),
    [props.store, schema, value, validator, facts],
  );
  const formRef = useRef<HTMLElement>(null);
  const latest = useLatest({ onChange, onSubmit, renderSection });
  const prefix = `f${useId().replace(/\W/g, '')}`;

  const handle = useMemo<RootHandle>(
    () => ({
      store: own,
      facts: own.facts,
      services: services ?? noServices,
      readOnly,
      plain,
      ...(locked ? { locked } : {}),
      currency: currency ?? text(own.facts['store.currency']) ?? 'USD',
      timezone: timezone ?? text(own.facts['store.timezone']) ?? 'UTC',
      now,
      sections: sections?.length ? sections : sectionsOf(schema),
      side: side ?? [],
      renderSection: section => latest.current.renderSection?.(section) ?? null,
    }),
    [own, services, readOnly, locked, plain, currency, timezone, now, sections, side, schema, latest],
  );

  useEffect(() => {
    let last = own.value;
    return own.subscribe('*', () => {
      if (own.value === last) return;
      last = own.value;
      latest.current.onChange?.(own.value);
    });
  }, [own, latest]);
  useEffect(() => {
    if (errors?.length) own.refuse(errors);
  }, [own, errors]);

  const submit = useMemo(() => (_data: unknown, _event: FormEvent) => submitForm(own, formRef, latest.current.onSubmit), [own, latest]);
  const form = useMemo(
    () => (
      <RjsfForm
        schema={schema as RJSFSchema}
        formData={emptyData}
        validator={unusedValidator}
        formContext={handle}
        fields={fields}
        idPrefix={prefix}
        onSubmit={submit}
        {...(id ? { id } : {})}
        noValidate
        noHtml5Validate
        showErrorList={false}
        experimental_defaultFormStateBehavior={keepAsItIs}
        experimental_componentUpdateStrategy="shallow"
        className={plain ? 'f-form f-form-plain' : 'f-form'}
      >
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </RjsfForm>
    ),
    [schema, handle, prefix, submit, id, plain],
  );
  return (
    <div className="f-root" ref={formRef as RefObject<HTMLDivElement>} role={label ? 'group' : undefined} aria-label={label}>
      {form}
      {children}
    </div>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** Checks the form; hands the value on, or goes to the first field with an error. Answers whether it could be handed on. */
export function submitForm(store: FormStore, within: RefObject<HTMLElement | null>, onSubmit?: (value: JsonObject) => void): boolean {
  if (store.check()) {
    onSubmit?.(store.result());
    return true;
  }
  const first = store.errors().find(({ pointer }) => store.isDrawn(pointer));
  if (first) focusField(store, first.pointer, within.current);
  return false;
}
