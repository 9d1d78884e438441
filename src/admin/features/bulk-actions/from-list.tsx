// From the rows chosen in a list to a bulk action: the frequent ones in a dialog, all others in the
// steps of a start, with the rows taken along.
import { Search } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Action, JsonObject } from '../../../contract/types.ts';
import { callOf, type Ran, useAsk } from '../../platform/transport/calls.ts';
import { hasSchema } from '../../platform/definitions.ts';
import { useValidation } from '../../platform/validators.ts';
import { Asked } from '../../form/actions/asked.tsx';
import type { ActionForm } from '../../form/actions/sending.ts';
import { count, counted } from '../../platform/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { intoOptions, Options } from '../../list/filters/options.tsx';
import type { ListOf } from '../../list/use-list.ts';
import { newKey } from '../../platform/transport/transport.ts';
import { type CatalogueAction, fittingActions, useCatalogue } from './catalogue.ts';
import { emptyDraft, keepDraft } from './draft.ts';
import { searchOf } from './selection/list-filters.ts';
import { follow, startBulk } from './start.ts';
import { isTypedFor, saysNumber } from './steps/typed-confirmation.ts';
import { TypedNumber } from './steps/typed-number.tsx';
import { BULK, inputName, NAMES } from './bulk-calls.ts';
import { t } from '../../../domain/text/t.ts';

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
  const [selection] = useState(() => selectionOf(list, rows));
  const name = inputName(key);
  const form = useValidation(hasSchema(name) ? name : undefined);
  const { groups } = useCatalogue();
  const known = groups?.flatMap(group => group.actions).find(one => one.key === key);
  const counting = useAsk<Counted>(BULK.count, rows === 'all' ? { actionKey: key, selection } : undefined);
  const exact = rows === 'all' ? counting.data?.count : total;
  const [typed, setTyped] = useState('');
  const what = exact === undefined ? t`subscriptions` : counted(exact, NAMES);
  const submit = t.as('button')`${action.submit ?? action.title} ${what}`;
  const asked = { ...action, prompt: Object.keys(form?.schema.properties ?? {}), confirmTitle: `${action.title}: ${what}`, submit };
  if ((hasSchema(name) && !form) || !groups) return null;
  const isTypedOut = (number: number): boolean => known !== undefined && isTypedFor(known, number);

  const start = async (input: JsonObject, sent: string): Promise<Ran> => {
    const { data, error } = rows === 'all' && exact === undefined ? await counting.refetch() : counting;
    const number = rows === 'all' ? data?.count : total;
    if (number === undefined) throw new Error(t`They could not be counted: ${error?.message ?? ''}`);
    if (data?.isCapped)
      throw new Error(t`More than ${count(data.limit ?? number)} match, which is more than one bulk action takes. Narrow the list.`);
    const isTyped = isTypedOut(number);
    if (isTyped && !saysNumber(typed, number)) throw new Error(t`Type ${count(number)} to confirm.`);
    const made = await startBulk({ actionKey: key, selection, input, key: sent, ...(isTyped ? { confirmCount: number } : {}) });
    void follow(made, action.title, number, path => void navigate(path), action.done);
    return { data: made, requestId: '' };
  };
  return (
    <Asked
      action={asked}
      call={callOf(BULK.create)}
      scope={{ resource: list.resource, record: {}, formOf: () => form ?? NO_INPUT }}
      input={{}}
      say={words => words}
      run={(input, options) => start(input, options.key ?? newKey())}
      onDone={() => {
        onStarted();
        onClose();
      }}
      onClose={onClose}
      note={
        <>
          {exact !== undefined && isTypedOut(exact) && <TypedNumber of={exact} value={typed} onChange={setTyped} />}
          <p className="p-hint">
            {t`It runs on the server: you can leave the page.`} {known?.undo ? t`It can be undone for a day.` : t`It can't be undone.`}
          </p>
        </>
      }
    />
  );
}
interface Counted {
  count?: number;
  isCapped?: boolean;
  limit?: number;
}
const NO_INPUT: ActionForm = { schema: { type: 'object', properties: {} } };

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
