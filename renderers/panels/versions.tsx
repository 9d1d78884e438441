// Earlier versions of what a form edits: who saved them, what differs from now, and the way back. Beside any form whose calls keep
// versions.
import { useState } from 'react';
import { History } from 'lucide-react';
import { accessOf, allowsCall } from '../../src/contract/access.ts';
import { fill } from '../../src/contract/find.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { definitions, useSchema } from '../../src/admin/platform/definitions.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { callOf, useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { logChanges } from '../../src/admin/record/log/log-changes.ts';
import '../../src/admin/record/styles/message-preview.css';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { intlLocale, t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Version {
  version: number;
  at: string | null;
  by: string;
  data: JsonObject;
}

export default function Versions({ data, section, options, params }: FormPanelProps) {
  const session = useSession();
  const [chosen, setChosen] = useState<number>();
  const given = fill(options.with as JsonObject | undefined, { record: data, root: data, params });
  const { data: versions, error } = useAsk<Version[]>(String(options.call), given);
  const restore = useCall(String(options.restore));
  const schema = useSchema(String(options.schema));
  const [now, ...earlier] = versions ?? [];
  const one = earlier.find(({ version }) => version === chosen);
  const page = typeof given.settingsPage === 'string' ? definitions.settings[given.settingsPage] : undefined;
  const may = allowsCall(callOf(String(options.restore)), session).ok && (!page || accessOf(session).can(page.permission, 'WRITE'));
  const when = (at: string | null): string =>
    at === null
      ? t`As it came`
      : new Date(at).toLocaleString(intlLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: session.store.timezone });
  const bring = (): void => {
    if (!one) return;
    restore.run({ ...given, toVersion: one.version }).then(
      () => {
        setChosen(undefined);
        notify(t`The earlier version is back.`);
      },
      (reason: unknown) => notifyError(reason, t`This version could not be brought back.`),
    );
  };
  const changes = one && now ? logChanges(schema, one.data, now.data) : [];
  return (
    <PanelCard title={section.title ?? t`Versions`}>
      <div className="p-card-body">
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {versions && earlier.length === 0 && <p className="p-muted r-versions-none">{t`Nothing was changed yet.`}</p>}
        {earlier.length > 0 && (
          <select
            className="p-input p-select"
            aria-label={t`Compare with`}
            value={chosen ?? ''}
            onChange={event => setChosen(event.target.value === '' ? undefined : Number(event.target.value))}
          >
            <option value="">{t`Compare with an earlier version`}</option>
            {earlier.map(({ version, at, by }) => (
              <option key={version} value={version}>
                {[when(at), by].filter(Boolean).join(' · ')}
              </option>
            ))}
          </select>
        )}
        {one && changes.length === 0 && <p className="p-muted r-versions-none">{t`It is the same as now.`}</p>}
        {changes.map(({ title, from, to }) => (
          <dl key={title} className="r-version">
            <dt>{title}</dt>
            <dd>
              <span className="p-muted">{t`Then`}</span> <del>{from || t`Empty`}</del>
            </dd>
            <dd>
              <span className="p-muted">{t`Now`}</span> <ins>{to || t`Empty`}</ins>
            </dd>
          </dl>
        ))}
        {one && changes.length > 0 && may && (
          <button type="button" className="p-btn p-btn-s" aria-busy={restore.isPending} onClick={bring}>
            <History size={14} aria-hidden="true" /> {t`Restore this version`}
          </button>
        )}
      </div>
    </PanelCard>
  );
}
