// The editors of filters, one per kind of field. Choices apply at once; ranges and texts with Enter or "Apply".
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Check, Search } from 'lucide-react';
import { lazy, type ReactElement, Suspense, useDeferredValue, useId, useState } from 'react';
import { dataProvider } from '../../platform/transport/data-provider.ts';
import { country } from '../../platform/format.ts';
import { type Filter, optionText } from '../list-head.ts';
import { DaysEditor } from './days-editor.tsx';
import { labelOf, useChoices } from '../record-labels.ts';
import { intoOptions, Options } from './options.tsx';
import { joinList, splitList } from '../../platform/list-query.ts';
import { useOptimisticValue } from '../use-optimistic-value.ts';
import { Texts, Range, type EditorProps } from './text-editors.tsx';
import { inSentence, t } from '../../../domain/text/t.ts';
import { holdsWords } from '../../../domain/text/fold.ts';

const ConditionsEditor = lazy(() => import('./conditions-editor.tsx'));

/** More choices than these have a search above them; fewer have the focus themselves. */
const SEARCHED = 8;

/** The fields that can be filtered, with a search when they are many. */
export function FieldChooser({
  filters,
  set,
  onChoose,
}: {
  filters: Filter[];
  set: Record<string, string>;
  onChoose: (field: string) => void;
}): ReactElement {
  const [words, setWords] = useState('');
  const found = filters.filter(filter => holdsWords(words, filter.title));
  return (
    <div className="l-pop">
      {filters.length > SEARCHED && <SearchBox label={t`Search filters`} words={words} onWords={setWords} />}
      <Options label={t`Fields`}>
        {found.map((filter, i) => (
          <button
            key={filter.field}
            type="button"
            className="p-menu-item"
            autoFocus={i === 0 && filters.length <= SEARCHED}
            onClick={() => onChoose(filter.field)}
          >
            <span className="p-grow">{filter.title}</span>
            {set[filter.field] && <Check aria-label="set" />}
          </button>
        ))}
        {found.length === 0 && <p className="p-hint l-pop-none">{t`No filter of this name.`}</p>}
      </Options>
    </div>
  );
}

export function FilterEditor(props: EditorProps): ReactElement {
  const { filter, onBack } = props;
  return (
    <div className="l-pop" key={filter.field}>
      <div className="l-pop-head">
        {onBack && (
          <button type="button" className="p-icon-btn p-icon-btn-s" aria-label={t`Back to all filters`} onClick={onBack}>
            <ArrowLeft aria-hidden="true" />
          </button>
        )}
        <h2>{filter.title}</h2>
        {props.value && (
          <button
            type="button"
            className="p-link"
            onClick={() => {
              props.onChange('');
              props.onClose();
            }}
          >
            {t`Clear`}
          </button>
        )}
      </div>
      {editor(props)}
    </div>
  );
}

function editor(props: EditorProps): ReactElement {
  switch (props.filter.kind) {
    case 'options':
      return (
        <Several
          {...props}
          options={props.filter.options.map(option => ({
            value: optionText(option.value),
            title: option.title,
            ...(option.tone ? { tone: option.tone } : {}),
          }))}
        />
      );
    case 'conditions':
      return (
        <Suspense fallback={<span className="p-skeleton p-sk-4" />}>
          <ConditionsEditor {...props} />
        </Suspense>
      );
    case 'country':
      return <Several {...props} options={countries()} />;
    case 'boolean':
      return (
        <Several
          {...props}
          single
          options={[
            { value: 'yes', title: t`Yes` },
            { value: 'no', title: t`No` },
          ]}
        />
      );
    case 'reference':
      return <References {...props} />;
    case 'text':
      return props.filter.schema['x-ui']?.choices ? <Asked {...props} /> : <Texts {...props} />;
    case 'number':
    case 'money':
      return <Range {...props} />;
    case 'epoch':
    case 'date':
    case 'date-time':
      return <DaysEditor title={props.filter.title} ahead={/^(next|resume|due|expire|end)/i.test(props.filter.field)} {...props} />;
  }
}

interface Choice {
  value: string;
  title: string;
  tone?: string;
}

function SearchBox({ label, words, onWords }: { label: string; words: string; onWords: (words: string) => void }): ReactElement {
  return (
    <label className="p-affix l-pop-search">
      <span className="p-affix-text">
        <Search aria-hidden="true" />
      </span>
      <span className="p-sr">{label}</span>
      <input
        className="p-input"
        type="search"
        value={words}
        placeholder={label}
        onChange={event => onWords(event.target.value)}
        onKeyDown={intoOptions}
        autoFocus
      />{' '}
      {/* the popover opens to be typed into */}
    </label>
  );
}

