// From the rows chosen in a list to a bulk action: the frequent ones in a dialog, all others in the
// steps of a start, with the rows taken along.
import { CircleAlert, Search } from 'lucide-react';
import { type ReactElement, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Action, JsonObject } from '../../../contract/types.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { focusField } from '../../form/page/focus.ts';
import { count, counted } from '../../platform/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { intoOptions, Options } from '../../list/filters/options.tsx';
import type { ListOf } from '../../list/use-list.ts';
import { CallError, newKey } from '../../platform/transport/transport.ts';
import { type CatalogueAction, fittingActions, useCatalogue } from './catalogue.ts';
import { emptyDraft, keepDraft } from './draft.ts';
import { InputForm } from './steps/fill-in.tsx';
import { useInput } from './steps/action-input.ts';
import { searchOf } from './selection/list-filters.ts';
import { follow, startBulk } from './start.ts';
import { isTypedFor, saysNumber } from './steps/typed-confirmation.ts';
import { BULK, NAMES } from './bulk-calls.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

type Rows = JsonObject[] | 'all';

/** The rows as the wire has a selection: those chosen by their ids, or whatever the list shows. */
export function selectionOf(list: Pick<ListOf, 'input'>, rows: Rows): JsonObject {
  if (rows !== 'all') return { mode: 'IDS', ids: rows.map(row => row.id ?? null) };
  const { q, filter } = list.input;
  return { mode: 'FILTER', ...(q ? { q } : {}), ...(filter ? { filter } : {}) };
}

/** Asks what the action leaves open, starts it on the server and follows it in a notice. */
export function BulkStart({
  list,
  action,
  rows,
  total,
  onClose,
  onStarted,
}: {
  list: ListOf;
  action: Action;
  rows: Rows;
  total: number;
  onClose: () => void;
  onStarted: () => void;
}): ReactElement | null {
  const key = String(action.with?.actionKey ?? '');
  const navigate = useNavigate();
  const id = useId();
  const within = useRef<HTMLDivElement>(null);
  const sent = useRef(newKey());
  const [selection] = useState(() => selectionOf(list, rows));
  const input = useInput(key, undefined);
  const { groups } = useCatalogue();
  const known = groups?.flatMap(group => group.actions).find(one => one.key === key);
  const counting = useAsk<{ count?: number; isCapped?: boolean; limit?: number }>(
    BULK.count,
    rows === 'all' ? { actionKey: key, selection } : undefined,
  );
  const exact = rows === 'all' ? counting.data?.count : total;
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  if (!input.store || !groups) return null;
  const isTyped = exact !== undefined && known !== undefined && isTypedFor(known, exact);
  const what = exact === undefined ? t`subscriptions` : counted(exact, NAMES);
  const tooMany = counting.data?.isCapped
    ? t`More than ${count(counting.data.limit ?? exact ?? 0)} match, which is more than one bulk action takes. Narrow the list.`
    : undefined;

  const start = async (): Promise<void> => {
    if (!input.store || exact === undefined || isBusy) return;
    setFailure('');
    if (!input.store.check()) {
      const [first] = input.store.errors();
      if (first) focusField(input.store, first.pointer, within.current);
      return;
    }
    if (tooMany) {
      setFailure(tooMany);
      return;
    }
    if (isTyped && !saysNumber(typed, exact)) {
      setFailure(t`Type ${count(exact)} to confirm.`);
      return;
    }
    setBusy(true);
    try {
      const made = await startBulk({
        actionKey: key,
        selection,
        input: input.value,
        key: sent.current,
        ...(isTyped ? { confirmCount: exact } : {}),
      });
      onStarted();
      onClose();
      void follow(made, action.title, exact, path => void navigate(path), action.done);
    } catch (error) {
      setBusy(false);
      // A refusal is an answer: the next try is a new start. Only where the answer never came is the same key sent again.
      if (error instanceof CallError && error.status !== 0 && error.status < 500) sent.current = newKey();
      setFailure(
        error instanceof CallError
          ? `${error.errors[0]?.message ?? error.message}${error.requestId ? ` ${t`(request ${error.requestId})`}` : ''}`
          : String(error),
      );
    }
  };
  const hasForm = Object.keys(input.store.schema.properties ?? {}).length > 0;
  const isCritical = action.tone === 'critical';
  return (
    <Dialog
      title={`${action.title}: ${what}`}
      size={hasForm ? 'm' : 's'}
      busy={isBusy}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" disabled={isBusy} onClick={onClose}>
            {action.dismiss ?? (isCritical ? t`Back` : t.as('dialog')`Cancel`)}
          </button>
          <button
            type="button"
            className={`p-btn ${isCritical ? 'p-btn-danger' : 'p-btn-primary'}`}
            aria-busy={isBusy || exact === undefined}
            onClick={() => void start()}
          >
            {t.as('button')`${action.submit ?? action.title} ${what}`}
          </button>
        </>
      }
    >
      <div ref={within} className="f-ask">
        {action.confirm && <p>{action.confirm}</p>}
        {hasForm && <InputForm input={input} onSubmit={() => void start()} />}
        {isTyped && (
          <div className="p-field">
            <label className="p-label" htmlFor={id}>
              {tx`To confirm, type the number of subscriptions: ${count(exact)}`}
            </label>
            <input
              id={id}
              className="p-input p-tabular"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          </div>
        )}
        {counting.error && (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            {tx`They could not be counted: ${counting.error.message}`}
          </p>
        )}
        {failure && (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            <span>{failure}</span>
          </p>
        )}
        <p className="p-hint">
          {t`It runs on the server: you can leave the page.`} {known?.undo ? t`It can be undone for a day.` : t`It can't be undone.`}
        </p>
      </div>
    </Dialog>
  );
}

