// A form with everything around it: save bar, shortcut, guard, draft, conflict. Pages for records and settings only
// say where it comes from and where it goes.
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { Lock } from 'lucide-react';
import type { Validator } from '../../../contract/validation/validate.ts';
import type { JsonObject, Schema, Section } from '../../../contract/types.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { useDraft } from './draft.ts';
import { useGuard } from './guard.ts';
import { SaveBar } from './save-bar.tsx';
import { SchemaForm } from '../engine/schema-form.tsx';
import type { Facts } from '../engine/store.ts';
import { FormStore } from '../engine/store.ts';
import { useSave } from './use-save.ts';
import type { Sending } from './use-save.ts';
import { CallError } from '../../platform/transport/transport.ts';
import type { FormHandle, FormServices } from '../fields/widget.ts';
import { intlLocale, t } from '../../../domain/text/t.ts';

export interface EditableFormProps {
  schema: Schema;
  validator: Validator | undefined;
  /** The record as it was read. A newer one replaces it as long as nothing was changed here. */
  value: JsonObject;
  /** Undefined for something new. */
  version: number | undefined;
  /** What drafts are kept under: "setting/general", "selling-plan-group/41". */
  name: string;
  sections?: Section[] | undefined;
  side?: Section[] | undefined;
  facts: Facts;
  services: FormServices;
  readOnly: string | false;
  /** Whether a permission is held, for sections that name one: without READ they are left out, without WRITE shown as text. */
  may?: (area: string, mode: 'READ' | 'WRITE') => boolean;
  currency?: string | undefined;
  timezone?: string | undefined;
  now?: () => number;
  /** The button's text of something new. */
  create?: string;
  onCancel?: () => void;
  send: (what: Sending) => Promise<JsonObject>;
  /** The record as it is now, in the form's shape: what a conflict is compared with. Without it, what the refusal carries. */
  read?: () => Promise<JsonObject>;
  onSaved?: (answer: JsonObject) => void;
  renderSection?: (section: Section, value: JsonObject) => ReactNode;
}

/** The members that the schema knows; records carry more (id, who changed them). */
export function known(schema: Schema, record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => schema.properties?.[name]));
}

/** The sections a person may see, and the fields among them that they may not change. */
function permitted(sections: Section[] | undefined, side: Section[] | undefined, may: EditableFormProps['may']) {
  const locked = new Set<string>();
  const seen = (list: Section[] | undefined) =>
    list?.filter(section => {
      if (!section.permission || !may) return true;
      if (!may(section.permission, 'WRITE') && 'fields' in section) for (const name of section.fields) locked.add(name.split('.')[0]!);
      return may(section.permission, 'READ');
    });
  return { sections: seen(sections), side: seen(side), locked };
}

/** The same refusal, with the record as it can be read now. */
async function withCurrent(error: CallError, read: () => Promise<JsonObject>): Promise<never> {
  const { conflict } = error;
  const current = await read().catch(() => undefined);
  if (!conflict || !current) throw error;
  throw new CallError(error.status, {
    code: error.code,
    message: error.message,
    requestId: error.requestId,
    conflict: { ...conflict, current, version: typeof current.version === 'number' ? current.version : conflict.version },
  });
}

export function EditableForm(props: EditableFormProps) {
  const {
    schema,
    validator,
    value,
    version,
    name,
    sections: allSections,
    side: allSides,
    facts,
    services,
    readOnly,
    may,
    currency,
    timezone,
    now,
    create,
    onCancel,
    send,
    read,
    onSaved,
    renderSection,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const { sections, side, locked } = useMemo(() => permitted(allSections, allSides, may), [allSections, allSides, may]);
  // One store for the life of the page: a record that is read again must not take what was typed.
  const store = useMemo(
    () => new FormStore({ schema, facts, value: known(schema, value), ...(validator ? { validator } : {}) }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- newer values arrive below
    [schema, validator, name],
  );
  const isGone = useRef(false);
  const isLeaving = useCallback(() => isGone.current, []);
  const base = useRef({ value, version });
  useEffect(() => {
    if (base.current.value === value || (base.current.version === version && version !== undefined)) return;
    if (store.isDirty()) return;
    base.current = { value, version };
    store.saved(store.value, known(schema, value));
  }, [store, schema, value, version]);

  const save = useSave({
    store,
    version: base.current.version,
    within: box,
    send: useCallback(
      async (what: Sending) => {
        const answer = await send(what).catch((error: unknown) =>
          read && error instanceof CallError && error.conflict ? withCurrent(error, read) : Promise.reject(error as Error),
        );
        base.current = { value: answer, version: typeof answer.version === 'number' ? answer.version : base.current.version };
        return known(schema, { ...what.value, ...answer });
      },
      [send, read, schema],
    ),
    onSaved: useCallback(
      (answer: JsonObject) => {
        if (create !== undefined) isGone.current = true;
        onSaved?.({ ...answer, ...base.current.value });
      },
      [create, onSaved],
    ),
  });
  const { draft, giveUp } = useDraft(store, name, readOnly === false, isLeaving);
  useGuard(store, isLeaving, giveUp);
  const { conflict } = save;
  const theirs = useMemo(() => (conflict ? known(schema, conflict.current) : undefined), [conflict, schema]);
  const submit = useCallback(() => void save.save(), [save]);
  const handle = useMemo<FormHandle>(
    () => ({ store, facts, services, readOnly, currency: currency ?? 'USD', timezone: timezone ?? 'UTC', now: now ?? Date.now }),
    [store, facts, services, readOnly, currency, timezone, now],
  );

  return (
    <div ref={box}>
      {readOnly !== false && (
        <p className="p-banner f-why" data-tone="neutral">
          <Lock aria-hidden="true" />
          {readOnly}
        </p>
      )}
      {draft && readOnly === false && (
        <div className="p-banner f-why f-draft" role="status">
          <span className="p-grow">
            {draftText(draft.count, draft.at.toLocaleTimeString(intlLocale(), { hour: 'numeric', minute: '2-digit' }))}
          </span>
          <button type="button" className="p-btn p-btn-s" onClick={draft.drop}>
            {t`Dismiss`}
          </button>
          <button type="button" className="p-btn p-btn-s p-btn-primary" onClick={draft.restore}>
            {t`Restore`}
          </button>
        </div>
      )}
      <SchemaForm
        schema={schema}
        value={value}
        store={store}
        readOnly={readOnly}
        locked={locked}
        services={services}
        onSubmit={submit}
        {...(sections ? { sections } : {})}
        {...(side ? { side } : {})}
        {...(currency ? { currency } : {})}
        {...(timezone ? { timezone } : {})}
        {...(now ? { now } : {})}
        {...(renderSection ? { renderSection: (section: Section) => renderSection(section, store.result()) } : {})}
      />
      {readOnly === false && (
        <SaveBar store={store} save={save} within={box} {...(create !== undefined ? { create } : {})} {...(onCancel ? { onCancel } : {})} />
      )}
      {conflict && theirs && (
        <ConflictDialog
          form={handle}
          conflict={conflict}
          current={theirs}
          isSaving={save.isSaving}
          onClose={save.settle}
          onMerged={(merged, current, newest) => {
            store.baseline = current;
            store.put(merged);
            base.current = { value: conflict.current, version: newest };
            void save.save(newest);
          }}
        />
      )}
    </div>
  );
}

/** `at`: a time of day. */
const draftText = (n: number, at: string): string =>
  n === 1
    ? t`Restore your unsaved changes? One field was changed here at ${at} and not saved.`
    : t`Restore your unsaved changes? ${n} fields were changed here at ${at} and not saved.`;
