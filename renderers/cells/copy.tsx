// An id, code or address that copies with a click.
import { type MouseEvent, useState } from 'react';
import { notify } from '../../src/admin/ui/notices/notices.tsx';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { inSentence, t } from '../../src/domain/text/t.ts';

export const looks: Partial<CellHints> = { width: 172 };

/** The option "bare" leaves out the box around both, for long tables. */
export default function CopyCell({ value, schema, options }: CellProps) {
  const [copied, setCopied] = useState(false);
  if (value === null || value === undefined || value === '' || typeof value === 'object') return <span className="l-none">–</span>;
  const text = String(value);
  const [name, ...host] = text.split('@');
  // An e-mail address that is too long for its place goes on in the next line with its @.
  const content = host.length ? (
    <>
      {name}
      <wbr />@{host.join('@')}
    </>
  ) : (
    text
  );
  const copy = (event: MouseEvent): void => {
    event.stopPropagation();
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      },
      () => notify(t`The browser did not allow copying. Mark the text and copy it by hand.`, { tone: 'critical' }),
    );
  };
  const button = (
    <button
      type="button"
      className="l-copy-btn"
      data-copied={copied || undefined}
      aria-label={t`Copy ${inSentence(schema?.title ?? t`value`)} ${text}`}
      onClick={copy}
    />
  );
  return options.bare ? (
    <>
      {content}
      {button}
    </>
  ) : (
    <span className="l-copy p-tabular">
      {content}
      {button}
    </span>
  );
}