/** Everything that can be done with the rows chosen; choosing one goes on with its set-up, the rows taken along. */
export function MoreActions({ list, rows }: { list: ListOf; rows: Rows }): ReactElement {
  const navigate = useNavigate();
  const { groups, error, refetch } = useCatalogue();
  const [words, setWords] = useState('');
  const shown = fittingActions(groups ?? [], words);
  const choose = (action: CatalogueAction): void => {
    if (action.refusal !== undefined) return;
    keepDraft({
      ...emptyDraft(),
      actionKey: action.key,
      ...(rows === 'all'
        ? { mode: 'FILTER', search: searchOf(list.state, list.head) }
        : { mode: 'IDS', pasted: rows.map(row => String(row.id)).join('\n') }),
    });
    void navigate('/bulk-actions/create?step=input');
  };
  return (
    <div className="l-pop">
      <div className="p-affix l-pop-search">
        <span className="p-affix-text">
          <Search aria-hidden="true" />
        </span>
        <input
          className="p-input"
          type="search"
          aria-label={t`Search actions`}
          placeholder={t`Search actions`}
          value={words}
          autoFocus
          onChange={event => setWords(event.target.value)}
          onKeyDown={intoOptions}
        />
      </div>
      {error && !groups ? (
        <p className="p-hint l-pop-none">
          {t`The actions could not be loaded.`}{' '}
          <button type="button" className="p-link" onClick={refetch}>
            {t`Try again`}
          </button>
        </p>
      ) : (
        <Options label={t`Actions`}>
          {shown.map(group => (
            <div key={group.key} role="group" aria-label={group.title}>
              <p className="p-menu-head" aria-hidden="true">
                {group.title}
              </p>
              {group.actions.map(action => (
                <button
                  key={action.key}
                  type="button"
                  className="p-menu-item"
                  aria-disabled={action.refusal !== undefined}
                  {...(action.refusal ? { 'data-tip': action.refusal } : {})}
                  onClick={() => choose(action)}
                >
                  <Icon name={action.icon} />
                  <span className="p-grow">{action.label}</span>
                </button>
              ))}
            </div>
          ))}
          {groups && shown.length === 0 && <p className="p-hint l-pop-none">{t`No action of this name.`}</p>}
        </Options>
      )}
    </div>
  );
}
