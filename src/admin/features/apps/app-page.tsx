// The page of an app: what it does and whether it is connected, how to set it up, who tells customers, what became of its events.
import { Fragment, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CircleAlert, Plug, Unplug } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { Action, JsonObject, Schema } from '../../../contract/types.ts';
import { ActionDialog } from '../../form/actions/action-dialog.tsx';
import { useFormServices } from '../../form/fields/use-services.ts';
import { FormFailed, FormHead, FormSkeleton } from '../../form/page/page-parts.tsx';
import { callOf, runCall, useAsk } from '../../platform/transport/calls.ts';
import { dayTime } from '../../platform/format.ts';
import type { PageProps } from '../../platform/routing/page-code.ts';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { isConnected, STATES, type App } from './app.ts';
import { EventsTab } from './events-tab.tsx';
import { StatisticsTab } from './statistics-tab.tsx';
import './apps.css';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const TABS = { Overview: t`Overview`, 'Set-up': t`Set-up`, Preferences: t`Preferences`, Statistics: t`Statistics` };
type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

export function AppPage({ params }: PageProps): ReactElement {
  const identifier = params.identifier ?? '';
  const session = useSession();
  const query = useAsk<App>('integrations.read', { identifier });
  const app = query.data;
  usePageTitle(app?.name ?? t`App`);
  const [tab, setTab] = useState<Tab>('Overview');
  useReturn(identifier);
  const verdict = allowsCall(callOf('integrations.connect'), session);
  if (query.error && !app) return <FormFailed error={query.error} what={t`This app`} onRetry={() => void query.refetch()} />;
  if (!app) return <FormSkeleton />;
  return (
    <div className="p-page p-page-narrow">
      <FormHead title={app.name} description={app.description} back="/integrations">
        <Connect app={app} refusal={verdict.ok ? undefined : t`You don't have permission to connect apps.`} />
      </FormHead>
      {app.status === 'ERROR' && (
        <p className="p-banner" data-tone="critical" role="alert">
          <CircleAlert size={16} aria-hidden="true" /> {tx`${app.name} rejected our access. Reconnect it, and what waits is sent.`}
        </p>
      )}
      <Tabs tab={tab} onTab={setTab}>
        {tab === 'Overview' && <Overview app={app} />}
        {tab === 'Set-up' && (
          <section className="p-card">
            <ol className="p-card-body p-stack-s p-steps">
              {app.steps.map(step => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
        )}
        {tab === 'Preferences' && <EventsTab app={app} readOnly={!verdict.ok} />}
        {tab === 'Statistics' && <StatisticsTab app={app} readOnly={!verdict.ok} />}
      </Tabs>
    </div>
  );
}

/** The vendor's page sends people back with a code, or with nothing. */
function useReturn(identifier: string): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const done = useRef('');
  const state = search.get('state');
  const code = search.get('code');
  useEffect(() => {
    if (!state || done.current === state) return;
    done.current = state;
    runCall('integrations.finish', { identifier, state, ...(code ? { code } : {}) })
      .then(({ message }) => notify(message ?? t`Connected.`), notifyError)
      .finally(() => void navigate(`/integrations/${identifier}`, { replace: true }));
  }, [identifier, state, code, navigate]);
}

function Tabs({ tab, onTab, children }: { tab: Tab; onTab: (tab: Tab) => void; children: ReactNode }): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = NAMES[(NAMES.indexOf(tab) + step + NAMES.length) % NAMES.length] as Tab;
    onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`#app-tab-${next}`)?.focus();
  };
  return (
    <>
      <div className="p-tabs" role="tablist" aria-label={t`About this app`} onKeyDown={onKeyDown}>
        {NAMES.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`app-tab-${name}`}
            aria-controls="app-panel"
            aria-selected={tab === name}
            tabIndex={tab === name ? 0 : -1}
            className="p-tab"
            onClick={() => onTab(name)}
          >
            {TABS[name]}
          </button>
        ))}
      </div>
      <div id="app-panel" role="tabpanel" aria-labelledby={`app-tab-${tab}`} className="p-stack">
        {children}
      </div>
    </>
  );
}