function Several({
  filter,
  onClose,
  options,
  single = false,
  ...given
}: EditorProps & { options: Choice[]; single?: boolean }): ReactElement {
  const [value, onChange] = useOptimisticValue(given.value, given.onChange);
  const [words, setWords] = useState('');
  const name = useId();
  const chosen = splitList(value);
  const found = options.filter(option => holdsWords(words, option.title));
  const toggle = (item: string): void => {
    if (single) {
      onChange(item);
      onClose();
      return;
    }
    const next = chosen.includes(item) ? chosen.filter(one => one !== item) : [...chosen, item];
    onChange(joinList(options.map(option => option.value).filter(one => next.includes(one))));
  };
  return (
    <>
      {options.length > SEARCHED && <SearchBox label={t`Search ${inSentence(filter.title)}`} words={words} onWords={setWords} />}
      <Options label={filter.title}>
        {found.map((option, i) => (
          <label key={option.value} className="p-menu-item">
            <input
              type={single ? 'radio' : 'checkbox'}
              name={name}
              autoFocus={i === 0 && options.length <= SEARCHED}
              className={single ? 'p-radio' : 'p-check'}
              checked={chosen.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            {option.tone ? (
              <span className="p-badge" data-tone={option.tone}>
                {option.title}
              </span>
            ) : (
              option.title
            )}
          </label>
        ))}
        {found.length === 0 && <p className="p-hint l-pop-none">{t`Nothing of this name.`}</p>}
      </Options>
    </>
  );
}

/** Values that a read of the server lists. */
function Asked(props: EditorProps): ReactElement {
  const { choices, error } = useChoices(props.filter);
  if (error) return <p className="p-error l-pop-none">{error.message}</p>;
  if (!choices)
    return (
      <span className="l-pop-none">
        <span className="p-skeleton p-sk-4" />
      </span>
    );
  return <Several {...props} options={choices} />;
}

let allCountries: Choice[] | undefined;
/** Every country that the browser knows by name. */
function countries(): Choice[] {
  if (allCountries) return allCountries;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const none = new Set([
    'EU',
    'EZ',
    'UN',
    'QO',
    'XA',
    'XB',
    'ZZ',
    'SU',
    'DD',
    'YU',
    'TP',
    'FX',
    'CS',
    'BU',
    'ZR',
    'AN',
    'NT',
    'UK',
    'DY',
    'HV',
    'NH',
    'RH',
    'VD',
    'YD',
  ]);
  allCountries = letters
    .flatMap(a => letters.map(b => a + b))
    .filter(code => !none.has(code) && country(code) !== code)
    .map(code => ({ value: code, title: country(code) }))
    .sort((a, b) => a.title.localeCompare(b.title));
  return allCountries;
}

function References({ filter, ...given }: EditorProps): ReactElement {
  const [value, onChange] = useOptimisticValue(given.value, given.onChange);
  const [words, setWords] = useState('');
  const query = useDeferredValue(words.trim());
  const chosen = splitList(value);
  const of = filter.of ?? '';
  const { data, isPending, error } = useQuery({
    queryKey: [of, 'choices', query],
    queryFn: () =>
      dataProvider.getList(of, {
        pagination: { page: 1, perPage: 25 },
        filter: query ? { q: query } : {},
        sort: { field: 'id', order: 'ASC' },
      }),
    staleTime: 30_000,
    placeholderData: before => before,
  });
  const toggle = (id: string): void => onChange(joinList(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id]));
  return (
    <>
      <SearchBox label={t`Search ${inSentence(filter.title)}`} words={words} onWords={setWords} />
      <Options label={filter.title}>
        {isPending && (
          <span className="l-pop-none">
            <span className="p-skeleton p-sk-4" />
          </span>
        )}
        {error && <p className="p-error l-pop-none">{error.message}</p>}
        {data?.data.map(row => (
          <label key={row.id} className="p-menu-item">
            <input type="checkbox" className="p-check" checked={chosen.includes(String(row.id))} onChange={() => toggle(String(row.id))} />
            <span className="p-cut">{labelOf(of, row)}</span>
          </label>
        ))}
        {data?.data.length === 0 && <p className="p-hint l-pop-none">{t`Nothing found.`}</p>}
      </Options>
    </>
  );
}
