// An e-mail as customers read it, following what is typed: on a phone or a desktop, light or dark, with samples or with a subscription of
// the store.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allowsCall } from '../../src/contract/access.ts';
import { fill } from '../../src/contract/find.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { usePreview } from '../../src/admin/form/page/use-preview.ts';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { Choice, MailFrame, SCHEMES, WIDTHS, type Scheme } from '../../src/admin/ui/mail-frame.tsx';
import type { Width } from '../../src/admin/ui/sent-frame.tsx';
import { callOf } from '../../src/admin/platform/transport/calls.ts';
import '../../src/admin/record/styles/message-preview.css';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Shown {
  subject: string | null;
  html: string | null;
  problems: { field: string; message: string }[];
}
const FIELDS: Record<string, string> = { subject: t`Subject`, body: t`Text` };
const NEWEST: JsonObject = {};
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function MessagePreview({ data, section }: FormPanelProps) {
  const session = useSession();
  const services = useFormServices();
  const [width, setWidth] = useState<Width>('phone');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [subscription, setSubscription] = useState('');
  const { call: own, with: given } = (section.options ?? {}) as { call?: string; with?: JsonObject };
  const mayChoose = own === undefined && allowsCall(callOf('subscription-contract.list'), session).ok;
  const previewOf = (data.previewOf ?? NEWEST) as JsonObject;
  const { data: recent } = useQuery({
    queryKey: ['answers', 'subscription', 'recent', previewOf],
    enabled: mayChoose,
    staleTime: 60_000,
    queryFn: () => services.find('subscription', { pageSize: 10, filter: previewOf }),
  });
  const isCustomer = data.audience === 'CUSTOMER';
  const typed = given
    ? Object.fromEntries(Object.entries(fill(given, { record: data })).filter(([, value]) => value !== ''))
    : {
        prefKey: text(data.prefKey),
        ...(isCustomer && text(data.subject).trim() ? { subject: text(data.subject) } : {}),
        ...(isCustomer && text(data.body).trim() ? { body: text(data.body) } : {}),
        ...(subscription ? { subscriptionId: Number(subscription) } : {}),
      };
  const { shown, error } = usePreview<Shown>(own ?? 'email-templates.preview', {
    ...typed,
    ...(text(data.locale) ? { locale: text(data.locale) } : {}),
    scheme,
  });
  const looks = services.looks('subscription');
  return (
    <PanelCard
      title={section.title ?? t`Preview`}
      className="r-message"
      tools={
        <>
          <Choice label={t`Width`} of={WIDTHS} value={width} onChange={setWidth} />
          <Choice label={t`Colours`} of={SCHEMES} value={scheme} onChange={setScheme} />
        </>
      }
    >
      <div className="p-card-body">
        {mayChoose && (
          <label className="r-message-of">
            <span className="p-hint">{t`Filled in with`}</span>
            <select className="p-input p-select" value={subscription} onChange={event => setSubscription(event.target.value)}>
              <option value="">{t`Sample values`}</option>
              {recent?.items.map(one => (
                <option key={String(one[looks.key])} value={String(one[looks.key])}>
                  {[looks.label(one), looks.detail?.(one)].filter(Boolean).join(' · ')}
                </option>
              ))}
            </select>
          </label>
        )}
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {shown && shown.problems.length > 0 && (
          <div role="status">
            <ul className="r-message-problems">
              {shown.problems.map(({ field, message }) => (
                <li key={field + message} className="p-error">
                  {FIELDS[field] ?? field}: {message}
                </li>
              ))}
            </ul>
          </div>
        )}
        {!shown && !error && <div className="r-message-wait" aria-busy="true" />}
        {shown?.html && (
          <article className="r-message-mail" aria-label={t`The e-mail`}>
            <p className="r-message-subject">{shown.subject}</p>
            <MailFrame html={shown.html} title={t`The letter`} width={width} />
          </article>
        )}
      </div>
    </PanelCard>
  );
}
