// An e-mail as it was sent: its HTML as phones and desktops draw it, and its text part.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { Choice, MailFrame, SCHEMES, WIDTHS, type Scheme } from '../../src/admin/ui/mail-frame.tsx';
import type { Width } from '../../src/admin/ui/sent-frame.tsx';
import { t } from '../../src/domain/text/t.ts';

/** Windows below this width (px) have no room for an e-mail as desktops draw it. */
const NARROW = 720;
const PARTS = [
  ['html', t`As it is read`],
  ['text', t`Text part`],
] as const;

export default function SentLetter({ record }: PanelProps) {
  const services = useFormServices();
  const [width, setWidth] = useState<Width>(innerWidth < NARROW ? 'phone' : 'desktop');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [part, setPart] = useState<(typeof PARTS)[number][0]>('html');
  const { data, error } = useQuery({
    queryKey: ['sent-letter', record.id, scheme],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => services.ask('sent-mails.letter', { id: record.id ?? 0, scheme }, signal),
  });
  const letter = data as { html: string | null; text: string } | undefined;
  return (
    <>
      <div className="p-row p-card-tools p-mail-choices">
        <Choice label={t`Part`} of={PARTS} value={part} onChange={setPart} />
        {part === 'html' && <Choice label={t`Width`} of={WIDTHS} value={width} onChange={setWidth} />}
        {part === 'html' && <Choice label={t`Colours`} of={SCHEMES} value={scheme} onChange={setScheme} />}
      </div>
      {error && (
        <p className="p-error" role="alert">
          {error.message}
        </p>
      )}
      {!letter && !error && <div className="p-mail p-mail-wait" aria-busy="true" />}
      {letter && part === 'html' && letter.html && <MailFrame html={letter.html} title={t`The e-mail`} width={width} />}
      {letter && (part === 'text' || !letter.html) && <p className="p-mail-text">{letter.text}</p>}
    </>
  );
}
