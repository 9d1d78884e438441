// Someone else saved meanwhile: shows field by field what both changed, lets the person choose, saves the two joined.
import { useId, useMemo, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { dayTime } from '../../platform/format.ts';
import type { Change } from '../engine/changes.ts';
import { merge } from '../engine/changes.ts';
import { withValueAt } from '../engine/path.ts';
import { ShowValue, wordsFor } from '../fields/show-value.tsx';
import type { Conflict } from './use-save.ts';
import type { FormHandle } from '../fields/widget.ts';
import { isEmpty, planOf } from '../fields/widgets.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

export interface ConflictDialogProps {
  form: FormHandle;
  conflict: Conflict;
  /** The fields of the server's record that the form knows. */
  current: JsonObject;
  isSaving: boolean;
  /** The joined value, to be saved over the server's version. */
  onMerged: (merged: JsonObject, current: JsonObject, version: number) => void;
  onClose: () => void;
}

export function ConflictDialog({ form, conflict, current, isSaving, onMerged, onClose }: ConflictDialogProps) {
  const { store } = form;
  const { merged, conflicts, theirs, mine } = useMemo(() => merge(store.schema, store.baseline, store.value, current), [store, current]);
  const [takesTheirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const who = conflict.changedBy || t`Someone else`;
  const when = conflict.changedAt && dayTime(conflict.changedAt);
  const choose = (pointer: string, isTheirs: boolean) =>
    setTheirs(before => {
      const next = new Set(before);
      if (isTheirs) next.add(pointer);
      else next.delete(pointer);
      return next;
    });
  const done = () => {
    let result = merged;
    for (const change of conflicts)
      if (takesTheirs.has(change.pointer)) result = withValueAt(result, change.path, change.from) as JsonObject;
    onMerged(result, current, conflict.version);
  };
  const both = conflicts.length;
  return (
    <Dialog
      title={t`This was changed meanwhile`}
      size="m"
      busy={isSaving}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" disabled={isSaving} onClick={onClose}>
            {t`Keep editing`}
          </button>
          <button type="button" className="p-btn p-btn-primary" aria-busy={isSaving} onClick={done}>
            {both ? t`Save this choice` : t`Save both`}
          </button>
        </>
      }
    >
      <p>
        {when ? tx`${who} saved a newer version on ${when}.` : tx`${who} saved a newer version.`}{' '}
        {both
          ? both === 1
            ? t`You both changed one field. Choose which value to keep.`
            : t`You both changed ${both} fields. Choose which values to keep.`
          : t`You changed different fields, so both can be kept.`}
      </p>
      {both > 0 && (
        <div className="f-conflicts">
          {conflicts.map(change => (
            <Choice
              key={change.pointer}
              change={change}
              who={who}
              form={form}
              isTheirs={takesTheirs.has(change.pointer)}
              onChoose={isTheirs => choose(change.pointer, isTheirs)}
            />
          ))}
        </div>
      )}
      <Others
        title={both ? t`Only you changed` : t`You changed`}
        changes={mine.filter(change => !conflicts.some(other => other.pointer === change.pointer))}
        form={form}
      />
      <Others title={t`Only ${who} changed`} changes={theirs} form={form} />
    </Dialog>
  );
}

function Choice({
  change,
  who,
  form,
  isTheirs,
  onChoose,
}: {
  change: Change;
  who: string;
  form: FormHandle;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}) {
  const name = useId();
  return (
    <fieldset className="f-conflict">
      <legend className="p-strong">{change.title}</legend>
      <label className="f-pick f-pick-value" data-chosen={!isTheirs}>
        <input type="radio" className="p-radio" name={name} checked={!isTheirs} onChange={() => onChoose(false)} />
        <span className="p-hint">{t`Yours`}</span>
        <span className="f-conflict-value">
          <Value change={change} which="to" form={form} />
        </span>
      </label>
      <label className="f-pick f-pick-value" data-chosen={isTheirs}>
        <input type="radio" className="p-radio" name={name} checked={isTheirs} onChange={() => onChoose(true)} />
        <span className="p-hint">{who}</span>
        <span className="f-conflict-value">
          <Value change={change} which="from" form={form} />
        </span>
      </label>
    </fieldset>
  );
}

function Others({ title, changes: all, form }: { title: string; changes: Change[]; form: FormHandle }) {
  const changes = all.filter(change => change.schema['x-ui']?.widget !== 'unseen');
  if (!changes.length) return null;
  return (
    <div className="f-others">
      <h3>{title}</h3>
      <dl>
        {changes.map(change => (
          <div key={change.pointer}>
            <dt>{change.title}</dt>
            <dd>
              <Value change={change} which="to" form={form} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** One of the two values as its field shows it. */
function Value({ change, which, form }: { change: Change; which: 'from' | 'to'; form: FormHandle }) {
  const value = change[which];
  const plan = planOf(change.schema);
  if (isEmpty(value) && typeof plan.options.empty !== 'string') return <span className="p-muted">{t`Nothing`}</span>;
  // A widget that reads the fields beside it would read those of the form, not of this value.
  if (plan.also.length || plan.name === 'discount-value' || plan.name === 'anchor-day')
    return <>{wordsFor(value, change.schema, form.currency)}</>;
  return <ShowValue value={value} plan={plan} form={form} path={change.path} />;
}
