// What a flow does: actions one after the other, each with the form that it has as a bulk action too.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { GROUPS, useActionForm, useOfferedActions, type OfferedAction } from '../../src/admin/form/fields/action-catalogue.ts';
import { percent } from '../../src/admin/platform/format.ts';
import { wordsFor } from '../../src/admin/form/fields/show-value.tsx';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { holds } from '../../src/contract/validation/condition.ts';
import { withDefaults } from '../../src/contract/validation/defaults.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import '../../src/admin/form/conditions.css';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

type Entry = {
  action: string;
  input?: JsonObject;
};
const MOST = 10;

export default function FlowActions(props: WidgetProps<JsonValue[]>) {
  const { id, labelId, value, schema, options, form, pointer, change } = props;
  const { actions, error } = useOfferedActions(form.services, textOption(options, 'call'));
  const entries = (value ?? []) as Entry[];
  const put = (next: Entry[]): void => change(next as JsonValue[]);
  const move = (from: number, to: number): void => {
    const next = [...entries];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  if (error) return <p className="p-error">{error}</p>;
  if (!actions) return <span className="p-skeleton p-sk-4 f-wait" />;
  const most = schema.maxItems ?? MOST;
  return (
    <div role="group" aria-labelledby={labelId} className="f-actions">
      <ol className="f-actions-list">
        {entries.map((entry, index) => (
          <li key={index} className="f-action">
            <One
              {...props}
              entry={entry}
              index={index}
              actions={actions}
              error={form.store.errorAt(`${pointer}/${index}/action`)}
              onChange={next => put(entries.map((one, i) => (i === index ? next : one)))}
            />
            <span className="f-action-tools">
              {most > 1 && (
                <>
                  <button
                    type="button"
                    className="p-icon-btn p-icon-btn-s"
                    aria-label={t`Move action ${index + 1} up`}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <ArrowUp aria-hidden="true" />
                  </button>
                  <button
                    type="button"
                    className="p-icon-btn p-icon-btn-s"
                    aria-label={t`Move action ${index + 1} down`}
                    disabled={index === entries.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <ArrowDown aria-hidden="true" />
                  </button>
                </>
              )}
              <button
                type="button"
                className="p-icon-btn p-icon-btn-s f-remove"
                aria-label={t`Remove action ${index + 1}`}
                onClick={() => put(entries.filter((_, i) => i !== index))}
              >
                <Trash2 aria-hidden="true" />
              </button>
            </span>
          </li>
        ))}
      </ol>
      {(most > 1 || entries.length === 0) && (
        <button
          type="button"
          id={id}
          className="p-btn p-btn-s"
          disabled={entries.length >= most}
          onClick={() => put([...entries, { action: '', input: {} }])}
        >
          <Plus aria-hidden="true" />
          {t`Add action`}
        </button>
      )}
    </div>
  );
}

interface OneProps extends Omit<WidgetProps<JsonValue[]>, 'error'> {
  entry: Entry;
  index: number;
  actions: OfferedAction[];
  error: string | undefined;
  onChange(entry: Entry): void;
}

function One({ entry, index, actions, error, form, nested, onChange }: OneProps) {
  const chosen = actions.find(one => one.key === entry.action);
  const schema = useActionForm(form.services, chosen?.form);
  return (
    <div className="f-action-body">
      <select
        className="p-input p-select"
        aria-label={t`Action ${index + 1}`}
        aria-invalid={error ? true : undefined}
        value={entry.action}
        onChange={event => {
          const next = actions.find(one => one.key === event.target.value);
          if (!next) return;
          const empty = (input: JsonObject): void => onChange({ action: next.key, input });
          empty({});
          if (next.form)
            void form.services.schema?.(`actions/${next.form}`).then(found => found && empty(withDefaults<JsonObject>(found, {})));
        }}
      >
        {!chosen && <option value={entry.action}>{entry.action || t`Choose an action`}</option>}
        {Object.entries(GROUPS).map(([group, title]) => (
          <optgroup key={group} label={title}>
            {actions
              .filter(one => one.group === group)
              .map(one => (
                <option key={one.key} value={one.key}>
                  {one.label}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {error && <p className="p-error">{error}</p>}
      {chosen && <p className="p-hint">{chosen.description}</p>}
      {chosen?.form && !schema && <span className="p-skeleton p-sk-4 f-wait" />}
      {schema && (
        <div className="f-action-form" key={entry.action}>
          {nested([index, 'input'], shownOf(inputOf(schema), entry.input ?? {}, form), {
            hideLabel: true,
            label: chosen?.label ?? t`Action`,
          })}
        </div>
      )}
    </div>
  );
}

const shown = new WeakMap<Schema, Map<string, Schema>>();
/** The form without what its conditions hide: it is no part of the flow's own schema, so the form's own check leaves them out. */
function shownOf(schema: Schema, input: JsonObject, form: FormHandle): Schema {
  const names = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    holds(field['x-ui']?.when, { siblings: input, root: input, facts: form.facts }) ? [name] : [],
  );
  const known = shown.get(schema) ?? new Map<string, Schema>();
  shown.set(schema, known);
  const key = names.join(' ');
  const before = known.get(key);
  if (before) return before;
  const properties = Object.fromEntries(names.map(name => [name, schema.properties?.[name] ?? {}]));
  const made: Schema = { ...schema, properties, required: (schema.required ?? []).filter(name => names.includes(name)) };
  known.set(key, made);
  return made;
}

const forms = new WeakMap<Schema, Schema>();
/** The form without the words that stand above it already. */
function inputOf(schema: Schema): Schema {
  let found = forms.get(schema);
  if (!found) {
    const { description: _description, 'x-record': _record, ...rest } = schema;
    forms.set(schema, (found = rest));
  }
  return found;
}

export function Show({ value, options, form }: { value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle }) {
  const { actions = [] } = useOfferedActions(form.services, textOption(options, 'call'));
  const entries = (Array.isArray(value) ? value : []) as Entry[];
  if (entries.length === 0) return <>{t`Nothing`}</>;
  return (
    <ol className="f-conditions-words">
      {entries.map((entry, i) => (
        <li key={i}>
          <Words entry={entry} offered={actions.find(one => one.key === entry.action)} form={form} />
        </li>
      ))}
    </ol>
  );
}

/** The member beside a discount's value that says what it is. */
const typeOf = (field: Schema): string => textOption((field['x-ui']?.options ?? {}) as JsonObject, 'typeField') ?? 'type';

function Words({ entry, offered, form }: { entry: Entry; offered: OfferedAction | undefined; form: FormHandle }) {
  const schema = useActionForm(form.services, offered?.form);
  const input = entry.input ?? {};
  const details = Object.entries(schema ? (shownOf(schema, input, form).properties ?? {}) : {}).flatMap(([name, field]) => {
    const value = input[name];
    const isPercent = field['x-ui']?.widget === 'discount-value' && input[typeOf(field)] === 'PERCENTAGE';
    const words = value === undefined ? undefined : isPercent ? percent(Number(value)) : wordsFor(value, field, form.currency);
    return words ? [`${field.title ?? name}: ${words}`] : [];
  });
  return (
    <>
      {offered?.label ?? entry.action}
      {details.length > 0 && <span className="p-hint"> {details.join(' · ')}</span>}
    </>
  );
}
