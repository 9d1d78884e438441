// The dialog of an action: what it will do in words, the parameters that are still open as a form, one button that does it.
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CircleAlert } from 'lucide-react';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { template } from '../../../contract/find.ts';
import type { Action, JsonObject, Schema } from '../../../contract/types.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { hasKeyboard } from '../../ui/keyboard.ts';
import type { SendOptions } from '../../platform/transport/transport.ts';
import { holdFirst } from '../page/focus.ts';
import { useChannel } from '../engine/hooks.ts';
import { SchemaForm } from '../engine/schema-form.tsx';
import type { Facts } from '../engine/store.ts';
import { FormStore } from '../engine/store.ts';
import { drawOnly } from '../engine/undrawn-fields.ts';
import { useSave } from '../page/use-save.ts';
import type { FormServices } from '../fields/widget.ts';
import { language, t } from '../../../domain/text/t.ts';

export interface ActionDialogProps {
  action: Action;
  /** The input of the call, flat ("calls/<name>" of the definitions), and its validator. */
  schema: Schema;
  validator: Validator | undefined;
  /** Parameters that are known: from the action's `with` and the record's key. */
  given: JsonObject;
  /** For the texts: "{name}". */
  record: JsonObject;
  /** Values to begin with for the open parameters, over the schema's defaults. */
  initial?: JsonObject;
  facts: Facts;
  services: FormServices;
  currency?: string;
  timezone?: string;
  now?: () => number;
  run: (input: JsonObject, options: SendOptions) => Promise<unknown>;
  onDone: (answer: unknown, input: JsonObject) => void;
  onClose: () => void;
  /** Shows what the action would do with the values as they are typed. */
  preview?: (value: JsonObject) => ReactNode;
  /** Stands below what is asked. */
  note?: ReactNode;
}

/** The parameters a person is asked for: those of `prompt`, else everything required that isn't given. */
export function openParameters(schema: Schema, given: JsonObject, ask?: string[]): string[] {
  const names = Object.keys(schema.properties ?? {}).filter(
    name => !(name in given) && !schema.properties![name]!.readOnly && schema.properties![name]!['x-ui']?.widget !== 'unseen',
  );
  return ask ? ask.filter(name => schema.properties?.[name]) : names.filter(name => schema.required?.includes(name));
}

export function ActionDialog({
  action,
  schema,
  validator,
  given,
  record,
  initial,
  facts,
  services,
  currency,
  timezone,
  now,
  run,
  onDone,
  onClose,
  preview,
  note,
}: ActionDialogProps) {
  const box = useRef<HTMLDivElement>(null);
  // One form from opening to closing: a record that is read again meanwhile must not take what was typed. Everything is validated, only
  // the open parameters are drawn: what is given may decide what is asked.
  const [{ names, shown, store }] = useState(() => {
    const names = openParameters(schema, given, action.prompt);
    const shown = drawOnly(schema, names);
    const value = { ...startOf(shown, names, initial), ...given };
    return { names, shown, store: new FormStore({ schema: shown, facts, value, ...(validator ? { validator } : {}) }) };
  });
  const sections = useMemo(() => [{ fields: names }], [names]);
  const [answer, setAnswer] = useState<{ value: unknown }>();
  // What was answered is not sent again, even by a press that comes before the dialog has gone.
  const isDone = useRef(false);
  const save = useSave({
    store,
    version: undefined,
    within: box,
    send: async ({ value, key }) => {
      const given = await run(value, { key });
      isDone.current = true;
      setAnswer({ value: given });
      onDone(given, value);
      return store.value;
    },
  });
  // What is asked first is answered first, without the mouse; on a phone the keyboard would hide the rest of the question.
  useEffect(() => (names.length && hasKeyboard() ? holdFirst(() => box.current) : undefined), [names]);
  const submit = () => {
    if (!isDone.current) void save.save();
  };
  const hasRows = names.some(name => schema.properties?.[name]?.['x-ui']?.widget === 'rows');
  const title = template(action.confirmTitle ?? action.title, record);
  const isBusy = save.isSaving || answer !== undefined;
  const submitText = template(action.submit ?? action.title, record);
  // "Cancel" beside "Cancel subscription" would leave open which of them cancels what.
  const dismiss = action.dismiss
    ? template(action.dismiss, record)
    : action.tone === 'critical' || isCancelling(submitText)
      ? t`Back`
      : t.as('dialog')`Cancel`;
  const tone = action.tone === 'critical' ? 'p-btn-danger' : 'p-btn-primary';
  return (
    <Dialog
      title={title}
      size={hasRows ? 'l' : preview || names.length > 3 ? 'm' : 's'}
      busy={isBusy}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" disabled={isBusy} onClick={onClose}>
            {dismiss}
          </button>
          <button type="button" className={`p-btn ${tone}`} aria-busy={isBusy} onClick={submit} autoFocus={!names.length}>
            {submitText}
          </button>
        </>
      }
    >
      <div ref={box} className="f-ask">
        {action.confirm && <p>{template(action.confirm, record)}</p>}
        {names.length > 0 && (
          <SchemaForm
            plain
            schema={shown}
            value={store.value}
            store={store}
            sections={sections}
            services={services}
            onSubmit={submit}
            {...(currency ? { currency } : {})}
            {...(timezone ? { timezone } : {})}
            {...(now ? { now } : {})}
          />
        )}
        {preview && <Follow store={store} draw={preview} />}
        {save.failure && (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            <span>
              {save.failure.message}
              {save.failure.requestId && t` (request ${save.failure.requestId})`}
            </span>
          </p>
        )}
        {note}
      </div>
    </Dialog>
  );
}

/** A button whose words begin with those of the button that leaves the dialog; in other languages they may stand anywhere. */
const isCancelling = (submit: string): boolean =>
  language() === 'en'
    ? /^cancel/i.test(submit)
    : [t`Cancel`, t.as('dialog')`Cancel`].some(word => submit.toLowerCase().includes(word.toLowerCase()));

/** Draws what follows the values of the form. */
function Follow({ store, draw }: { store: FormStore; draw: (value: JsonObject) => ReactNode }) {
  useChannel(store, '/**');
  return draw(store.result());
}

function startOf(schema: Schema, names: string[], initial: JsonObject | undefined): JsonObject {
  const promptSchema: Schema = { type: 'object', properties: Object.fromEntries(names.map(name => [name, schema.properties![name]!])) };
  return withDefaults<JsonObject>(promptSchema, Object.fromEntries(Object.entries(initial ?? {}).filter(([name]) => names.includes(name))));
}
