// Editing fields where they stand: the facts of a section give way to a small form of its action's
// parameters. Esc leaves, Ctrl+Enter saves.
import { CircleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import type { Action, JsonObject } from '../../../contract/types.ts';
import { focusField } from '../../form/page/focus.ts';
import { openParameters } from '../../form/actions/action-dialog.tsx';
import { SchemaForm } from '../../form/engine/schema-form.tsx';
import { type Facts, FormStore } from '../../form/engine/store.ts';
import { drawOnly } from '../../form/engine/undrawn-fields.ts';
import { useSave } from '../../form/page/use-save.ts';
import { useFormServices } from '../../form/fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import type { SendOptions } from '../../platform/transport/transport.ts';
import { t } from '../../../domain/text/t.ts';

export interface EditInPlaceProps {
  action: Action;
  /** The full name of its call. */
  call: string;
  given: JsonObject;
  record: JsonObject;
  submit: (input: JsonObject, options: SendOptions) => Promise<void>;
  onClose: () => void;
}

export function EditInPlace({ action, call, given, record, submit, onClose }: EditInPlaceProps): ReactElement {
  const validation = useValidation(`calls/${call}`);
  return validation ? (
    <Form key={call} {...{ action, call, given, record, submit, onClose }} {...validation} />
  ) : (
    <div className="r-edit">
      <span className="p-skeleton r-sk-input" />
    </div>
  );
}

type Validation = NonNullable<ReturnType<typeof useValidation>>;

/** The parameters that are asked for, with what the record says now. */
function begin(
  { action, given, record, schema, validator }: Pick<EditInPlaceProps, 'action' | 'given' | 'record'> & Validation,
  facts: Facts,
): { names: string[]; store: FormStore } {
  const names = openParameters(
    schema,
    given,
    action.prompt ?? Object.keys(schema.properties ?? {}).filter(name => name in record && name !== 'version' && !(name in given)),
  );
  const value: JsonObject = { ...Object.fromEntries(names.map(name => [name, record[name] ?? null])), ...given };
  return { names, store: new FormStore({ schema: drawOnly(schema, names), validator, facts, value }) };
}

function Form({ action, given, record, submit, onClose, schema, validator }: EditInPlaceProps & Validation): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const facts = useFacts();
  const session = useSession();
  const services = useFormServices();
  // One form from opening to closing: a record that is read again must not take what was typed.
  const [{ names, store }] = useState(() => begin({ action, given, record, schema, validator }, facts));
  const save = useSave({
    store,
    version: undefined,
    within: box,
    // The page shows the new value at once; the form closes with the press and comes back when it was refused.
    send: async ({ value, key }) => {
      await submit(value, { key });
      onClose();
      return value;
    },
  });
  useEffect(() => {
    const [first] = names;
    if (first) focusField(store, `/${first}`, box.current);
  }, [store, names]);
  const go = (): void => {
    if (store.isDirty()) void save.save();
    else onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented && !store.isDirty()) {
      event.stopPropagation();
      onClose();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      go();
    }
  };
  const sections = useMemo(() => [{ fields: names }], [names]);
  return (
    <div className="r-edit" ref={box} onKeyDown={onKeyDown} role="group" aria-label={action.title}>
      <SchemaForm
        plain
        schema={store.schema}
        value={store.value}
        store={store}
        sections={sections}
        services={services}
        currency={session.store.currency_code}
        timezone={session.store.timezone}
        now={storeNow}
        onSubmit={go}
      />
      {save.failure && (
        <p className="p-error" role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          <span>
            {save.failure.message}
            {save.failure.requestId && t` (request ${save.failure.requestId})`}
          </span>
        </p>
      )}
      <div className="p-row p-end">
        <button type="button" className="p-btn p-btn-s" disabled={save.isSaving} onClick={onClose}>
          {t.as('dialog')`Cancel`}
        </button>
        <button type="button" className="p-btn p-btn-s p-btn-primary" aria-busy={save.isSaving} onClick={go}>
          {action.submit ?? t`Save`}
        </button>
      </div>
    </div>
  );
}
