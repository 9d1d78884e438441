// After an import: the texts that were changed since the file was written, with both words, and the way to take the file's.
import { dayTime } from '../../platform/format.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';
import { Words } from './text-row.tsx';

/** A text that an import left as it is. */
export interface LeftText {
  key: string;
  entityId: string | null;
  label: string;
  line: number | null;
  /** The file's words, and those that are there. */
  yours: string | null;
  value: string | null;
  updatedBy: string;
  updatedAt: string | null;
}
export interface LeftDialogProps {
  /** How many there are, and those that are listed. */
  count: number;
  texts: readonly LeftText[];
  isBusy: boolean;
  onOverwrite: () => void;
  onClose: () => void;
}

export function LeftDialog({ count, texts, isBusy, onOverwrite, onClose }: LeftDialogProps) {
  return (
    <Dialog
      title={t`Changed since the file was written`}
      size="m"
      busy={isBusy}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" disabled={isBusy} onClick={onClose}>
            {t`Leave them as they are`}
          </button>
          <button type="button" className="p-btn p-btn-primary" aria-busy={isBusy} onClick={onOverwrite}>
            {count === 1 ? t`Take the file’s words` : t`Take the file’s words for all ${count}`}
          </button>
        </>
      }
    >
      <p>
        {count === 1
          ? t`One text was changed after this file was exported. It was left as it is.`
          : t`${count} texts were changed after this file was exported. They were left as they are.`}
        {texts.length < count ? ` ${t`These are the first ${texts.length}.`}` : ''}
      </p>
      {texts.map(text => (
        <dl key={`${text.entityId ?? ''} ${text.key}`} className="x-left">
          <dt className="p-strong">{text.line === null ? text.label : t`${text.label}, line ${text.line}`}</dt>
          <dd>
            <span className="p-hint">{changedBy(text)}</span>
            <span className="x-text-source">{text.value === null ? t`Nothing of its own` : <Words text={text.value} />}</span>
          </dd>
          <dd>
            <span className="p-hint">{t`In the file`}</span>
            <span className="x-text-source">{text.yours === null ? t`Nothing of its own` : <Words text={text.yours} />}</span>
          </dd>
        </dl>
      ))}
    </Dialog>
  );
}

const changedBy = ({ updatedBy, updatedAt }: LeftText) =>
  updatedAt === null ? t`Now` : tx`${updatedBy || t`Someone`}, ${dayTime(updatedAt)}`;
