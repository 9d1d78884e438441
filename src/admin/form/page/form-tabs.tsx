// The tabs of a long form: its sections say in which one they stand. All of it is one form, with one save bar.
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Section } from '../../../contract/types.ts';
import { useChannel } from '../engine/hooks.ts';
import type { FormStore } from '../engine/store.ts';
import { standsIn } from './section-fields.ts';
import { t } from '../../../domain/text/t.ts';

/** The tabs in their order; none where no section names one. */
export const tabsOf = (sections: readonly Section[]): string[] => [
  ...new Set(sections.flatMap(section => (section.tab === undefined ? [] : [section.tab]))),
];

/** The tab in view, by its place in the address ("?tab=2"), and a way to another. */
export function useFormTab(tabs: readonly string[]): [string | undefined, (tab: string) => void] {
  const [search, setSearch] = useSearchParams();
  const named = Number(search.get('tab') ?? 0);
  // Held here as well: a field in another tab is brought into view before the address has changed.
  const [tab, setTab] = useState(tabs[named] ?? tabs[0]);
  const choose = useCallback(
    (next: string) => {
      setTab(next);
      setSearch(
        before => {
          const query = new URLSearchParams(before);
          query.set('tab', String(tabs.indexOf(next)));
          return query;
        },
        { replace: true },
      );
    },
    [tabs, setSearch],
  );
  return [tab !== undefined && tabs.includes(tab) ? tab : tabs[0], choose];
}

interface FormTabsProps {
  store: FormStore;
  sections: readonly Section[];
  tabs: readonly string[];
  chosen: string | undefined;
  onChoose: (tab: string) => void;
}
export function FormTabs({ store, sections, tabs, chosen, onChoose }: FormTabsProps) {
  useChannel(store, '/**');
  const errors = store.errors();
  return (
    <nav className="p-tabs f-tabs" aria-label={t`Parts of the form`}>
      {tabs.map(tab => {
        const inside = sections.filter(section => section.tab === tab);
        const count = errors.filter(({ pointer }) => inside.some(section => standsIn(section, pointer))).length;
        return (
          <button
            key={tab}
            type="button"
            className="p-tab"
            aria-current={tab === chosen ? 'true' : undefined}
            onClick={() => onChoose(tab)}
          >
            {tab}
            {count > 0 && (
              <span className="p-badge" data-tone="critical">
                {count === 1 ? t`1 error` : t`${count} errors`}
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}
