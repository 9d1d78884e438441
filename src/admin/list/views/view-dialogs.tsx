// Dialogs of saved views: save what is shown under a name, rename, share.
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { CallError } from '../../platform/transport/transport.ts';
import { t } from '../../../domain/text/t.ts';

export interface ViewFields {
  name: string;
  isShared: boolean;
}

function ViewForm({
  title,
  text,
  submit,
  first,
  onSave,
  onClose,
}: {
  title: string;
  text: string;
  submit: string;
  first: ViewFields;
  onSave: (fields: ViewFields) => Promise<void>;
  onClose: () => void;
}): ReactElement {
  const [name, setName] = useState(first.name);
  const [isShared, setShared] = useState(first.isShared);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) {
      setError(t`Give the view a name.`);
      return;
    }
    setBusy(true);
    try {
      await onSave({ name: name.trim(), isShared });
      onClose();
    } catch (failure) {
      setError(failure instanceof CallError ? (failure.errors[0]?.message ?? failure.message) : String(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      busy={busy}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" onClick={onClose} disabled={busy}>
            {t.as('dialog')`Cancel`}
          </button>
          <button type="submit" form={id} className="p-btn p-btn-primary" aria-busy={busy}>
            {submit}
          </button>
        </>
      }
    >
      <form id={id} className="p-stack" onSubmit={event => void save(event)}>
        <p>{text}</p>
        <label className="p-field">
          <span className="p-label">{t`Name`}</span>
          <input
            className="p-input"
            value={name}
            maxLength={50}
            onChange={event => {
              setName(event.target.value);
              setError(undefined);
            }}
            aria-invalid={error !== undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            autoFocus
          />
          {error && (
            <span className="p-error" id={`${id}-error`} role="alert">
              {error}
            </span>
          )}
        </label>
        <label className="p-choice">
          <input type="checkbox" className="p-check" checked={isShared} onChange={event => setShared(event.target.checked)} />
          <span>
            {t`Share with everybody in the store`}
            <br />
            <span className="p-hint">{t`Only you can change or delete it.`}</span>
          </span>
        </label>
      </form>
    </Dialog>
  );
}

export const SaveViewDialog = (props: { onSave: (fields: ViewFields) => Promise<void>; onClose: () => void }): ReactElement => (
  <ViewForm
    {...props}
    title={t`Save view`}
    text={t`Keeps the tab, search, filters, order and columns under a name.`}
    submit={t`Save view`}
    first={{ name: '', isShared: false }}
  />
);
export const RenameViewDialog = (props: {
  first: ViewFields;
  onSave: (fields: ViewFields) => Promise<void>;
  onClose: () => void;
}): ReactElement => <ViewForm {...props} title={t`Edit view`} text={t`Changes the name and who sees it.`} submit={t`Save`} />;
