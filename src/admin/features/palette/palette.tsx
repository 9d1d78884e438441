// The command palette: every place one may go to, what the open page offers, records found by typing, the places
// visited last. Keyboard only if one likes.
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { Lock, Search, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { accessOf } from '../../../contract/access.ts';
import { ORDER_SCHEDULE_ACTIONS, orderScheduleAction } from '../../../domain/schedule/order-schedule.ts';
import { isThere, mayOpen, paletteFor } from '../../../navigation/navigation.ts';
import { logout } from '../../platform/session/auth-provider.ts';
import { definitions } from '../../platform/definitions.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notices/notices.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { plannedEntry } from '../../platform/routing/navigation.ts';
import { useShowHidden } from '../../platform/routing/navigation-state.ts';
import { openSetupPanel } from '../onboarding/setup.tsx';
import { setScheme } from '../../ui/theme/scheme.ts';
import { fitting } from './fitting.ts';
import { runPageAction, useOfferedActions } from '../../platform/routing/page-actions.ts';
import { recent, remember } from '../../platform/routing/recent-places.ts';
import { useRecords } from './search.ts';
import './palette.css';
import { t, translated } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

interface Choice {
  id: string;
  title: string;
  section?: string;
  detail?: string;
  icon?: string;
  refusal?: string;
  shortcut?: string;
  tone?: 'critical';
  words?: string[];
  to?: string;
  href?: string;
  run?: () => void;
  /** Its screen comes later: it stands after those that are there. */
  isSoon?: true;
  /** Choosing it is remembered among the recent places. */
  isPlace?: boolean;
}
const ORDER_SCHEDULE = '/settings/order-schedule';
const RECENT_SHOWN = 5;
const valueOf = (group: string, { id }: Pick<Choice, 'id'>): string => `${group} ${id}`;

/** `typed`: what was typed before the palette was there. */
export function Palette({ typed = '', onClose }: { typed?: string; onClose: () => void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState(typed);
  const [chosen, setChosen] = useState('');
  // Until the person moves to another, the first choice is the one that Enter takes, also when a better one comes in late.
  const [hasMoved, setHasMoved] = useState(false);
  const session = useSession();
  const groups = useGroups(text);
  const records = useRecords(text, session);
  const close = useCallback(() => {
    dialog.current?.close();
    onClose();
  }, [onClose]);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const input = element?.querySelector('input');
    input?.focus();
    input?.setSelectionRange(input.value.length, input.value.length);
    return () => element?.close();
  }, []);
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
  }, [text]);

  const choose = (choice: Choice): void => {
    if (choice.refusal !== undefined) return;
    close();
    if (choice.run) {
      const { run } = choice;
      setTimeout(run);
      return;
    }
    if (choice.href) {
      window.open(choice.href, '_blank', 'noopener');
      return;
    }
    const to = choice.to ?? '/';
    try {
      checkAction(to);
    } catch (error) {
      notifyError(error);
      return;
    }
    if (choice.isPlace)
      remember({
        to,
        title: choice.title,
        ...(choice.section ? { section: choice.section } : {}),
        ...(choice.icon ? { icon: choice.icon } : {}),
      });
    void navigate(to);
  };
  // What was typed as a whole, a number or an address, stands before everything that only contains it.
  const hitsOf = (isExact: boolean): { title: string; choices: Choice[] }[] =>
    records.found.map(({ source, hits }) => ({
      title: source.title,
      choices: hits
        .filter(hit => hit.isExact === isExact)
        .map(hit => ({
          id: hit.id,
          title: hit.title,
          detail: hit.detail,
          to: hit.to,
          isPlace: true,
          ...(source.icon ? { icon: source.icon } : {}),
        })),
    }));
  const exact: Choice[] = hitsOf(true).flatMap(group => group.choices.map(choice => ({ ...choice, section: group.title })));
  const found: { title: string; choices: Choice[] }[] = [
    { title: t`Exact match`, choices: exact },
    // A recent place that is the exact match stands once.
    ...groups.map(group => ({ ...group, choices: group.choices.filter(choice => !exact.some(one => one.to === choice.to)) })),
    ...hitsOf(false),
  ].filter(group => group.choices.length > 0);
  const first =
    found.flatMap(group => group.choices.filter(choice => choice.refusal === undefined).map(choice => valueOf(group.title, choice)))[0] ??
    '';
  const total = found.reduce((sum, group) => sum + group.choices.length, 0);
  const status =
    total > 0
      ? `${total} ${total === 1 ? 'result' : 'results'}`
      : records.isSearching
        ? t`Searching …`
        : t`Nothing found for “${text.trim()}”`;
  return (
    <dialog
      ref={dialog}
      className="p-palette"
      aria-label={t`Command palette`}
      onCancel={event => {
        event.preventDefault();
        close();
      }}
      onPointerDown={event => {
        if (event.target === dialog.current) close();
      }}
    >
      <CommandRoot
        label={t`Search`}
        shouldFilter={false}
        loop
        vimBindings={false}
        className="p-palette-body"
        value={hasMoved ? chosen : first}
        onValueChange={setChosen}
        onKeyDown={event => {
          if (/^(Arrow|Home|End|Page)/.test(event.key)) setHasMoved(true);
        }}
      >
        <div className="p-palette-head">
          <Search size={18} aria-hidden="true" />
          <CommandInput
            className="p-palette-input"
            placeholder={t`Search...`}
            value={text}
            onValueChange={typed => {
              setText(typed);
              setHasMoved(false);
            }}
            maxLength={200}
          />
          {records.isSearching && <span className="p-spinner" aria-hidden="true" />}
          <button type="button" className="p-icon-btn p-palette-x" aria-label={t`Close`} onClick={close}>
            <X aria-hidden="true" />
          </button>
        </div>
        <CommandList
          ref={list}
          label={t`Results`}
          className="p-palette-list"
          hidden={total === 0}
          onPointerMoveCapture={() => setHasMoved(true)}
        >
          {found.map(group => (
            <CommandGroup key={group.title} heading={group.title} className="p-palette-group">
              {group.choices.map(choice => (
                <Row key={choice.id} choice={choice} group={group.title} onChoose={() => choose(choice)} />
              ))}
            </CommandGroup>
          ))}
        </CommandList>
        {total === 0 && (
          <div className="p-palette-none">
            {records.isSearching ? (
              <p className="p-muted">{t`Searching …`}</p>
            ) : (
              <>
                <p className="p-strong">{status}</p>
                <p className="p-muted">{t`Try a page, a setting, or a customer's name, e-mail or subscription number.`}</p>
              </>
            )}
          </div>
        )}
        {records.failure && (
          <p className="p-palette-failure" role="alert">
            {tx`${records.failure} Check your connection and type again.`}
          </p>
        )}
        <div className="p-palette-foot" aria-hidden="true">
          <span>{tx`${<kbd className="p-kbd">↑</kbd>}${<kbd className="p-kbd">↓</kbd>} to move`}</span>
          <span>{tx`${<kbd className="p-kbd">↵</kbd>} to choose`}</span>
          <span>{tx`${<kbd className="p-kbd">Esc</kbd>} to close`}</span>
        </div>
        <p className="p-sr" role="status">
          {status}
        </p>
      </CommandRoot>
    </dialog>
  );
}

