// Someone else saved meanwhile: shows field by field what both changed, lets the person choose, saves the two joined.
import { useId, useMemo, useState } from 'react';
import type { JsonObject } from '../../contract/types.ts';
import { Dialog } from '../float/dialog.tsx';
import { dayTime } from '../format.ts';
import type { Change } from './changes.ts';
import { merge } from './changes.ts';
import { withValueAt } from './path.ts';
import { wordsFor } from './show-value.tsx';
import type { FormStore } from './store.ts';
import type { Conflict } from './use-save.ts';

export interface ConflictDialogProps {
  store: FormStore;
  conflict: Conflict;
  /** The fields of the server's record that the form knows. */
  current: JsonObject;
  currency: string;
  isSaving: boolean;
  /** The joined value, to be saved over the server's version. */
  onMerged: (merged: JsonObject, current: JsonObject, version: number) => void;
  onClose: () => void;
}

export function ConflictDialog({ store, conflict, current, currency, isSaving, onMerged, onClose }: ConflictDialogProps) {
  const { merged, conflicts, theirs, mine } = useMemo(() => merge(store.schema, store.baseline, store.value, current), [store, current]);
  const [takesTheirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const who = conflict.changedBy || 'Someone else';
  const when = conflict.changedAt ? ` on ${dayTime(conflict.changedAt)}` : '';
  const choose = (pointer: string, isTheirs: boolean) => setTheirs(before => {
    const next = new Set(before);
    if (isTheirs) next.add(pointer); else next.delete(pointer);
    return next;
  });
  const done = () => {
    let result = merged;
    for (const change of conflicts) if (takesTheirs.has(change.pointer)) result = withValueAt(result, change.path, change.from) as JsonObject;
    onMerged(result, current, conflict.version);
  };
  const both = conflicts.length;
  return (
    <Dialog title="This was changed meanwhile" size="m" busy={isSaving} onClose={onClose} foot={(
      <>
        <button type="button" className="p-btn" disabled={isSaving} onClick={onClose}>Keep editing</button>
        <button type="button" className="p-btn p-btn-primary" aria-busy={isSaving} onClick={done}>{both ? 'Save this choice' : 'Save both'}</button>
      </>
    )}>
      <p>{who} saved a newer version{when}. {both ? (both === 1 ? 'You both changed one field. Choose which value to keep.' : `You both changed ${both} fields. Choose which values to keep.`) : 'You changed different fields, so both can be kept.'}</p>
      {both > 0 && <div className="f-conflicts">{conflicts.map(change => <Choice key={change.pointer} change={change} who={who} currency={currency} isTheirs={takesTheirs.has(change.pointer)} onChoose={isTheirs => choose(change.pointer, isTheirs)} />)}</div>}
      <Others title={both ? 'Only you changed' : 'You changed'} changes={mine.filter(change => !conflicts.some(other => other.pointer === change.pointer))} currency={currency} />
      <Others title={`Only ${who} changed`} changes={theirs} currency={currency} />
    </Dialog>
  );
}

function Choice({ change, who, currency, isTheirs, onChoose }: { change: Change; who: string; currency: string; isTheirs: boolean; onChoose: (isTheirs: boolean) => void }) {
  const name = useId();
  const words = (which: 'from' | 'to') => wordsFor(change[which], change.schema, currency) ?? 'Nothing';
  return (
    <fieldset className="f-conflict">
      <legend className="p-strong">{change.title}</legend>
      <label className="f-pick f-pick-value" data-chosen={!isTheirs}><input type="radio" className="p-radio" name={name} checked={!isTheirs} onChange={() => onChoose(false)} /><span className="p-hint">Yours</span><span className="f-conflict-value">{words('to')}</span></label>
      <label className="f-pick f-pick-value" data-chosen={isTheirs}><input type="radio" className="p-radio" name={name} checked={isTheirs} onChange={() => onChoose(true)} /><span className="p-hint">{who}</span><span className="f-conflict-value">{words('from')}</span></label>
    </fieldset>
  );
}

function Others({ title, changes, currency }: { title: string; changes: Change[]; currency: string }) {
  if (!changes.length) return null;
  return (
    <div className="f-others">
      <h3>{title}</h3>
      <dl>{changes.map(change => <div key={change.pointer}><dt>{change.title}</dt><dd>{wordsFor(change.to, change.schema, currency) ?? 'Nothing'}</dd></div>)}</dl>
    </div>
  );
}
