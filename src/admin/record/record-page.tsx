// A record's screen: react-admin's show controller reads it, the resource file says what is shown and what can be done.
import { useQueryClient } from '@tanstack/react-query';
import { Copy, Lock, Printer } from 'lucide-react';
import { ShowBase, useShowContext } from 'react-admin';
import { createElement, type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { allowsCall } from '../../contract/access.ts';
import { callFor, placeholders } from '../../contract/find.ts';
import { holds } from '../../contract/validation/condition.ts';
import { at, fieldOf } from '../../contract/paths.ts';
import type { JsonObject, RecordScreen, Resource, Schema, Section } from '../../contract/types.ts';
import { cellFor, cellNameOf } from '../ui/cells.ts';
import { warm } from '../platform/chunk.ts';
import { definitions, schemaChunk, useSchema } from '../platform/definitions.ts';
import { overlaysChunk } from '../ui/overlays/menu.tsx';
import { notify } from '../ui/notices/notices.tsx';
import { markStale } from '../platform/transport/calls.ts';
import { retryDelay, worthRetrying } from '../platform/transport/query-client.ts';
import type { PageProps } from '../platform/routing/page-code.ts';
import { useFacts, useSession } from '../platform/session/session.tsx';
import { NotThere } from '../ui/pages/record-unavailable.tsx';
import { usePageTitle } from '../platform/routing/page-title.tsx';
import { ActionBar } from '../form/actions/buttons.tsx';
import { idOf, oneQuery } from '../platform/routing/prefetch-screen.ts';
import { useFocusRestore } from './actions/keep-focus.ts';
import { panelChunk } from './panel.ts';
import { inputOf, type PageScope, RecordSection } from './sections.tsx';
import { RecordSkeleton } from './skeletons.tsx';
import { prefetch } from './use-rows.ts';
import { type RecordActions, useRecordActions } from '../form/actions/use-record-actions.tsx';
import { words } from '../platform/interpolate.ts';
import './styles/record.css';
import { inSentence, t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

export default function RecordPage({ resource, params }: PageProps): ReactElement {
  const entity = resource.of ?? '';
  const read = callFor(definitions, resource, 'read') ?? callFor(definitions, resource, 'get');
  const id = idOf(params);
  const facts = useFacts();
  const { queryKey, meta } = useMemo(() => oneQuery(entity, id, read?.name), [entity, id, read]);
  const queryOptions = useMemo(
    () => ({
      ...(meta ? { meta } : {}),
      onError: () => undefined,
      retry: (tries: number, error: unknown) => tries < 3 && worthRetrying(error),
      retryDelay,
      refetchInterval: ({ state: { data } }: { state: { data?: JsonObject } }) =>
        isMoving(resource, data, facts) ? LIVE_MS : (false as const),
    }),
    [meta, resource, facts],
  );
  useAhead(resource, params, id);
  return (
    <ShowBase key={String(id)} resource={entity} id={id} disableAuthentication queryOptions={queryOptions}>
      <Loaded resource={resource} params={params} queryKey={queryKey} />
    </ShowBase>
  );
}

/** How soon (ms) a record that changes by itself is read again. */
const LIVE_MS = 2000;
const isMoving = (resource: Resource, record: JsonObject | undefined, facts: ReturnType<typeof useFacts>): boolean =>
  record !== undefined &&
  resource.record?.refreshWhile !== undefined &&
  holds(resource.record.refreshWhile, { siblings: record, root: record, facts });

const sectionsOf = (screen: RecordScreen): Section[] => [...screen.main, ...(screen.side ?? [])];

/** Asks for the sections' data together with the record, as far as its key is enough to ask, and for their schemas. */
function useAhead(resource: Resource, params: Record<string, string>, id: string | number): void {
  const client = useQueryClient();
  const session = useSession();
  const facts = useFacts();
  useEffect(() => {
    const key = definitions.entities[resource.of ?? '']?.record?.key ?? 'id';
    for (const section of resource.record ? sectionsOf(resource.record) : []) {
      const call = 'call' in section && section.call ? definitions.calls[section.call] : undefined;
      if (!call || !('call' in section)) continue;
      void schemaChunk(`entities/${call.of}`)
        ?.load()
        .catch(() => undefined);
      const isKnown = Object.values(section.with ?? {})
        .flatMap(placeholders)
        .every(name => name === key || name.startsWith('@') || name.startsWith(':'));
      if (!section.when && !section.closed && isKnown && allowsCall(call, session).ok)
        prefetch(client, call, inputOf(section, call, resource.of, { record: { [key]: id }, facts, params }));
    }
  }, [client, resource, params, id, session, facts]);
}

/** Whether the code of the screen's panels is there: they are drawn together, so that nothing is pushed down by what comes late. */
function usePanelCode(screen: RecordScreen): boolean {
  const codes = useMemo(
    () => sectionsOf(screen).flatMap(section => ('panel' in section ? (panelChunk(section.panel) ?? []) : [])),
    [screen],
  );
  const [ready, setReady] = useState(() => codes.every(code => code.get() !== undefined));
  useEffect(() => {
    if (!ready) void Promise.allSettled(codes.map(code => code.load())).then(() => setReady(true));
  }, [codes, ready]);
  return ready;
}

/** The row that a list showed of this record: its head is drawn at once, the rest follows. */
function useLinkTitle(entity: string, id: unknown): JsonObject | undefined {
  const client = useQueryClient();
  return useMemo(
    () =>
      client
        .getQueriesData<{ data?: JsonObject[] }>({ queryKey: [entity, 'getList'] })
        .flatMap(([, answer]) => (Array.isArray(answer?.data) ? answer.data : []))
        .find(row => String(row.id) === String(id)),
    [client, entity, id],
  );
}

function Loaded({
  resource,
  params,
  queryKey,
}: {
  resource: Resource;
  params: Record<string, string>;
  queryKey: readonly unknown[];
}): ReactElement {
  const { record, error, refetch } = useShowContext();
  const schema = useSchema(resource.of ? `entities/${resource.of}` : undefined);
  const screen = resource.record;
  if (!screen) throw new Error(`resources/${resource.route}.json has no record.`);
  const hasCode = usePanelCode(screen);
  const glimpse = useLinkTitle(resource.of ?? '', Object.values(params).at(-1));
  useEffect(() => {
    if (record) warm(overlaysChunk);
  }, [record]);
  const names = schema?.['x-record']?.name ?? { one: inSentence(resource.title), many: inSentence(resource.title) };
  if (!record && error)
    return (
      <div className="p-page">
        <NotThere error={error} names={names} resource={resource} onRetry={() => void refetch()} />
      </div>
    );
  if (!record || !schema || !hasCode)
    return (
      <RecordSkeleton
        screen={screen}
        {...(schema && (record ?? glimpse)
          ? { head: <Head screen={screen} record={(record ?? glimpse) as JsonObject} schema={schema} /> }
          : {})}
      />
    );
  return (
    <Ready
      resource={resource}
      screen={screen}
      record={record as JsonObject}
      schema={schema}
      params={params}
      queryKey={queryKey}
      error={error}
      reload={() => void refetch()}
    />
  );
}

interface ReadyProps {
  resource: Resource;
  screen: RecordScreen;
  record: JsonObject;
  schema: Schema;
  params: Record<string, string>;
  queryKey: readonly unknown[];
  error: unknown;
  reload: () => void;
}

function Ready({ resource, screen, record, schema, params, queryKey, error, reload }: ReadyProps): ReactElement {
  const shown = useMemo(
    () => [
      ...new Set([
        resource.of ?? '',
        ...[...screen.main, ...(screen.side ?? [])].flatMap(section =>
          'call' in section && section.call ? (definitions.calls[section.call]?.of ?? []) : [],
        ),
      ]),
    ],
    [resource, screen],
  );
  // What changes by itself changes in its rows as well.
  const seen = useRef(record.version);
  useEffect(() => {
    if (seen.current !== record.version && screen.refreshWhile)
      for (const entity of shown) if (entity !== resource.of) void markStale(entity);
    seen.current = record.version;
  }, [record, screen, shown, resource]);
  const scope = useMemo<PageScope>(
    () => ({ resource, record, schema, params, queryKey, shown }),
    [resource, record, schema, params, queryKey, shown],
  );
  const actions = useRecordActions(scope);
  const box = useRef<HTMLDivElement>(null);
  useFocusRestore(box);
  const draw = (list: RecordScreen['main']): ReactElement[] =>
    list.map((section, i) => <RecordSection key={section.id ?? i} section={section} scope={scope} actions={actions} reload={reload} />);
  return (
    <div className="p-page r-page" ref={box}>
      <Head screen={screen} record={record} schema={schema} actions={actions} />
      {Boolean(error) && (
        <p className="p-banner r-stale" data-tone="warning" role="alert">
          <span className="p-grow">{tx`This may be out of date: ${error instanceof Error ? error.message : String(error)}`}</span>
          <button type="button" className="p-link" onClick={reload}>
            {t`Try again`}
          </button>
        </p>
      )}
      {actions.isReadOnly && (
        <p className="p-banner r-read-only" data-tone="neutral">
          <Lock aria-hidden="true" />
          <span className="p-grow">
            {t`You can see this ${schema['x-record']?.name.one ?? t`record`} and not change it. Ask an admin of your store for the
              permission.`}
          </span>
        </p>
      )}
      <div className="r-columns" data-single={screen.side ? undefined : true}>
        <div className="p-stack r-main">{draw(screen.main)}</div>
        {screen.side && (
          <aside className="p-stack r-side" aria-label={t`Details`}>
            {draw(screen.side)}
          </aside>
        )}
      </div>
      {actions.dialog}
    </div>
  );
}

function Head({
  screen,
  record,
  schema,
  actions,
}: {
  screen: RecordScreen;
  record: JsonObject;
  schema: Schema;
  actions?: RecordActions;
}): ReactElement {
  const session = useSession();
  const say = (text: string): string => words(text, { record, schema, currency: session.store.currency_code });
  const title = say(screen.title);
  usePageTitle(title);
  const badge = screen.badge ? fieldOf(schema, screen.badge) : undefined;
  const key = schema['x-record']?.key ?? 'id';
  return (
    <div className="r-head">
      <div className="r-head-titles">
        <div className="p-row r-title-row">
          <h1 className="p-page-title">{title}</h1>
          <span className="p-row">
            {screen.badge &&
              createElement(cellFor(cellNameOf(badge)), { value: at(record, screen.badge), record, schema: badge, options: {} })}
            <CopyButton value={String(record[key] ?? '')} what={schema.properties?.[key]?.title ?? 'id'} />
            <button
              type="button"
              className="p-icon-btn p-icon-btn-s r-copy"
              aria-label={t`Print this ${schema['x-record']?.name.one ?? t`record`}`}
              data-tip={t`Print`}
              onClick={print}
            >
              <Printer size={14} aria-hidden="true" />
            </button>
          </span>
        </div>
        {screen.subtitle && <p className="p-muted r-subtitle">{say(screen.subtitle)}</p>}
      </div>
      {actions && (
        <div className="p-page-actions r-actions">
          <ActionBar actions={actions} others={[{ id: 'print', title: t`Print`, icon: 'printer', run: print }]} />
        </div>
      )}
    </div>
  );
}

/** What is printed is the page as it stands, without what only a screen needs (ui/theme/print.css). */
const print = (): void => window.print();

function CopyButton({ value, what }: { value: string; what: string }): ReactElement {
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => notify(t`${value} copied.`),
      () => notify(t`The browser did not allow copying. Mark the number and copy it by hand.`, { tone: 'critical' }),
    );
  };
  return (
    <button
      type="button"
      className="p-icon-btn p-icon-btn-s r-copy"
      aria-label={t`Copy ${inSentence(what)} id ${value}`}
      data-tip={t`Copy id ${value}`}
      onClick={copy}
    >
      <Copy size={14} aria-hidden="true" />
    </button>
  );
}
