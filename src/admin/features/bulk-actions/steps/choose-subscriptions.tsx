// The second step: which subscriptions. By the search and filters of their list, by numbers that are pasted, or by a CSV file; with what
// was found and why the rest is left out.
import { FileInput } from '../../../ui/file-input.tsx';
import { readTextFile } from '../../../ui/read-text-file.ts';
import { CircleAlert, CircleCheck, FileSpreadsheet, Upload, X } from 'lucide-react';
import { type DragEvent, type ReactElement, useRef, useState } from 'react';
import { MAX_GIVEN } from '../../../../domain/text/bulk-limits.ts';
import type { Schema } from '../../../../contract/types.ts';
import { optionsOf } from '../../../../contract/paths.ts';
import { count, counted } from '../../../platform/format.ts';
import { FilterButton, FilterChips } from '../../../list/filters/filters.tsx';
import { joinList, splitList } from '../../../platform/list-query.ts';
import { SearchField } from '../../../list/filters/search.tsx';
import type { Narrowing } from '../../../list/use-list.ts';
import { ErrorState } from '../../../ui/pages/error-page.tsx';
import type { CatalogueAction } from '../catalogue.ts';
import type { Chosen, Left } from '../selection/chosen.ts';
import { download } from '../../../ui/download.ts';
import type { Draft, Mode } from '../draft.ts';
import { ID_COLUMN } from '../selection/ids.ts';
import type { Narrowed } from '../selection/list-filters.ts';
import { Sample } from './sample.tsx';
import { BULK, NAMES } from '../bulk-calls.ts';
import { inSentence, t } from '../../../../domain/text/t.ts';
import { tx } from '../../../ui/tx.ts';

const LARGEST = 5_000_000;
const MODES: { id: Mode; title: string; hint: string }[] = [
  { id: 'FILTER', title: t`Filter`, hint: t`All subscriptions that match` },
  { id: 'IDS', title: t`Paste numbers`, hint: t`From a mail, a sheet or a ticket` },
  { id: 'CSV', title: t`Upload a file`, hint: t`A CSV with one in each row` },
];

export interface ChooseProps {
  draft: Draft;
  action: CatalogueAction;
  entity: Schema | undefined;
  list: Narrowing & { narrowed: Narrowed };
  chosen: Chosen;
  onChange: (patch: Partial<Draft>) => void;
}

