// Who tells customers of each event: the store's own e-mail, the app, or both. Saved at once, as it is chosen.
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router-dom';
import { runCall } from '../../platform/transport/calls.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import type { App, Channel } from './app.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const CHOICES: [Channel, string][] = [
  ['BOTH', t`App and our e-mail`],
  ['APP', t`The app alone`],
  ['BUILT_IN', t`Our e-mail alone`],
];

export function EventsTab({ app, readOnly }: { app: App; readOnly: boolean }): ReactElement {
  const [saving, setSaving] = useState('');
  const save = async (event: string, channel: string): Promise<void> => {
    setSaving(event);
    try {
      await runCall('integrations.channels', { identifier: app.identifier, channels: { [event]: channel } });
      notify(t`Saved.`);
    } catch (error) {
      notifyError(error, t`Who tells customers could not be saved`);
    } finally {
      setSaving('');
    }
  };
  if (!app.takesEvents)
    return <p className="p-card p-card-body">{tx`${app.name} is not told of events, so there is nothing to choose.`}</p>;
  return (
    <section className="p-card">
      <div className="p-card-head">
        <h2>{t`Notifications`}</h2>
        <span className="p-hint">
          {tx`Where both write to customers about the same, they hear of it twice.
            ${<Link to="/settings/notifications/emails">{t`E-mails`}</Link>}`}
        </span>
      </div>
      <div className="p-table-wrap">
        <table className="p-table">
          <thead>
            <tr>
              <th scope="col">{t`When`}</th>
              <th scope="col">{t`Who tells customers`}</th>
            </tr>
          </thead>
          <tbody>
            {app.events.map(({ event, title, hasEmail, channel }) => (
              <tr key={event}>
                <td>{title}</td>
                <td>
                  <select
                    className="p-input p-select"
                    aria-label={t`Who tells customers: ${title}`}
                    value={channel ?? ''}
                    disabled={readOnly || saving !== ''}
                    onChange={changed => void save(event, changed.target.value)}
                  >
                    {channel === null && <option value="">{t`No one`}</option>}
                    {CHOICES.filter(([value]) => hasEmail || value !== 'BOTH').map(([value, words]) => (
                      <option key={value} value={value}>
                        {value === 'BUILT_IN' && !hasEmail ? t`No one` : words}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
