// What an action answered, to be read and copied once it is done: a token, a link, a secret.
import { useCallback, useState, type ReactNode } from 'react';
import { Copy } from 'lucide-react';
import { humanise } from '../../../contract/paths.ts';
import { notify } from '../notices/notices.tsx';
import { Dialog } from './dialog.tsx';
import { t } from '../../../domain/text/t.ts';

interface Shown {
  title: string;
  text: string | undefined;
  values: [name: string, value: string][];
  then: (() => void) | undefined;
}
/** Opens the dialog over members of an answer; `then` runs when it is closed, or at once where the answer has none of them. */
type Show = (title: string, text: string | undefined, names: string[], answer: unknown, then?: () => void) => void;

const isMarkup = (value: string): boolean => /^<\w/.test(value);
const plain = (markup: string): string =>
  markup
    .replace(/<\/(?:p|li|h\d)>/g, '\n')
    .replace(/<[^<>]+>/g, '')
    .trim();
/** Formatted text is copied as such, so that it can be put into a field that keeps it. */
const put = (value: string): Promise<void> =>
  isMarkup(value)
    ? navigator.clipboard.write([
        new ClipboardItem({
          'text/html': new Blob([value], { type: 'text/html' }),
          'text/plain': new Blob([plain(value)], { type: 'text/plain' }),
        }),
      ])
    : navigator.clipboard.writeText(value);

/** Gives what opens the dialog, and the dialog itself: put it somewhere in the page. */
export function useShownAnswer(): { show: Show; shown: ReactNode } {
  const [open, setOpen] = useState<Shown>();
  const show = useCallback<Show>((title, text, names, answer, then) => {
    const given = (answer ?? {}) as Record<string, unknown>;
    const values = names.flatMap((name): [string, string][] => (typeof given[name] === 'string' ? [[name, given[name]]] : []));
    if (values.length) setOpen({ title, text, values, then });
    else then?.();
  }, []);
  const close = (): void => {
    setOpen(undefined);
    open?.then?.();
  };
  return { show, shown: open ? <AnswerDialog {...open} onClose={close} /> : null };
}

function AnswerDialog({ title, text, values, onClose }: Omit<Shown, 'then'> & { onClose: () => void }) {
  const copy = (value: string): void => {
    put(value).then(
      () => notify(t`Copied.`),
      () => notify(t`The browser did not allow copying. Mark the text and copy it by hand.`, { tone: 'critical' }),
    );
  };
  return (
    <Dialog
      title={title}
      size="s"
      onClose={onClose}
      foot={
        <button type="button" className="p-btn p-btn-primary" onClick={onClose}>
          {t`Done`}
        </button>
      }
    >
      {values.map(([name, value]) => (
        <p key={name} className="f-shown">
          <code aria-label={humanise(name)}>{isMarkup(value) ? plain(value) : value}</code>
          <button type="button" className="p-btn" onClick={() => copy(value)} autoFocus>
            <Copy size={14} aria-hidden="true" />
            {t`Copy`}
          </button>
        </p>
      ))}
      {text && <p className="p-hint">{text}</p>}
    </Dialog>
  );
}
