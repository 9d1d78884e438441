// What a page of figures is narrowed by; the choice stands in its address.
import { ChevronDown, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { t } from '../../../domain/text/t.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { PopoverButton } from '../../ui/overlays/menu.tsx';

const NAMES: Record<string, { title: string; list: string }> = {
  plan: { title: t`Plan`, list: 'plans' },
  product: { title: t`Product`, list: 'products' },
  country: { title: t`Country`, list: 'countries' },
  frequency: { title: t`Frequency`, list: 'frequencies' },
};
type Choice = { value: string | number; label: string };

const useChoices = (name: string) => useAsk<Choice[]>('analytics.generic', { list: NAMES[name]?.list ?? '' }, { staleTime: 300_000 });

export function Filters({ names }: { names: readonly string[] }): ReactElement | null {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const chosen = names.filter(name => params.get(name));
  const clear = (): void => {
    for (const name of names) params.delete(name);
    void navigate({ pathname, search: params.toString() });
  };
  if (names.length === 0) return null;
  return (
    <div className="an-filters" role="group" aria-label={t`Filters`}>
      {names.map(name => (
        <Filter key={name} name={name} />
      ))}
      {chosen.length > 0 && (
        <button type="button" className="p-btn p-btn-s p-btn-plain" onClick={clear}>
          <X aria-hidden="true" />
          {t`Clear filters`}
        </button>
      )}
    </div>
  );
}

function Filter({ name }: { name: string }): ReactElement {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const values = (params.get(name) ?? '').split(',').filter(Boolean);
  const { data } = useChoices(name);
  const title = NAMES[name]?.title ?? name;
  const toggle = (value: string): void => {
    const next = values.includes(value) ? values.filter(one => one !== value) : [...values, value];
    if (next.length) params.set(name, next.join(','));
    else params.delete(name);
    void navigate({ pathname, search: params.toString() });
  };
  const label = (value: string): string => data?.find(one => String(one.value) === value)?.label ?? value;
  const words = values.length === 0 ? title : values.length === 1 ? `${title}: ${label(values[0] ?? '')}` : `${title}: ${values.length}`;
  return (
    <PopoverButton
      label={words}
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
