// The navigation at the left: sections with their entries under the open one, the lower group at the bottom.
import { type ReactElement, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { placeOf } from '../../contract/find.ts';
import type { NavEntry } from '../../contract/types.ts';
import { definitions } from '../definitions.ts';
import { count } from '../format.ts';
import { Icon } from '../icons.tsx';
import { useAccess, useFacts } from '../session.tsx';
import { Mark } from './logo.tsx';
import { FIRST_ENTRIES, refusal, visible } from './navigation.ts';

const showHidden = (): boolean => {
  try {
    if (new URLSearchParams(location.search).get('showHidden') === 'true') sessionStorage.setItem('perennial.showHidden', 'true');
    return sessionStorage.getItem('perennial.showHidden') === 'true';
  } catch { return false; }
};

export function SideNav({ onGo }: { onGo?: () => void }): ReactElement {
  const facts = useFacts();
  const { pathname } = useLocation();
  const [all, setAll] = useState(false);
  const place = placeOf(definitions.navigation, pathname);
  const main = visible(definitions.navigation.main, facts, showHidden());
  const lower = visible(definitions.navigation.lower, facts, showHidden());
  const more = main.length - FIRST_ENTRIES;
  const section = (entry: NavEntry): ReactElement => <Section key={entry.id} entry={entry} open={place.section?.id === entry.id} item={place.item?.id} {...(onGo ? { onGo } : {})} />;
  return (
    <nav className="p-nav" aria-label="Main">
      <Link to="/dashboard" className="p-brand" {...(onGo ? { onClick: onGo } : {})}><Mark />Perennial</Link>
      <ul className="p-nav-list p-nav-main">
        {(all || more <= 0 ? main : main.slice(0, FIRST_ENTRIES)).map(section)}
        {more > 0 && <li><button type="button" className="p-nav-item" aria-expanded={all} onClick={() => setAll(!all)}><Icon name={all ? 'arrow-up' : 'ellipsis'} />{all ? 'Show fewer' : `Show ${more} more`}</button></li>}
      </ul>
      <ul className="p-nav-list p-nav-lower">{lower.map(section)}</ul>
    </nav>
  );
}

function Section({ entry, open, item, onGo }: { entry: NavEntry; open: boolean; item: string | undefined; onGo?: () => void }): ReactElement {
  const facts = useFacts();
  const items = visible(entry.items ?? [], facts, showHidden());
  const badge = entry.badge ? Number(facts[entry.badge] ?? 0) : 0;
  return (
    <li>
      <Entry entry={entry} current={open} exact={open && !items.some(one => one.id === item)} {...(onGo ? { onGo } : {})}>
        {entry.icon && <Icon name={entry.icon} />}
        <span className="p-cut p-grow">{entry.title}</span>
        {badge > 0 && <span className="p-count" data-tone="critical">{count(badge)}<span className="p-sr"> open</span></span>}
      </Entry>
      {open && items.length > 0 && (
        <ul className="p-nav-list p-nav-sub">
          {items.map(one => (
            <li key={one.id}>
              <Entry entry={one} parent={entry} current={item === one.id} exact={item === one.id} {...(onGo ? { onGo } : {})}>
                <span className="p-cut p-grow">{one.title}</span>
                {one.isNew && <span className="p-pulse" role="img" aria-label="New" />}
              </Entry>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Entry({ entry, parent, current, exact, onGo, children }: { entry: NavEntry; parent?: NavEntry; current: boolean; exact: boolean; onGo?: () => void; children: React.ReactNode }): ReactElement {
  const access = useAccess();
  const why = refusal(entry, access, parent);
  const common = { className: 'p-nav-item', 'data-current': current || undefined };
  if (why) return <a {...common} role="link" aria-disabled="true" tabIndex={0} data-tip={why}>{children}</a>;
  if (entry.external) return <a {...common} href={entry.to} target="_blank" rel="noopener noreferrer">{children}<Icon name="external-link" size={14} /></a>;
  return <Link {...common} to={entry.to} aria-current={exact ? 'page' : undefined} {...(onGo ? { onClick: onGo } : {})}>{children}</Link>;
}
