// The one-file settings page: schemas/settings/<name>.json is all there is to it.
import { useCallback, useMemo } from 'react';
import { accessOf } from '../../contract/access.ts';
import { humanise } from '../../contract/paths.ts';
import type { JsonObject } from '../../contract/types.ts';
import { runCall, useAsk } from '../calls.ts';
import { definitions } from '../definitions.ts';
import { notify } from '../notices.tsx';
import { storeNow, useFacts, useSession } from '../session.tsx';
import { NotFound } from '../pages/simple.tsx';
import { ActionBar } from './action-bar.tsx';
import { EditableForm } from './editable-form.tsx';
import { FormFailed, FormHead, FormSkeleton } from './page-parts.tsx';
import { Progress } from './progress.tsx';
import type { Sending } from './use-save.ts';
import { useActions } from './use-actions.tsx';
import { useFormServices } from './use-services.ts';
import { useJudged } from './validators.ts';

/** Draws the page of a setting by its name ("general"). */
export function SettingPage({ name }: { name: string }) {
  const head = definitions.settings[name];
  return head ? <Setting key={name} name={name} /> : <NotFound />;
}

function Setting({ name }: { name: string }) {
  const head = definitions.settings[name]!;
  const judged = useJudged(`settings/${name}`);
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const access = accessOf(session);
  const hasFeature = !head.feature || access.planHas(head.feature);
  const mayRead = hasFeature && access.can(head.permission, 'READ');
  const asked = useAsk<JsonObject>('settings.get', mayRead ? { settingsPage: name } : undefined);
  const label = session.user.permissions.find(one => one.permissionKey === head.permission)?.label ?? humanise(head.permission);
  const send = useCallback(async ({ value, version, key }: Sending) => (await runCall('settings.set', { ...value, settingsPage: name }, { key, ...(version !== undefined ? { version } : {}) })).data as JsonObject, [name]);
  const hints = judged?.schema['x-setting'];
  const resource = useMemo(() => ({ calls: 'settings', actions: hints?.actions ?? [] }), [hints]);
  const { actions, dialog } = useActions({ resource, record: asked.data ?? NOTHING });
  const title = <FormHead title={head.title} description={head.description} back="/settings">{actions.length > 0 && asked.data && <ActionBar actions={actions} />}</FormHead>;
  const body = () => {
    if (!mayRead) return <div className="p-card p-empty"><h2>You can't see this</h2><p>{hasFeature ? `You don't have permission to see these settings (${label}). Ask an admin of your store for it.` : `Your plan ${session.plan.name} doesn't include ${humanise(head.feature!).toLowerCase()}. Upgrade the plan to use it.`}</p></div>;
    if (asked.error && !asked.data) return <FormFailed error={asked.error} onRetry={() => void asked.refetch()} />;
    if (!asked.data || !judged) return <FormSkeleton />;
    return (
      <EditableForm schema={judged.schema} validator={judged.validator} value={asked.data} version={typeof asked.data.version === 'number' ? asked.data.version : undefined} name={`settings/${name}`} sections={judged.schema['x-setting']?.sections}
        facts={facts} services={services} currency={session.store.currency_code} timezone={session.store.timezone} now={storeNow} send={send} onSaved={saved}
        may={access.can} readOnly={access.can(head.permission, 'WRITE') ? false : `You don't have permission to change these settings (${label}). Ask an admin of your store for it.`} />
    );
  };
  return <div className="p-page p-page-narrow">{title}{dialog}{mayRead && <Progress resource={resource} />}{body()}</div>;
}

const NOTHING: JsonObject = {};
const saved = () => { notify('Settings saved.'); };
