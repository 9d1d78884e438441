// The navigation at the left: sections with their entries under the open one, the lower group at the bottom.
import { Lock, PanelLeftClose, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useMemo } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { fold, FIRST_ENTRIES, navigationFor, type NavItem } from '../../navigation/navigation.ts';
import { runCall } from '../platform/transport/calls.ts';
import { definitions } from '../platform/definitions.ts';
import { count } from '../platform/format.ts';
import { Icon } from '../ui/icons.tsx';
import { usePreference } from '../platform/preferences.ts';
import { notify } from '../ui/notices/notices.tsx';
import { report } from '../platform/transport/error-report.ts';
import { useFacts, useSession } from '../platform/session/session.tsx';
import { Mark } from '../ui/logo.tsx';
import { setNavClosed, useShowHidden } from '../platform/routing/navigation-state.ts';
import { t } from '../../domain/text/t.ts';

/** `onGo`: it stands in the drawer, which a choice closes. */
export function SideNav({ onGo }: { onGo?: () => void }): ReactElement {
  const facts = useFacts();
  const session = useSession();
  const { pathname } = useLocation();
  const showHidden = useShowHidden();
  const [whole = false, setWhole] = usePreference<boolean>('navigation.whole');
  const { main, lower } = useMemo(() => {
    const { main: all, lower: rest } = navigationFor(definitions, { path: pathname, session, facts, showHidden });
    return { main: soonLast(all), lower: soonLast(rest) };
  }, [pathname, session, facts, showHidden]);
  // Where one is, is never folded away.
  const isBelow = main.findIndex(entry => entry.isCurrent) >= FIRST_ENTRIES;
  const { entries, rest } = fold(main, whole || isBelow);
  const section = (entry: NavItem): ReactElement => <Section key={entry.id} entry={entry} {...(onGo ? { onGo } : {})} />;
  return (
    <nav className="p-nav" aria-label={t`Main`}>
      <div className="p-brand-row">
        <Link to="/dashboard" className="p-brand" {...(onGo ? { onClick: onGo } : {})}>
          <Mark />
          Perennial
        </Link>
        {onGo ? (
          <button type="button" className="p-icon-btn" aria-label={t`Close navigation`} onClick={onGo}>
            <X aria-hidden="true" />
          </button>
        ) : (
          <button
            type="button"
            className="p-icon-btn p-icon-btn-s p-nav-close"
            aria-label={t`Hide navigation`}
            data-tip={t`Hide navigation`}
            onClick={putAway}
          >
            <PanelLeftClose aria-hidden="true" />
          </button>
        )}
      </div>
      <ul className="p-nav-list p-nav-main">
        {entries.map(section)}
        {rest > 0 && !isBelow && (
          <li>
            <button type="button" className="p-nav-item" aria-expanded={whole} onClick={() => setWhole(whole ? undefined : true)}>
              <Icon name={whole ? 'arrow-up' : 'ellipsis'} />
              {whole ? t`Show less` : t`Show more`}
              <span className="p-sr">
                , {rest} {rest === 1 ? 'entry' : 'entries'}
              </span>
            </button>
          </li>
        )}
      </ul>
      <ul className="p-nav-list p-nav-lower">{lower.map(section)}</ul>
    </nav>
  );
}

/** What works stands before what comes later, each in the order of the definitions. */
const soonLast = (items: readonly NavItem[]): NavItem[] => [...items].sort((a, b) => Number(a.isSoon) - Number(b.isSoon));

/** The button that brings it back takes the focus. */
function putAway(): void {
  setNavClosed(true);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.p-topbar-menu')?.focus());
}

function Section({ entry, onGo }: { entry: NavItem; onGo?: () => void }): ReactElement {
  return (
    <li>
      <Entry entry={entry} {...(onGo ? { onGo } : {})}>
        {entry.icon && <Icon name={entry.icon} />}
        <span className="p-cut p-grow">{entry.title}</span>
        {entry.badge > 0 && (
          <span className="p-count" data-tone="critical">
            {count(entry.badge)}
            <span className="p-sr"> {t`open`}</span>
          </span>
        )}
      </Entry>
      {entry.isCurrent && entry.items.length > 0 && (
        <ul className="p-nav-list p-nav-sub">
          {soonLast(entry.items).map(item => (
            <li key={item.id}>
              <Entry entry={item} {...(onGo ? { onGo } : {})}>
                <span className="p-cut p-grow">{item.title}</span>
                {item.isNew && <span className="p-pulse" role="img" aria-label={t`New`} />}
              </Entry>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Entry({ entry, onGo, children }: { entry: NavItem; onGo?: () => void; children: React.ReactNode }): ReactElement {
  const common = { className: 'p-nav-item', 'data-current': entry.isCurrent || undefined, 'data-soon': entry.isSoon || undefined };
  if (entry.refusal !== undefined) {
    const why = entry.refusal;
    // There is no hovering on a phone: pressing says why as well.
    const say = (): void => {
      onGo?.();
      notify(why, { tone: 'info' });
    };
    return (
      <a
        {...common}
        role="link"
        aria-disabled="true"
        tabIndex={0}
        data-tip={why}
        onClick={say}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') say();
        }}
      >
        {children}
        <Lock size={12} className="p-nav-lock" aria-hidden="true" />
      </a>
    );
  }
  const chosen = (): void => {
    onGo?.();
    if (entry.track) runCall(entry.track).catch((error: unknown) => report(error)); // S275: noted in the background
  };
  if (entry.external)
    return (
      <a {...common} href={entry.to} target="_blank" rel="noopener noreferrer" onClick={chosen}>
        {children}
        <Icon name="external-link" size={14} />
      </a>
    );
  return (
    <Link
      {...common}
      to={entry.to}
      aria-current={entry.isPage ? 'page' : undefined}
      aria-description={entry.isSoon ? t`Coming soon` : undefined}
      onClick={chosen}
    >
      {children}
      {entry.isSoon && (
        <span className="p-soon" aria-hidden="true">
          {t`Soon`}
        </span>
      )}
    </Link>
  );
}