export function ChooseSubscriptions(props: ChooseProps): ReactElement {
  const { draft, onChange } = props;
  return (
    <div className="p-stack">
      <fieldset className="ba-modes">
        <legend className="p-sr">{t`How to choose subscriptions`}</legend>
        {MODES.map(mode => (
          <label key={mode.id} className="f-pick" data-chosen={draft.mode === mode.id}>
            <input
              type="radio"
              className="p-radio"
              name="mode"
              checked={draft.mode === mode.id}
              onChange={() => onChange({ mode: mode.id })}
            />
            <span className="f-choice-text p-strong">
              {mode.title}
              <span className="p-hint">{mode.hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {draft.mode === 'FILTER' ? <ByFilter {...props} /> : draft.mode === 'IDS' ? <ByIds {...props} /> : <ByFile {...props} />}
    </div>
  );
}

function ByFilter({ action, entity, list, chosen }: ChooseProps): ReactElement {
  const stateField = entity?.properties?.status;
  const titles = optionsOf(stateField)
    .filter(option => action.statuses.includes(String(option.value)))
    .map(option => inSentence(option.title));
  const set = list.state.filters.status;
  const others = action.statuses.length > 0 && (set === undefined || splitList(set).some(status => !action.statuses.includes(status)));
  return (
    <section className="p-card" aria-label={t`Filter`}>
      <div className="l-tools">
        <SearchField list={list} />
        <FilterButton list={list} />
      </div>
      <FilterChips list={list} />
      {others && (
        <p className="ba-hint p-hint">
          {tx`${action.label} applies to ${joined(titles)} subscriptions; others are skipped.`}{' '}
          <button
            type="button"
            className="p-link"
            onClick={() => list.change({ filters: { ...list.state.filters, status: joinList(action.statuses) } })}
          >
            {tx`Choose ${joined(titles)} only`}
          </button>
        </p>
      )}
      <Count chosen={chosen} />
      {chosen.count !== 0 && <Sample resource={list.resource} entity={entity} narrowed={list.narrowed} total={chosen.count} />}
    </section>
  );
}
/** ["active", "paused", "failed"] -> "active, paused and failed" */
const joined = (words: string[]): string => {
  const [first, last] = [words.slice(0, -1).join(', '), words.at(-1) ?? ''];
  return first ? t`${first} and ${last}` : last;
};

function Count({ chosen }: { chosen: Chosen }): ReactElement {
  if (chosen.error && chosen.count === undefined)
    return <ErrorState error={chosen.error} what={t`The number of subscriptions`} onRetry={chosen.refetch} />;
  return (
    <p className="ba-count" role="status" data-busy={chosen.isAsking || undefined}>
      {chosen.count === undefined ? (
        <>
          <span className="p-sr">{t`Counting`}</span>
          <span className="p-skeleton ba-sk-count" />
        </>
      ) : chosen.problem ? (
        <span className="p-error">
          <CircleAlert size={14} aria-hidden="true" />
          {chosen.problem}
        </span>
      ) : (
        <>
          <span className="ba-figure">{count(chosen.count)}</span>{' '}
          <span className="p-muted">{chosen.count === 1 ? t`subscription matches` : t`subscriptions match`}</span>
        </>
      )}
    </p>
  );
}

function ByIds({ draft, chosen, onChange }: ChooseProps): ReactElement {
  return (
    <section className="p-card p-card-body p-stack" aria-label={t`Paste numbers`}>
      <div className="p-field">
        <label className="p-label" htmlFor="ba-ids">
          {t`Subscription numbers`}
        </label>
        <textarea
          id="ba-ids"
          className="p-input ba-ids"
          rows={8}
          spellCheck={false}
          value={draft.pasted}
          placeholder={'1042\n1043\n1051'}
          aria-describedby="ba-ids-help"
          onChange={event => onChange({ pasted: event.target.value })}
        />
        <p className="p-help" id="ba-ids-help">
          {tx`One per line, or with commas or spaces between them. Numbers of the store or of the platform, at most ${count(MAX_GIVEN)}.`}
        </p>
      </div>
      <Found chosen={chosen} isGiven={draft.pasted.trim() !== ''} />
    </section>
  );
}

function ByFile({ draft, action, chosen, onChange }: ChooseProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [failure, setFailure] = useState('');
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setFailure('');
    if (!/\.(csv|txt)$/i.test(file.name) && file.type !== 'text/csv') {
      setFailure(t`${file.name} isn't a CSV file.  Save your sheet as CSV and choose that file.`);
      return;
    }
    if (file.size > LARGEST) {
      setFailure(t`This file is larger than 5 MB. Split it into parts.`);
      return;
    }
    try {
      onChange({ file: { name: file.name, content: await readTextFile(file) } });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : t`This file could not be read. Choose it again.`);
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const template = (): void => void download(BULK.template, { actionKey: action.key }, 'bulk-action.csv');
  const picker = <FileInput ref={input} accept=".csv,text/csv" onFile={one => void take(one)} />;
  if (draft.file) {
    return (
      <section className="p-card p-card-body p-stack" aria-label={t`File`}>
        <div className="ba-file">
          <FileSpreadsheet aria-hidden="true" />
          <span className="p-grow p-cut p-strong">{draft.file.name}</span>
          {picker}
          <button type="button" className="p-btn p-btn-s" onClick={() => input.current?.click()}>
            {t`Choose another`}
          </button>
          <button
            type="button"
            className="p-icon-btn p-icon-btn-s"
            aria-label={t`Remove ${draft.file.name}`}
            onClick={() => {
              const { file: _file, ...rest } = draft;
              onChange({ ...rest, file: undefined });
            }}
          >
            <X aria-hidden="true" />
          </button>
        </div>
        {failure && (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            {failure}
          </p>
        )}
        <Found chosen={chosen} isGiven />
      </section>
    );
  }
  return (
    <section
      className="i-drop ba-drop"
      aria-label={t`File`}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileSpreadsheet aria-hidden="true" />
      <h3>{t`Drop a CSV file here`}</h3>
      <p className="p-muted">
        {action.columns.length > 0
          ? tx`Its first column is headed ${<code>{ID_COLUMN}</code>}, the next ${<code>{action.columns.join(', ')}</code>} if each has
            its own. At most ${count(MAX_GIVEN)} rows and 5 MB; a subscription that stands there twice is done once.`
          : tx`Its first column is headed ${<code>{ID_COLUMN}</code>}. At most ${count(MAX_GIVEN)} rows and 5 MB; a subscription that
            stands there twice is done once.`}
      </p>
      {picker}
      <div className="p-row p-wrap ba-drop-buttons">
        <button type="button" className="p-btn p-btn-primary" onClick={() => input.current?.click()}>
          <Upload aria-hidden="true" />
          {t`Choose a file`}
        </button>
        <button type="button" className="p-btn" onClick={template}>
          {t`Download template`}
        </button>
      </div>
      {failure && (
        <p className="p-error" role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          {failure}
        </p>
      )}
    </section>
  );
}

const NAMED = 60;

/** What a text or file came to: how many are taken, and what is left out by reason. */
function Found({ chosen, isGiven }: { chosen: Chosen; isGiven: boolean }): ReactElement | null {
  if (!isGiven) return null;
  if (chosen.error && chosen.found) return <ErrorState error={chosen.error} what={t`These numbers`} onRetry={chosen.refetch} />;
  const taken = chosen.count;
  return (
    <div className="p-stack-s" role="status" data-busy={chosen.isAsking || undefined}>
      {chosen.problem ? (
        <p className="p-error">
          <CircleAlert size={14} aria-hidden="true" />
          {chosen.problem}
        </p>
      ) : taken === undefined ? (
        <p className="p-hint">{t`Looking them up …`}</p>
      ) : (
        <p className="p-row">
          <CircleCheck size={16} className="ba-good" aria-hidden="true" />
          <span>{tx`${<span className="p-strong">{counted(taken, NAMES)}</span>} found`}</span>
        </p>
      )}
      {chosen.found && chosen.found.repeated > 0 && (
        <p className="p-hint">
          {chosen.found.repeated === 1 ? t`1 repetition is left out.` : t`${count(chosen.found.repeated)} repetitions are left out.`}
        </p>
      )}
      {chosen.left.map(left => (
        <LeftOut key={left.title} left={left} />
      ))}
      {taken !== undefined && chosen.leftRows > 0 && !chosen.problem && (
        <p className="p-hint">
          {chosen.leftRows === 1
            ? t`This row is not done. The result file lists it with the reason.`
            : t`These ${count(chosen.leftRows)} rows are not done. The result file lists them with the reason.`}
        </p>
      )}
    </div>
  );
}
function LeftOut({ left }: { left: Left }): ReactElement {
  const shown = left.ids.slice(0, NAMED);
  const more = left.ids.length - shown.length;
  return (
    <details className="ba-left">
      <summary>
        <CircleAlert size={14} aria-hidden="true" />
        <span>{left.title}</span>
      </summary>
      <p className="p-tabular">{more > 0 ? t`${shown.join(', ')} and ${count(more)} more` : shown.join(', ')}</p>
    </details>
  );
}