function Row({ choice, group, onChoose }: { choice: Choice; group: string; onChoose: () => void }): ReactElement {
  const { title, section, detail, icon, refusal, shortcut, tone, isSoon } = choice;
  const side: ReactNode = refusal ?? detail ?? (isSoon ? t`Soon` : '');
  return (
    <CommandItem
      value={valueOf(group, choice)}
      disabled={refusal !== undefined}
      onSelect={onChoose}
      className="p-palette-item"
      data-tone={tone}
    >
      {icon ? <Icon name={icon} /> : <span className="p-palette-noicon" />}
      <span className="p-palette-title">
        {section && section !== title && <span className="p-muted">{section} › </span>}
        {title}
      </span>
      {side !== '' && <span className="p-palette-side p-cut">{side}</span>}
      {refusal !== undefined && <Lock size={13} aria-hidden="true" />}
      {shortcut && <kbd className="p-kbd">{shortcut}</kbd>}
    </CommandItem>
  );
}

/** An address that names an action of the order schedule must name one that there is (S309). */
function checkAction(to: string): void {
  const url = new URL(to, location.origin);
  const key = url.searchParams.get('action');
  if (url.pathname === ORDER_SCHEDULE && key !== null) orderScheduleAction(key);
}

/** Everything but records, in groups, as far as it fits what was typed. */
function useGroups(text: string): { title: string; choices: Choice[] }[] {
  const session = useSession();
  const facts = useFacts();
  const showHidden = useShowHidden();
  const { pathname } = useLocation();
  const actions = useOfferedActions();
  const [visited] = useState(recent);
  const { navigation, making, settings } = useMemo(
    () => paletteFor(definitions, { session, facts, showHidden }),
    [session, facts, showHidden],
  );
  return useMemo(() => {
    const open = (to: string): boolean => {
      const { pathname: path } = new URL(to, location.origin);
      return !plannedEntry(path) && isThere(definitions, path, facts) && mayOpen(definitions, path, session).ok;
    };
    const place = (entry: (typeof navigation)[number]): Choice => ({
      ...entry,
      isPlace: true,
      ...(entry.section ? { words: [entry.section] } : {}),
    });
    const schedule = open(ORDER_SCHEDULE)
      ? Object.entries(ORDER_SCHEDULE_ACTIONS).map(([key, { title }]): Choice => ({
          id: `action-${key}`,
          title: translated(title),
          icon: 'calendar-clock',
          to: `${ORDER_SCHEDULE}?action=${key}`,
          isPlace: true,
          words: [t`Order schedule`],
        }))
      : [];
    const general: Choice[] = [
      ...(open('/help') ? [{ id: 'help', title: t`Help center`, icon: 'life-buoy', to: '/help' }] : []),
      ...(accessOf(session).switchedOn('loopSetupScore')
        ? [{ id: 'set-up', title: t`Setup Score`, icon: 'circle-check', run: openSetupPanel }]
        : []),
      { id: 'storefront', title: t`View storefront`, icon: 'store', href: `https://${session.store.myshopify_domain}` },
      { id: 'light', title: t`Light theme`, icon: 'sun', run: () => setScheme('light') },
      { id: 'dark', title: t`Dark theme`, icon: 'moon', run: () => setScheme('dark') },
      { id: 'system', title: t`Theme of the system`, icon: 'monitor', run: () => setScheme('system') },
      { id: 'logout', title: t`Logout`, icon: 'log-out', run: () => void logout() },
    ];
    const been = visited.filter(one => one.to !== pathname && open(one.to)).map((one): Choice => ({ id: one.to, ...one, isPlace: true }));
    const fit = (choices: Choice[]): Choice[] =>
      fitting(choices, text).sort((a, b) => Number(a.isSoon ?? false) - Number(b.isSoon ?? false));
    return [
      { title: t`Recent`, choices: (text.trim() ? fit(been) : been).slice(0, RECENT_SHOWN) },
      {
        title: t`This page`,
        choices: fit(
          actions
            .filter(action => !navigation.some(entry => entry.to === action.to))
            .map(action => ({ ...action, ...(action.run ? { run: () => runPageAction(action.id) } : {}) })),
        ),
      },
      { title: t`Navigation`, choices: fit(navigation.map(place)) },
      { title: t`Create`, choices: text.trim() ? fit(making.map(place)) : [] },
      { title: t`Settings`, choices: fit([...settings.map(place), ...schedule]) },
      { title: t`General`, choices: fit(general) },
    ];
  }, [text, actions, visited, navigation, making, settings, session, facts, pathname]);
}
