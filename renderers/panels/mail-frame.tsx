// An e-mail, or another page for customers, beside the form that it follows, on phones and desktops, light and dark, and its HTML to copy.
import { useState } from 'react';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { usePreview } from '../../src/admin/form/page/use-preview.ts';
import { Choice, MailFrame, SCHEMES, WIDTHS, type Scheme } from '../../src/admin/ui/mail-frame.tsx';
import type { Width } from '../../src/admin/ui/sent-frame.tsx';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

export default function MailFramePanel({ data, section, options }: FormPanelProps) {
  const [width, setWidth] = useState<Width>('phone');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [isCode, setCode] = useState(false);
  const { id: _id, version: _version, updatedAt: _updatedAt, updatedBy: _updatedBy, ...branding } = data;
  const as = typeof options.as === 'string' ? options.as : undefined;
  const typed = { ...(as === undefined ? { branding } : { [as]: data }), scheme };
  const { shown, error } = usePreview<{ subject: string; html: string }>(String(options.call), typed);
  return (
    <PanelCard
      title={section.title ?? t`Preview`}
      tools={
        <>
          <Choice label={t`Width`} of={WIDTHS} value={width} onChange={setWidth} />
          <Choice label={t`Colours`} of={SCHEMES} value={scheme} onChange={setScheme} />
        </>
      }
    >
      <div className="p-card-body">
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {!shown && !error && <div className="p-mail p-mail-wait" aria-busy="true" />}
        {shown && <MailFrame html={shown.html} title={as === undefined ? t`The e-mail` : (section.title ?? t`Preview`)} width={width} />}
        {shown && options.code === true && (
          <>
            <button type="button" className="p-btn p-btn-s p-mail-code-button" aria-expanded={isCode} onClick={() => setCode(!isCode)}>
              {isCode ? t`Hide the HTML` : t`View the HTML`}
            </button>
            {isCode && (
              <textarea className="p-input p-mail-code" readOnly rows={12} aria-label={t`HTML of the e-mail`} value={shown.html} />
            )}
          </>
        )}
      </div>
    </PanelCard>
  );
}
