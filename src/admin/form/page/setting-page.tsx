// The one-file settings page: schemas/settings/<name>.json is all there is to it.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { accessOf, notInPlan } from '../../../contract/access.ts';
import { humanise } from '../../../contract/paths.ts';
import type { Action, JsonObject, Section } from '../../../contract/types.ts';
import { callOf, runCall, useAsk } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { PageTabs, pagesAround } from '../../ui/pages/page-tabs.tsx';
import { NotFound } from '../../ui/pages/simple.tsx';
import { placed } from '../actions/available-actions.ts';
import { ActionBar, SectionButtons } from '../actions/buttons.tsx';
import { SectionActions } from './sections.tsx';
import { EditableForm } from './editable-form.tsx';
import { FormFailed, FormHead, FormSkeleton } from './page-parts.tsx';
import { drawPanel } from './panels.tsx';
import { Progress } from './progress.tsx';
import type { Sending } from './use-save.ts';
import { useRecordActions } from '../actions/use-record-actions.tsx';
import { useFormServices } from '../fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** Draws the page of a setting by its name ("general"). */
export function SettingPage({ name }: { name: string }) {
  const head = definitions.settings[name];
  return head ? <Setting key={name} name={name} /> : <NotFound />;
}

function Setting({ name }: { name: string }) {
  const head = definitions.settings[name]!;
  const validation = useValidation(`settings/${name}`);
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const access = accessOf(session);
  const hasFeature = !head.feature || access.planHas(head.feature);
  const mayRead = hasFeature && access.can(head.permission, 'READ');
  const query = useAsk<JsonObject>('settings.get', mayRead ? { settingsPage: name } : undefined);
  const label = translated(session.user.permissions.find(one => one.permissionKey === head.permission)?.label ?? humanise(head.permission));
  const hints = validation?.schema['x-setting'];
  const resource = useMemo(() => ({ calls: 'settings', of: `settings/${name}`, actions: hints?.actions ?? [] }), [hints, name]);
  const { saved, offers, onSend, onSaved, next } = useOffers(query.data, resource.actions);
  const send = useCallback(
    async ({ value, emptied, version, key }: Sending) => {
      onSend();
      const { data, message } = await runCall(
        'settings.set',
        { ...value, ...emptied, settingsPage: name },
        { key, ...(version !== undefined ? { version } : {}) },
      );
      // The server's own words where it has some: they may warn of what the page does now.
      notify(message && message !== 'OK' ? message : t`Settings saved.`);
      return data as JsonObject;
    },
    [name, onSend],
  );
  const actions = useRecordActions({ resource, record: saved ?? NOTHING, shown: [callOf('settings.get').of] });
  const { offers: offered, start, run, dialog } = actions;
  useEffect(() => {
    if (dialog || offers.length === 0) return;
    next();
    run(offers[0]!);
  }, [dialog, offers, run, next]);
  const sectionActions = useCallback(
    (section: string) => {
      const own = placed(offered, 'section', section);
      return own.length > 0 ? (
        <div className="f-about-actions">
          <SectionButtons offers={own} onStart={start} />
        </div>
      ) : null;
    },
    [offered, start],
  );
  useNamedSection(validation !== undefined && query.data !== undefined);
  const pages = pagesAround(useLocation().pathname);
  const title = (
    <FormHead title={head.title} description={head.description} back={pages.length ? undefined : '/settings'}>
      {offered.length > 0 && query.data && <ActionBar actions={actions} isSmall />}
    </FormHead>
  );
  const body = () => {
    if (!mayRead)
      return (
        <div className="p-card p-empty">
          <h2>{t`You can't see this`}</h2>
          <p>
            {hasFeature
              ? t`You don't have permission to see these settings (${label}). Ask an admin of your store for it.`
              : notInPlan(session, head.feature ?? '')}
          </p>
        </div>
      );
    if (query.error && !query.data) return <FormFailed error={query.error} what={head.title} onRetry={() => void query.refetch()} />;
    if (!query.data || !validation) return <FormSkeleton key={hints ? 'named' : 'bare'} sections={hints?.sections} side={hints?.side} />;
    return (
      <EditableForm
        schema={validation.schema}
        validator={validation.validator}
        value={query.data}
        version={typeof query.data.version === 'number' ? query.data.version : undefined}
        name={`settings/${name}`}
        sections={hints?.sections}
        side={hints?.side}
        facts={facts}
        services={services}
        currency={session.store.currency_code}
        timezone={session.store.timezone}
        now={storeNow}
        send={send}
        onSaved={onSaved}
        renderSection={(section: Section, value: JsonObject) => drawPanel(section, value, NO_PARAMS, noop, saved)}
        may={access.can}
        readOnly={
          access.can(head.permission, 'WRITE')
            ? false
            : t`You don't have permission to change these settings (${label}). Ask an admin of your store for it.`
        }
      />
    );
  };
  return (
    <div className="p-page p-page-narrow">
      {title}
      <PageTabs />
      {dialog}
      {mayRead && <Progress resource={resource} />}
      <SectionActions value={sectionActions}>{body()}</SectionActions>
    </div>
  );
}

const NOTHING: JsonObject = {};
const NO_PARAMS = {};
const noop = (): void => undefined;

/** The page as it is saved, and the actions that its last save asks about: those that name a field which it changed. */
function useOffers(
  read: JsonObject | undefined,
  actions: readonly Action[],
): {
  saved: JsonObject | undefined;
  offers: readonly string[];
  onSend: () => void;
  onSaved: (answer: JsonObject) => void;
  next: () => void;
} {
  const [written, setWritten] = useState<JsonObject>();
  const [offers, setOffers] = useState<readonly string[]>([]);
  // What was written here may be newer than what was read.
  const saved = written && Number(written.version ?? 0) > Number(read?.version ?? -1) ? written : read;
  const latest = useRef(saved);
  const before = useRef(saved);
  useEffect(() => {
    latest.current = saved;
  }, [saved]);
  // The page is read again before the answer is handed on, so that what it was must be remembered when it is sent.
  const onSend = useCallback(() => {
    before.current = latest.current;
  }, []);
  const onSaved = useCallback(
    (answer: JsonObject) => {
      const was = before.current ?? NOTHING;
      setWritten(answer);
      setOffers(
        actions
          .filter(action => action.offerAfterSave?.some(name => JSON.stringify(was[name]) !== JSON.stringify(answer[name])))
          .map(action => action.id),
      );
    },
    [actions],
  );
  const next = useCallback(() => setOffers(list => list.slice(1)), []);
  return { saved, offers, onSend, onSaved, next };
}

/** An address may name a section of the page (`?action=orderSchedule`): it comes into view, its first field ready. */
function useNamedSection(isDrawn: boolean): void {
  const [search] = useSearchParams();
  const name = search.get('action');
  useEffect(() => {
    if (!isDrawn || !name) return;
    const frame = requestAnimationFrame(() => {
      const section = document.querySelector<HTMLElement>(`[data-section="section:${CSS.escape(name)}"]`);
      section?.scrollIntoView({ block: 'start' });
      section?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [isDrawn, name]);
}
