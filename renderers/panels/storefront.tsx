// What shoppers will see, beside the form: the element of their page in a frame, on phones and desktops, in their languages.
import { useMemo, useState } from 'react';
import '../../src/admin/features/widgets/widgets.css';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { usePreview } from '../../src/admin/form/page/use-preview.ts';
import { Choice, WIDTHS } from '../../src/admin/ui/mail-frame.tsx';
import type { Width } from '../../src/admin/ui/sent-frame.tsx';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';
import { SentFrame } from '../../src/admin/ui/sent-frame.tsx';
import { t } from '../../src/domain/text/t.ts';
import type { StorefrontPreview } from '../../src/domain/widgets/published.ts';

/** How wide the page of a shop is (px). */
const WIDE = { phone: 375, desktop: 1100 };
/** So soon after the last key the picture follows (ms). */
const RESTED_MS = 200;

export default function StorefrontPanel({ data, section, options }: FormPanelProps) {
  const [width, setWidth] = useState<Width>('phone');
  const [locale, setLocale] = useState<string>();
  const typed = { record: data, ...(locale === undefined ? {} : { locale }) };
  const { shown: preview, error } = usePreview<StorefrontPreview>(String(options.call), typed, RESTED_MS);
  const lang = locale ?? preview?.languages[0]?.locale;
  const sent = useMemo(() => ({ preview, lang }), [preview, lang]);
  const title = section.title ?? t`What shoppers see`;
  return (
    <PanelCard
      title={title}
      className="w-panel"
      tools={
        <>
          {preview && preview.languages.length > 1 && (
            <select
              className="p-input p-select p-input-s w-language"
              aria-label={t`Language`}
              value={lang}
              onChange={event => setLocale(event.target.value)}
            >
              {preview.languages.map(({ locale: one, name }) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <Choice label={t`Width`} of={WIDTHS} value={width} onChange={setWidth} />
        </>
      }
    >
      <div className="p-card-body">
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {!preview && !error && <div className="p-mail p-mail-wait" aria-busy="true" />}
        {preview && <SentFrame src="/storefront/frame" sent={sent} title={title} width={width} wide={WIDE} />}
        {/* Its line is there from the beginning, so that nothing below moves when it comes. */}
        <p className="p-hint w-hint">{preview?.hint ?? '\u00A0'}</p>
      </div>
    </PanelCard>
  );
}
