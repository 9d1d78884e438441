// The sections of a record: facts of its fields, rows of a call, panels. Each loads, fails and is tried again by itself.
import { ChevronDown, CircleAlert, Lock, Pencil, RotateCcw } from 'lucide-react';
import { type ReactElement, type ReactNode, useCallback, useId, useMemo, useState } from 'react';
import { allowsCall } from '../../contract/access.ts';
import { holds } from '../../contract/validation/condition.ts';
import { fill, template } from '../../contract/find.ts';
import { at, fieldOf } from '../../contract/paths.ts';
import type { Call, FieldsSection, JsonObject, JsonValue, ListSection, PanelSection, Section } from '../../contract/types.ts';
import { Link } from 'react-router-dom';
import { useChunk } from '../platform/chunk.ts';
import { definitions, useSchema } from '../platform/definitions.ts';
import { count } from '../platform/format.ts';
import { columnsFor, complete, place } from '../list/table/columns.ts';
import { useAccess, useFacts, useSession } from '../platform/session/session.tsx';
import { ErrorBoundary } from '../ui/pages/error-page.tsx';
import { CallError } from '../platform/transport/transport.ts';
import { ActionButton, RowMenu, SectionButtons } from '../form/actions/buttons.tsx';
import { EditInPlace } from './actions/edit-in-place.tsx';
import { Facts } from './facts.tsx';
import { type AvailableAction, placed, refusalOf } from '../form/actions/available-actions.ts';
import { panelChunk } from './panel.ts';
import { SectionSkeleton } from './skeletons.tsx';
import type { RecordActions, RecordScope } from '../form/actions/use-record-actions.tsx';
import { useAnswer } from './use-rows.ts';
import { t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

/** A page has brackets in its address. */
export type PageScope = RecordScope & { params: Record<string, string> };
export interface SectionProps<S extends Section = Section> {
  section: S;
  scope: PageScope;
  actions: RecordActions;
  reload: () => void;
}

export function RecordSection({ section, scope, actions, reload }: SectionProps): ReactElement | null {
  const facts = useFacts();
  const access = useAccess();
  const { record } = scope;
  if (!holds(section.when, { siblings: record, root: record, facts })) return null;
  if (section.permission && !access.can(section.permission, 'READ'))
    return (
      <Frame section={section}>
        <Why text={refusalOf(section)} />
      </Frame>
    );
  const props = { scope, actions, reload };
  return (
    <ErrorBoundary place={`${section.id ?? section.title}`} what={section.title ?? t`This part`}>
      {'panel' in section ? (
        <PanelPart section={section} {...props} />
      ) : 'call' in section ? (
        <ListPart section={section} {...props} />
      ) : (
        <FieldsPart section={section} {...props} />
      )}
    </ErrorBoundary>
  );
}

const Why = ({ text }: { text: string }): ReactElement => (
  <p className="r-why">
    <Lock size={14} aria-hidden="true" />
    {text}
  </p>
);

/** A card with the section's title and its own buttons. */
export function Frame({
  section,
  actions,
  scope,
  children,
  aside,
  flush = false,
}: {
  section: Section;
  actions?: RecordActions;
  scope?: RecordScope;
  children: ReactNode;
  aside?: ReactNode;
  flush?: boolean;
}): ReactElement {
  const id = useId();
  const [isOpen, setOpen] = useState(!section.closed);
  const offers = actions ? placed(actions.offers, 'section', section.id) : [];
  const title = section.title && scope ? template(section.title, scope.record) : section.title;
  return (
    <section className="p-card r-section" {...(title ? { 'aria-labelledby': id } : {})} data-section={section.id}>
      {title && (
        <div className="p-card-head">
          {section.closed !== undefined ? (
            <button type="button" className="r-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <h2 id={id}>{title}</h2>
              <ChevronDown size={16} aria-hidden="true" />
            </button>
          ) : (
            <h2 id={id} className="p-cut" {...(section.description ? { 'data-tip': section.description } : {})}>
              {title}
            </h2>
          )}
          {(offers.length > 0 || aside) && (
            <div className="p-row r-section-actions">
              {aside}
              {actions && <SectionButtons offers={offers} onStart={actions.start} />}
            </div>
          )}
        </div>
      )}
      {isOpen && (flush ? children : <div className="p-card-body r-body">{children}</div>)}
    </section>
  );
}

/** What stands in a section whose data could not be fetched; what was there before stays, with a line about it. */
function Failed({ error, what, onRetry }: { error: CallError; what: string; onRetry: () => void }): ReactElement {
  if (error.status === 403) return <Why text={error.message} />;
  return (
    <div className="r-failed" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="p-grow">
        <p className="p-strong">{tx`${what} could not be loaded`}</p>
        <p className="p-muted">{error.message}</p>
        {error.requestId && <p className="p-hint">{tx`Request ${error.requestId}`}</p>}
      </div>
      <button type="button" className="p-btn p-btn-s" onClick={onRetry}>
        <RotateCcw aria-hidden="true" />
        {t`Try again`}
      </button>
    </div>
  );
}
const Stale = ({ error, onRetry }: { error: CallError; onRetry: () => void }): ReactElement => (
  <p className="p-banner r-stale" data-tone="warning" role="alert">
    <CircleAlert aria-hidden="true" />
    <span className="p-grow">{tx`This may be out of date: ${error.message}`}</span>
    <button type="button" className="p-link" onClick={onRetry}>
      {t`Try again`}
    </button>
  </p>
);

// --- fields ---

function FieldsPart({ section, scope, actions }: SectionProps<FieldsSection>): ReactElement {
  const { record, schema } = scope;
  const [isEditing, setEditing] = useState(false);
  const offer = section.action ? actions.offer(section.action) : undefined;
  const close = useCallback(() => setEditing(false), []);
  const edit = offer && !isEditing && (
    <button
      type="button"
      className="p-icon-btn p-icon-btn-s"
      aria-label={offer.action.title}
      {...(offer.refusal !== undefined ? { 'aria-disabled': true, 'data-tip': offer.refusal } : { 'data-tip': offer.action.title })}
      onClick={() => {
        if (offer.refusal === undefined) setEditing(true);
      }}
    >
      <Pencil size={15} aria-hidden="true" />
    </button>
  );
  return (
    <Frame section={section} scope={scope} actions={actions} aside={edit}>
      {isEditing && offer ? (
        <EditInPlace
          action={offer.action}
          call={offer.call.name}
          given={actions.given(offer.action)}
          record={record}
          submit={(input, options) => actions.submit(offer.action, input, options)}
          onClose={close}
        />
      ) : (
        <Facts record={record} fields={section.fields} schema={schema} columns={section.columns} />
      )}
    </Frame>
  );
}

// --- rows of a call ---

/** What a section asks its call: what `with` gives, and the record's key where the call wants it. */
export function inputOf(
  section: ListSection | PanelSection,
  call: Call | undefined,
  of: string | undefined,
  { record, facts, params }: { record: JsonObject; facts: Record<string, JsonValue>; params: Record<string, string> },
): JsonObject {
  const values = fill(section.with, { record, root: record, facts, params });
  const key = definitions.entities[of ?? '']?.record?.key ?? 'id';
  if (call?.in.some(param => param.name === key && param.required) && !(key in values) && record[key] !== undefined)
    values[key] = record[key];
  return values;
}

function useSectionCall(section: ListSection | PanelSection, scope: PageScope) {
  const session = useSession();
  const facts = useFacts();
  const { record, params } = scope;
  const call = section.call ? definitions.calls[section.call] : undefined;
  if (section.call && !call) throw new Error(`There is no call "${section.call}" in the definitions.`);
  const input = useMemo(
    () => inputOf(section, call, scope.resource.of, { record, facts, params }),
    [section, record, facts, params, call, scope.resource.of],
  );
  const verdict = call ? allowsCall(call, session) : { ok: true as const };
  return { call, verdict, answer: useAnswer(verdict.ok ? call : undefined, input) };
}

function ListPart({ section, scope, actions }: SectionProps<ListSection>): ReactElement {
  const { call, verdict, answer } = useSectionCall(section, scope);
  const schema = useSchema(call && definitions.entities[call.of] ? `entities/${call.of}` : undefined);
  const session = useSession();
  const [isWhole, setWhole] = useState(false);
  const given = useMemo(() => {
    const all = columnsFor(section.columns, session, schema).map(column => complete(column, schema));
    place(all);
    return all;
  }, [section, schema, session]);
  const rows = Array.isArray(answer.data) ? (answer.data as JsonObject[]) : undefined;
  // A column of notes is there while one of the rows has any.
  const columns = given.filter(
    column =>
      column.cellName !== 'flags' ||
      rows?.some(row => Object.keys((column.options.flags ?? {}) as JsonObject).some(flag => at(row, flag) === true)),
  );
  if (!verdict.ok)
    return (
      <Frame section={section}>
        <Why text={verdict.message} />
      </Frame>
    );
  if (!rows)
    return answer.error ? (
      <Frame section={section}>
        <Failed error={answer.error} what={section.title ?? t`This list`} onRetry={answer.refetch} />
      </Frame>
    ) : (
      <SectionSkeleton section={section} />
    );
  const shown = isWhole ? rows : rows.slice(0, section.show ?? rows.length);
  return (
    <Frame section={section} scope={scope} actions={actions} flush>
      {answer.error && <Stale error={answer.error} onRetry={answer.refetch} />}
      {rows.length === 0 ? (
        <p className="r-empty p-muted">{section.empty ?? t`Nothing here yet.`}</p>
      ) : (
        <div className="p-table-wrap">
          <table className="p-table r-table" aria-label={section.title}>
            <thead>
              <tr>
                {columns.map(column => (
                  <th
                    key={column.field}
                    scope="col"
                    className={column.end ? 'p-num' : undefined}
                    {...(column.flexible ? {} : { style: { width: column.width } })}
                  >
                    {column.title}
                  </th>
                ))}
                {section.rowActions && (
                  <th className="r-tail">
                    <span className="p-sr">{t`Actions`}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, i) => {
                const offers = actions.actionsOfRow(row, section.rowActions);
                const name = template(schema?.['x-record']?.label ?? 'row {id}', row);
                return (
                  <tr key={String(row.id ?? i)} data-state={String(row.status ?? '')}>
                    {columns.map(({ field, title, slot, cell: Cell, cellName, end, schema: of, options }, number) => {
                      const content = <Cell value={at(row, field)} record={row} schema={of} options={options} />;
                      return (
                        <td key={field} data-cell={cellName} data-slot={slot} data-title={title} className={end ? 'p-num' : undefined}>
                          {section.rowTo && number === 0 ? (
                            <Link className="r-row-link" to={template(section.rowTo, row)}>
                              {content}
                            </Link>
                          ) : (
                            content
                          )}
                        </td>
                      );
                    })}
                    {section.rowActions && (
                      <td className="r-tail">
                        <RowButtons name={name} offers={offers} onStart={offer => actions.start(offer, row, schema)} />
                      </td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < rows.length ? (
        <div className="p-card-foot r-more">
          <button type="button" className="p-btn p-btn-s" onClick={() => setWhole(true)}>
            {tx`Show all ${count(rows.length)}`}
          </button>
        </div>
      ) : (
        <More answer={answer} />
      )}
    </Frame>
  );
}

/** The first-choice action of a row as a button, all others in its menu. */
function RowButtons({
  name,
  offers,
  onStart,
}: {
  name: string;
  offers: AvailableAction[];
  onStart: (offer: AvailableAction) => void;
}): ReactElement | null {
  if (offers.length === 0) return null;
  const [first] = offers.filter(offer => offer.action.primary);
  const rest = offers.filter(offer => offer !== first);
  return (
    <span className="r-row-actions">
      {first && <ActionButton offer={first} small look="plain" onStart={() => onStart(first)} />}
      {rest.length > 0 && <RowMenu name={name} offers={() => rest} onStart={onStart} />}
    </span>
  );
}

export function More({ answer }: { answer: { more: (() => void) | undefined; isLoadingMore: boolean } }): ReactElement | null {
  return answer.more ? (
    <div className="p-card-foot r-more">
      <button type="button" className="p-btn p-btn-s" aria-busy={answer.isLoadingMore} onClick={answer.more}>
        {t`Show more`}
      </button>
    </div>
  ) : null;
}

// --- panels ---

function PanelPart({ section, scope, actions, reload }: SectionProps<PanelSection>): ReactElement | null {
  const code = panelChunk(section.panel);
  if (!code) throw new Error(`There is no renderers/panels/${section.panel}.tsx.`);
  const module = useChunk(code);
  const { call, verdict, answer } = useSectionCall(section, scope);
  const answered = useSchema(call && definitions.entities[call.of] ? `entities/${call.of}` : undefined);
  const rowSchema = section.rows ? fieldOf(scope.schema, section.rows)?.items : answered;
  if (!verdict.ok)
    return section.title ? (
      <Frame section={section}>
        <Why text={verdict.message} />
      </Frame>
    ) : null;
  const data = call ? answer.data : scope.record;
  if (data === undefined && answer.error)
    return (
      <Frame section={section}>
        <Failed error={answer.error} what={section.title ?? t`This part`} onRetry={answer.refetch} />
      </Frame>
    );
  if (!module || data === undefined) return section.title ? <SectionSkeleton section={section} /> : null;
  const { default: Panel, bare, flush } = module;
  const panel = (
    <Panel
      data={data}
      pageInfo={answer.pageInfo}
      more={answer.more}
      isLoadingMore={answer.isLoadingMore}
      record={scope.record}
      schema={scope.schema}
      section={section}
      options={section.options ?? {}}
      params={scope.params}
      reload={call ? answer.refetch : reload}
      run={actions.run}
      start={(offer, row) => actions.start(offer, row, rowSchema)}
      offer={actions.offer}
      actionsOfRow={row => actions.actionsOfRow(row, section.rowActions)}
    />
  );
  if (bare) return panel;
  return (
    <Frame section={section} scope={scope} actions={actions} flush={flush ?? false}>
      {answer.error && <Stale error={answer.error} onRetry={answer.refetch} />}
      {panel}
    </Frame>
  );
}
