// What figures are narrowed by: on a page the choice stands in its address.
import { ChevronDown, Plus, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { FILTERS, type FilterName } from '../../../domain/analytics/facts.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { PopoverButton } from '../../ui/overlays/menu.tsx';
import { valuesIn, valuesTo } from './data.ts';

type Choice = { value: string | number; label: string };
/** So many filters stand beside each other; the others are added by their names. */
const FIRST = 4;

const titleOf = (name: string): string => translated(FILTERS[name as FilterName].title);
export const useFilterChoices = (name: string) =>
  useAsk<Choice[]>('analytics.generic', { list: FILTERS[name as FilterName].list }, { staleTime: 300_000 });
/** What a value of a filter is called; itself until the names are there. */
export const choiceLabel = (choices: readonly Choice[] | undefined, value: string): string =>
  choices?.find(one => String(one.value) === value)?.label ?? value;

interface FilterBarProps {
  names: readonly string[];
  /** Filter -> the values that are chosen of it. */
  chosen: Readonly<Record<string, readonly string[]>>;
  put(name: string, values: readonly string[]): void;
  clear(): void;
}

/** The filters of a page, in its address. */
export function Filters({ names }: { names: readonly string[] }): ReactElement | null {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const go = (): void => void navigate({ pathname, search: params.toString() });
  if (names.length === 0) return null;
  return (
    <FilterBar
      names={names}
      chosen={Object.fromEntries(names.map(name => [name, valuesIn(params, name)]))}
      put={(name, values) => {
        if (values.length) params.set(name, valuesTo(values));
        else params.delete(name);
        go();
      }}
      clear={() => {
        for (const name of names) params.delete(name);
        go();
      }}
    />
  );
}

export function FilterBar({ names, chosen, put, clear }: FilterBarProps): ReactElement {
  const [added, setAdded] = useState<string[]>([]);
  const isChosen = (name: string): boolean => (chosen[name]?.length ?? 0) > 0;
  const isShown = (name: string, i: number): boolean => i < FIRST || isChosen(name) || added.includes(name);
  const others = names.filter((name, i) => !isShown(name, i));
  return (
    <div className="an-filters" role="group" aria-label={t`Filters`}>
      {names.filter(isShown).map(name => (
        <Filter key={name} name={name} values={chosen[name] ?? []} put={values => put(name, values)} opens={added.at(-1) === name} />
      ))}
      {others.length > 0 && <More names={others} add={name => setAdded([...added, name])} />}
      {names.some(isChosen) && (
        <button
          type="button"
          className="p-btn p-btn-s p-btn-plain"
          onClick={() => {
            setAdded([]);
            clear();
          }}
        >
          <X aria-hidden="true" />
          {t`Clear filters`}
        </button>
      )}
    </div>
  );
}

function More({ names, add }: { names: readonly string[]; add(name: string): void }): ReactElement {
  return (
    <PopoverButton
      label={t`More filters`}
      className="p-btn p-btn-s p-btn-plain an-filter"
      button={
        <>
          <Plus aria-hidden="true" />
          {t`More filters`}
        </>
      }
    >
      {close => (
        <div className="an-pop">
          <div className="an-pop-list" role="group" aria-label={t`More filters`}>
            {names.map(name => (
              <button
                key={name}
                type="button"
                className="p-menu-item"
                onClick={() => {
                  close();
                  add(name);
                }}
              >
                {titleOf(name)}
              </button>
            ))}
          </div>
        </div>
      )}
    </PopoverButton>
  );
}

interface FilterProps {
  name: string;
  values: readonly string[];
  put(values: readonly string[]): void;
  opens: boolean;
}
function Filter({ name, values, put, opens }: FilterProps): ReactElement {
  const { data } = useFilterChoices(name);
  const title = titleOf(name);
  const toggle = (value: string): void => put(values.includes(value) ? values.filter(one => one !== value) : [...values, value]);
  const label = (value: string): string => choiceLabel(data, value);
  const words = values.length === 0 ? title : values.length === 1 ? `${title}: ${label(values[0] ?? '')}` : `${title}: ${values.length}`;
  return (
    <PopoverButton
      label={words}
      isOpenAtFirst={opens}
      className={`p-btn p-btn-s an-filter${values.length ? ' an-filter-on' : ''}`}
      button={
        <>
          <span className="p-cut">{words}</span>
          <ChevronDown aria-hidden="true" />
        </>
      }
    >
      {() => (
        <div className="an-pop">
          <h2>{title}</h2>
          <div className="an-pop-list" role="group" aria-label={title}>
            {data?.map(one => (
              <label key={String(one.value)} className="p-menu-item">
                <input
                  type="checkbox"
                  className="p-check"
                  checked={values.includes(String(one.value))}
                  onChange={() => toggle(String(one.value))}
                />
                <span className="p-cut">{one.label}</span>
              </label>
            ))}
            {data?.length === 0 && <p className="p-muted an-pop-none">{t`There are no subscriptions yet.`}</p>}
            {!data && <span className="p-skeleton p-sk-4" role="status" aria-label={t`Loading`} />}
          </div>
        </div>
      )}
    </PopoverButton>
  );
}
