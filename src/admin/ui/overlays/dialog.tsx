// Dialogs: <Dialog> to fill yourself, and confirm(), which asks before something that has a consequence.
import { type ReactElement, useState, useSyncExternalStore } from 'react';
import { useChunk } from '../../platform/chunk.ts';
import { CallError } from '../../platform/transport/transport.ts';
import type { DialogOverlayProps } from './overlays-chunk.tsx';
import { usePendingDialog } from './pending-dialog.ts';
import { overlaysChunk } from './menu.tsx';
import { t } from '../../../domain/text/t.ts';

/** `<Dialog title="Pause subscription" onClose={close} foot={<>…buttons…</>}>…</Dialog>`: draw it only while it is open. */
export function Dialog(props: DialogOverlayProps): ReactElement | null {
  usePendingDialog();
  const overlays = useChunk(overlaysChunk);
  return overlays ? <overlays.DialogOverlay {...props} /> : null;
}

export interface Question {
  title: string;
  /** The consequence, in words. */
  text: string;
  /** The button that does it: a verb ("Cancel subscription"). */
  submit: string;
  cancel?: string;
  tone?: 'critical';
  /** Runs while the dialog is open; an error is shown in it and it stays. */
  run?: () => Promise<unknown>;
}
let open: { question: Question; answer: (yes: boolean) => void } | undefined;
const watchers = new Set<() => void>();
const tell = (): void => {
  for (const watcher of watchers) watcher();
};

/**
 * Asks before something happens:
 * `if (await confirm({ title: 'Delete this view?', text: '…', submit: 'Delete view', tone: 'critical' })) …`
 */
export function confirm(question: Question): Promise<boolean> {
  open?.answer(false);
  return new Promise(resolve => {
    open = {
      question,
      answer: yes => {
        open = undefined;
        tell();
        resolve(yes);
      },
    };
    tell();
  });
}

/** Stands once in the shell. */
export function ConfirmHost(): ReactElement | null {
  const now = useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => open,
  );
  return now ? <ConfirmDialog {...now.question} onAnswer={now.answer} /> : null;
}

export function ConfirmDialog({
  title,
  text,
  submit,
  cancel = t`Keep it`,
  tone,
  run,
  onAnswer,
}: Question & { onAnswer: (yes: boolean) => void }): ReactElement {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const go = async (): Promise<void> => {
    if (!run) {
      onAnswer(true);
      return;
    }
    setBusy(true);
    try {
      await run();
      onAnswer(true);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      busy={busy}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <button type="button" className="p-btn" disabled={busy} onClick={() => onAnswer(false)}>
            {cancel}
          </button>
          <button
            type="button"
            className={`p-btn ${tone === 'critical' ? 'p-btn-danger' : 'p-btn-primary'}`}
            aria-busy={busy}
            onClick={() => void go()}
          >
            {submit}
          </button>
        </>
      }
    >
      <p>{text}</p>
      {error !== undefined && (
        <p className="p-error" role="alert">
          {error instanceof Error ? error.message : String(error)}
          {error instanceof CallError && error.requestId ? t` (request ${error.requestId})` : ''}
        </p>
      )}
    </Dialog>
  );
}
