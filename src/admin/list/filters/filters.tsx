// The filter button and the chips of the filters that are set. What opens from them comes with the list's extras.
import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useChunk } from '../../platform/chunk.ts';
import { dataProvider } from '../../platform/transport/data-provider.ts';
import { Popover } from '../../ui/overlays/menu.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { extras } from '../extras-chunk.ts';
import { amountCurrency, filterText } from './filter-text.ts';
import { labelOf, useChoices } from '../record-labels.ts';
import type { Filter } from '../list-head.ts';
import { splitList } from '../../platform/list-query.ts';
import type { Narrowing } from '../use-list.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

/** Fields that can still be narrowed: not those that the open tab fixes. */
export function openFilters(list: Narrowing): Filter[] {
  const fixed = list.head.tabs.find(tab => tab.id === list.state.tab)?.filter ?? {};
  return list.filters.filter(filter => !(filter.field in fixed));
}

/** "Filter" in the toolbar: choose a field, then its values. */
export function FilterButton({ list }: { list: Narrowing }): ReactElement | null {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [field, setField] = useState<string>();
  const more = useChunk(open ? extras : undefined);
  const filters = openFilters(list);
  if (filters.length === 0) return null;
  const close = (): void => {
    setOpen(false);
    setField(undefined);
  };
  const set = filters.filter(one => list.state.filters[one.field]).length;
  const filter = filters.find(one => one.field === field);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="p-btn"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        onPointerEnter={() => void extras.load().catch(() => undefined)}
      >
        <ListFilter aria-hidden="true" />
        {t`Filter`}
        {set > 0 && <span className="p-count">{set}</span>}
      </button>
      {open && more && (
        <Popover anchor={button.current} label={t`Filter`} onClose={close}>
          {filter ? (
            <more.FilterEditor
              filter={filter}
              value={list.state.filters[filter.field] ?? ''}
              currencies={list.state.filters.currencyCode}
              onBack={() => setField(undefined)}
              onClose={close}
              onChange={value => setFilter(list, filter.field, value)}
            />
          ) : (
            <more.FieldChooser filters={filters} set={list.state.filters} onChoose={setField} />
          )}
        </Popover>
      )}
    </>
  );
}

function setFilter(list: Narrowing, field: string, value: string): void {
  const { [field]: _old, ...rest } = list.state.filters;
  list.change({ filters: value ? { ...rest, [field]: value } : rest });
}

/** The filters that are set, each with its values and a cross; and the way to clear them all. */
export function FilterChips({ list }: { list: Narrowing }): ReactElement | null {
  const filters = openFilters(list).filter(filter => list.state.filters[filter.field]);
  if (filters.length === 0) return null;
  return (
    <div className="l-chips" role="group" aria-label={t`Filters`}>
      {filters.map(filter => (
        <Chip key={filter.field} list={list} filter={filter} value={list.state.filters[filter.field] ?? ''} />
      ))}
      <button type="button" className="p-btn p-btn-s p-btn-plain" onClick={() => list.change({ filters: {} })}>
        {t`Clear all`}
      </button>
    </div>
  );
}

function Chip({ list, filter, value }: { list: Narrowing; filter: Filter; value: string }): ReactElement {
  const { store } = useSession();
  const chip = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  const more = useChunk(extras);
  const labels = useLabels(filter, value);
  return (
    <span className="p-chip" ref={chip}>
      <button type="button" className="p-cut" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)}>
        <span className="p-muted">{filter.title}: </span>
        {filterText(filter, value, amountCurrency(list.state.filters, store.currency_code), labels)}
      </button>
      <button
        type="button"
        className="p-chip-x"
        aria-label={t`Remove filter ${filter.title}`}
        onClick={() => setFilter(list, filter.field, '')}
      >
        <X aria-hidden="true" />
      </button>
      {open && more && (
        <Popover anchor={chip.current} label={t`Filter by ${inSentence(filter.title)}`} onClose={() => setOpen(false)}>
          <more.FilterEditor
            filter={filter}
            value={value}
            currencies={list.state.filters.currencyCode}
            onClose={() => setOpen(false)}
            onChange={next => setFilter(list, filter.field, next)}
          />
        </Popover>
      )}
    </span>
  );
}

/** The names of the records a reference filter holds, or of the values that a call lists. */
export function useLabels(filter: Filter, value: string): Record<string, string> {
  const ids = filter.kind === 'reference' && filter.of ? splitList(value) : [];
  const { data } = useQuery({
    queryKey: [filter.of ?? 'none', 'labels', ids],
    queryFn: async () => {
      const { data: rows } = await dataProvider.getMany(filter.of ?? '', { ids });
      return Object.fromEntries(rows.map(row => [String(row.id), labelOf(filter.of ?? '', row)]));
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
  });
  const { choices } = useChoices(filter);
  return choices ? Object.fromEntries(choices.map(choice => [choice.value, choice.title])) : (data ?? {});
}