function Overview({ app }: { app: App }): ReactElement {
  const state = STATES[app.status];
  const fields = Object.entries(app.form.properties ?? {});
  return (
    <section className="p-card">
      <dl className="p-card-body p-facts">
        <dt>{t`State`}</dt>
        <dd>
          <span className="p-badge" data-tone={state.tone}>
            {state.title}
          </span>
        </dd>
        {!app.isInPlan && (
          <>
            <dt>{t.as('price')`Plan`}</dt>
            <dd>{tx`Part of the plan ${app.plan}.`}</dd>
          </>
        )}
        {app.connectedAt && (
          <>
            <dt>{t`Connected`}</dt>
            <dd>{tx`${dayTime(app.connectedAt)} by ${app.connectedBy}`}</dd>
          </>
        )}
        {app.lastSyncAt && (
          <>
            <dt>{t`Last event`}</dt>
            <dd>{dayTime(app.lastSyncAt)}</dd>
          </>
        )}
        {app.lastError && (
          <>
            <dt>{t`Last error`}</dt>
            <dd>{app.lastError}</dd>
          </>
        )}
        {isConnected(app) &&
          fields.map(([name, field]) => (
            <Fragment key={name}>
              <dt>{field.title ?? name}</dt>
              <dd>{app.settings[name] || t`Not given`}</dd>
            </Fragment>
          ))}
        {app.docs && (
          <>
            <dt>{t`More`}</dt>
            <dd>
              <a href={app.docs} target="_blank" rel="noreferrer">
                {tx`Documentation of ${app.name}`}
              </a>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

const dialogAction = (app: App): Action => ({
  id: 'connect',
  call: 'integrations.connect',
  title: isConnected(app) ? t`Reconnect` : t`Connect`,
  confirmTitle: t`Connect ${app.name}`,
  submit: t`Connect`,
  ...(Object.keys(app.form.properties ?? {}).length
    ? { prompt: ['settings'] }
    : { confirm: t`You go to ${app.name} and come back.`, prompt: [] }),
});

/** Connects by the form of the app, then by its own page where it has one; disconnects after a question. */
function Connect({ app, refusal }: { app: App; refusal: string | undefined }): ReactElement {
  const [open, setOpen] = useState<'connect' | 'disconnect'>();
  const facts = useFacts();
  const services = useFormServices();
  const why = refusal ?? (app.isInPlan ? undefined : t`This integration is part of a higher plan.`);
  const schema = useMemo<Schema>(
    () => ({
      type: 'object',
      properties: { identifier: { type: 'string', title: t`App` }, settings: { ...app.form, title: t`Access` } },
      required: ['identifier'],
    }),
    [app.form],
  );
  const given = useMemo(() => ({ identifier: app.identifier }), [app.identifier]);
  const initial = useMemo(() => ({ settings: app.settings as JsonObject }), [app.settings]);
  const connect = async (input: JsonObject): Promise<unknown> => {
    if (app.connectType === 'API_KEY') return runCall('integrations.connect', input);
    const { data } = await runCall('integrations.link', { ...input, origin: globalThis.location.origin });
    globalThis.location.assign(String((data as JsonObject).url));
    return undefined;
  };
  const disconnect: Action = {
    id: 'disconnect',
    call: 'integrations.disconnect',
    title: t`Disconnect`,
    tone: 'critical',
    confirmTitle: t`Disconnect ${app.name}?`,
    confirm: t`Its keys are erased and nothing is sent to it any more. E-mails that it sent in place of yours are switched on again.`,
    dismiss: t`Keep it connected`,
    prompt: [],
  };
  return (
    <>
      {isConnected(app) && (
        <button type="button" className="p-btn" disabled={refusal !== undefined} title={refusal} onClick={() => setOpen('disconnect')}>
          <Unplug size={16} aria-hidden="true" /> {t`Disconnect`}
        </button>
      )}
      <button
        type="button"
        className={`p-btn ${app.status === 'CONNECTED' ? '' : 'p-btn-primary'}`}
        disabled={why !== undefined}
        title={why}
        onClick={() => setOpen('connect')}
      >
        <Plug size={16} aria-hidden="true" /> {isConnected(app) ? t`Reconnect` : t`Connect`}
      </button>
      {open && (
        <ActionDialog
          key={open}
          action={open === 'connect' ? dialogAction(app) : disconnect}
          schema={schema}
          validator={undefined}
          given={given}
          record={app as unknown as JsonObject}
          initial={initial}
          facts={facts}
          services={services}
          run={open === 'connect' ? connect : input => runCall('integrations.disconnect', { identifier: String(input.identifier) })}
          onDone={() => {
            notify(open === 'connect' ? t`${app.name} is connected.` : t`${app.name} is disconnected.`);
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
