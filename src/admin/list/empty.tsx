// A list without rows: because this page lies beyond the end, because nothing matches, or because there is nothing yet.
import { Inbox, SearchX } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { CallError } from '../platform/transport/transport.ts';
import { focusSearch } from './filters/search.tsx';
import type { ListOf } from './use-list.ts';
import { t } from '../../domain/text/t.ts';

export function Empty({
  list,
  names,
  first,
}: {
  list: ListOf;
  names: { one: string; many: string };
  /** The first step that the empty list offers. */ first: ReactNode;
}): ReactElement {
  const { state, head, change } = list;
  const filtered = Object.keys(state.filters).length > 0;
  if (state.page > 1)
    return (
      <State
        icon={<SearchX aria-hidden="true" />}
        title={t`This page is empty`}
        text={t`The list has become shorter since this link was made.`}
        button={t`Go to the first page`}
        onPress={() => change({ page: 1 })}
      />
    );
  if (state.q || filtered) {
    const text = state.q
      ? filtered
        ? t`Nothing was found for “${state.q}” with these filters.`
        : t`Nothing was found for “${state.q}”.`
      : t`No ${names.one} meets all of these filters.`;
    return (
      <State
        icon={<SearchX aria-hidden="true" />}
        title={t`No ${names.many} match`}
        text={text}
        button={filtered ? t`Clear filters` : t`Clear search`}
        onPress={() => clear(list)}
      />
    );
  }
  if (list.isNarrowed)
    return (
      <State
        icon={<Inbox aria-hidden="true" />}
        title={t`No ${names.many} here`}
        text={t`Nothing is in this tab now.`}
        button={t`Show all ${names.many}`}
        onPress={() => change({ tab: head.tabs[0]?.id ?? '' })}
      />
    );
  const empty = list.resource.list?.empty;
  return (
    <div className="p-empty">
      <Inbox aria-hidden="true" />
      <h2>{empty?.title ?? t`No ${names.many} yet`}</h2>
      {empty?.text && <p>{empty.text}</p>}
      {first}
    </div>
  );
}

/** Takes back what was searched and filtered for. */
function clear({ change }: ListOf): void {
  change({ q: '', filters: {} });
  focusSearch();
}

/** What helps where the server refuses what was asked of a list: to take that back. */
export function wayOut(list: ListOf): { title: string; onPress: () => void } | undefined {
  const { error, state, change } = list;
  if (!(error instanceof CallError) || error.status < 400 || error.status >= 500 || error.status === 403) return undefined;
  const isAbout = (name: string): boolean =>
    error.errors.length === 0 || error.errors.some(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  if (state.q && isAbout('q'))
    return {
      title: t`Clear search`,
      onPress: () => {
        change({ q: '' });
        focusSearch();
      },
    };
  if (Object.keys(state.filters).length > 0 && (isAbout('filter') || isAbout('filters')))
    return { title: t`Clear filters`, onPress: () => clear(list) };
  return undefined;
}

const State = ({
  icon,
  title,
  text,
  button,
  onPress,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  button: string;
  onPress: () => void;
}): ReactElement => (
  <div className="p-empty">
    {icon}
    <h2>{title}</h2>
    <p>{text}</p>
    <button type="button" className="p-btn" onClick={onPress}>
      {button}
    </button>
  </div>
);
