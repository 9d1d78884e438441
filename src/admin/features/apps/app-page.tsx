// The page of an app: what it does and whether it is connected, how to set it up, who tells customers, what became of its events.
import { Fragment, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CircleAlert } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { Action, JsonObject, Schema } from '../../../contract/types.ts';
import { ActionBar } from '../../form/actions/buttons.tsx';
import { useRecordActions } from '../../form/actions/use-record-actions.tsx';
import { FormFailed, FormHead, FormSkeleton } from '../../form/page/page-parts.tsx';
import { callOf, runCall, useAsk } from '../../platform/transport/calls.ts';
import { dayTime } from '../../platform/format.ts';
import type { PageProps } from '../../platform/routing/page-code.ts';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { useSession } from '../../platform/session/session.tsx';
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
        <Connect app={app} />
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

/** Connects by the form of the app, or on its own page, which sends people back here; disconnects after a question. */
const actionsOf = (app: App): Action[] => {
  const hasForm = Object.keys(app.form.properties ?? {}).length > 0;
  const isLinked = app.connectType !== 'API_KEY';
  const identifier = app.identifier;
  const connect: Action = {
    id: 'connect',
    call: isLinked ? 'link' : 'connect',
    title: isConnected(app) ? t`Reconnect` : t`Connect`,
    place: 'header',
    primary: app.status !== 'CONNECTED',
    with: isLinked ? { identifier, origin: globalThis.location.origin } : { identifier },
    confirmTitle: t`Connect ${app.name}`,
    submit: t`Connect`,
    ...(hasForm ? { prompt: ['settings'] } : { confirm: t`You go to ${app.name} and come back.` }),
    done: t`${app.name} is connected.`,
    ...(isLinked ? { to: '{answer.url}' } : {}),
  };
  const disconnect: Action = {
    id: 'disconnect',
    call: 'disconnect',
    title: t`Disconnect`,
    place: 'header',
    tone: 'critical',
    with: { identifier },
    confirmTitle: t`Disconnect ${app.name}?`,
    confirm: t`Its keys are erased and nothing is sent to it any more. E-mails that it sent in place of yours are switched on again.`,
    dismiss: t`Keep it connected`,
    done: t`${app.name} is disconnected.`,
  };
  return isConnected(app) ? [disconnect, connect] : [connect];
};

const NOTHING: Schema = { type: 'object', properties: {} };

function Connect({ app }: { app: App }): ReactElement {
  const resource = useMemo(() => ({ calls: 'integrations', of: 'integration', actions: actionsOf(app) }), [app]);
  const form: Schema = { type: 'object', properties: { settings: { ...app.form, title: t`Access` } } };
  const { offers, start, dialog } = useRecordActions({
    resource,
    record: app as unknown as JsonObject,
    formOf: ({ prompt }) => ({ schema: prompt ? form : NOTHING }),
  });
  const inPlan = offers.map(offer =>
    app.isInPlan || offer.action.id !== 'connect'
      ? offer
      : { ...offer, refusal: offer.refusal ?? t`This integration is part of a higher plan.` },
  );
  return (
    <>
      <ActionBar actions={{ offers: inPlan, start }} isSmall />
      {dialog}
    </>
  );
}
