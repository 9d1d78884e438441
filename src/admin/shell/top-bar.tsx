// The bar at the top: where one is, the command palette, how far the store is set up, the demo store's clock,
// what's new, the theme, the store's menu.
import type { ReactElement } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { holds } from '../../contract/validation/condition.ts';
import { parentsOf, placeOf } from '../../contract/find.ts';
import type { NavEntry } from '../../contract/types.ts';
import { logout, switchStore } from '../platform/session/auth-provider.ts';
import { runCall } from '../platform/transport/calls.ts';
import { definitions } from '../platform/definitions.ts';
import { MenuButton, type MenuItem } from '../ui/overlays/menu.tsx';
import { initials, percent } from '../platform/format.ts';
import { Icon } from '../ui/icons.tsx';
import { PaletteButton } from '../features/palette/palette-button.tsx';
import { ShortcutHelp } from '../features/shortcuts/shortcut-help.tsx';
import { useAccess, useFacts, useSession } from '../platform/session/session.tsx';
import { type Scheme, setScheme, useScheme } from '../ui/theme/scheme.ts';
import { DemoClock } from '../features/clock/demo-clock.tsx';
import { useAfterFirstPage } from '../platform/start/after-first-page.ts';
import { NavButton } from './nav-button.tsx';
import { useOwnTitle } from '../platform/routing/page-title.tsx';
import { openSetupPanel, setupChunk, useSetupScore } from '../features/onboarding/setup.tsx';
import { WhatsNewButton } from '../features/notices/whats-new/whats-new-button.tsx';
import { language, t } from '../../domain/text/t.ts';
import { chooseLanguage, languages } from '../platform/language.ts';
import { notifyError } from '../ui/notices/notices.tsx';

export function TopBar({ onMenu }: { onMenu: () => void }): ReactElement {
  const { store, user } = useSession();
  return (
    <header className="p-topbar">
      <NavButton onDrawer={onMenu} />
      <Breadcrumb />
      <div className="p-topbar-end">
        <SetupLink />
        <PaletteButton />
        <HelpLink />
        <ShortcutHelp />
        {store.isDemo && user.loopUserType === 'OWNER' && <DemoClock />}
        <WhatsNewButton />
        <SchemeMenu />
        <StoreMenu />
      </div>
    </header>
  );
}

/** To the article about the open page. */
function HelpLink(): ReactElement {
  const { pathname } = useLocation();
  const to = pathname.startsWith('/help') ? '/help' : `/help?page=${encodeURIComponent(pathname)}`;
  return (
    <Link className="p-icon-btn p-topbar-wide" to={to} aria-label={t`Help for this page`} data-tip={t`Help for this page`}>
      <Icon name="life-buoy" />
    </Link>
  );
}

function Breadcrumb(): ReactElement {
  const { pathname } = useLocation();
  const own = useOwnTitle();
  const { section, item } = placeOf(definitions.navigation, pathname);
  const steps: { title: string; to: string }[] = [];
  if (section) steps.push({ title: section.title, to: section.to });
  if (item && item.title !== section?.title) steps.push({ title: item.title, to: item.to });
  // Screens that the navigation does not name stand below each other by their addresses.
  if (!section) steps.push(...parentsOf(definitions, pathname));
  if (own && steps.at(-1)?.title !== own) steps.push({ title: own, to: pathname });
  return (
    <nav className="p-crumbs" aria-label={t`Breadcrumb`}>
      <ol className="p-crumbs-list">
        {steps.map((step, i) => (
          <li key={step.to + step.title}>
            {i > 0 && <Icon name="chevron-right" size={14} />}
            {i === steps.length - 1 ? (
              <span className="p-cut" aria-current="page">
                {step.title}
              </span>
            ) : (
              <Link className="p-cut" to={step.to}>
                {step.title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const SCHEMES: { scheme: Scheme; title: string; icon: string }[] = [
  { scheme: 'light', title: t`Light`, icon: 'sun' },
  { scheme: 'dark', title: t`Dark`, icon: 'moon' },
  { scheme: 'system', title: t`As the system`, icon: 'monitor' },
];
const schemeItems = (now: Scheme): MenuItem[] =>
  SCHEMES.map(one => ({ title: one.title, icon: one.icon, checked: one.scheme === now, onSelect: () => setScheme(one.scheme) }));
function SchemeMenu(): ReactElement {
  const scheme = useScheme();
  return (
    <MenuButton label={t`Theme`} className="p-icon-btn p-topbar-wide" data-tip={t`Theme`} align="end" items={schemeItems(scheme)}>
      <Icon name={SCHEMES.find(one => one.scheme === scheme)?.icon ?? 'sun'} />
    </MenuButton>
  );
}

/** Each language in its own words, whatever the page speaks. */
function languageItems(): MenuItem[] {
  const all = languages();
  if (all.length === 0) return [];
  const choice = all.map(({ code, name }): MenuItem => ({
    title: name,
    icon: 'languages',
    checked: code === language(),
    onSelect: () => void chooseLanguage(code).catch((error: unknown) => notifyError(error, t`The language could not be saved.`)),
  }));
  return [{ kind: 'separator' }, { kind: 'head', title: t`Language` }, ...choice];
}

/** Where the navigation's entry leads, in the same tab or as it says. */
const toEntry = (entry: NavEntry): MenuItem => (entry.external ? { href: entry.to, hint: '↗' } : { to: entry.to });

/** To the demo store with the other version of the widget. */
const otherStore = (widgetVersion: 1 | 2): MenuItem => ({
  title: widgetVersion === 1 ? t`Switch to the store with widget version 1` : t`Switch to the store with the widget library`,
  icon: 'store',
  onSelect: () => void switchStore(widgetVersion).catch((error: unknown) => notifyError(error, t`The other store could not be opened.`)),
});

/** S083 to S087: the store's name, its storefront, the user's e-mail, Help center, Logout; 'Refer and earn' for those who may (S094). */
function StoreMenu(): ReactElement {
  const { store, user } = useSession();
  const facts = useFacts();
  const scheme = useScheme();
  const entry = (id: string): NavEntry | undefined => definitions.navigation.lower.find(one => one.id === id && holds(one.when, { facts }));
  const help = entry('help');
  const refer = entry('refer');
  const items = (): MenuItem[] => [
    { kind: 'head', title: store.name },
    { kind: 'head', title: user.email },
    { kind: 'separator' },
    ...(store.storefrontUrl === undefined
      ? []
      : [{ title: t`View storefront`, icon: 'store' as const, href: store.storefrontUrl, hint: '↗' }]),
    ...(help ? [{ title: help.title, icon: 'life-buoy', ...toEntry(help) }] : []),
    // The click is counted; whether that worked is nothing the merchant waits for.
    ...(refer
      ? [
          {
            title: refer.title,
            icon: 'hand-coins',
            ...toEntry(refer),
            onSelect: () => void runCall('store.merchantReferralClick', { source: 'TOP_BAR' }).catch(() => undefined),
          },
        ]
      : []),
    ...(matchMedia('(max-width: 767px)').matches
      ? [{ kind: 'separator' as const }, { kind: 'head' as const, title: t`Theme` }, ...schemeItems(scheme)]
      : []),
    ...languageItems(),
    { kind: 'separator' },
    ...(store.isDemo && user.loopUserType === 'OWNER' ? [otherStore(store.storefrontWidgetVersion === 1 ? 2 : 1)] : []),
    { title: t`Logout`, icon: 'log-out', onSelect: () => void logout() },
  ];
  return (
    <MenuButton label={`${store.name}, ${user.email}`} className="p-store-btn" align="end" items={items}>
      <span className="p-avatar" aria-hidden="true">
        {initials(store.name)}
      </span>
      <span className="p-store-name p-cut">{store.name}</span>
      <Icon name="chevron-down" size={14} />
    </MenuButton>
  );
}

/**
 * S088 to S091: off the dashboard, with the switch loopSetupScore on. What it is about is only asked for when the open page is there.
 */
function SetupLink(): ReactElement | null {
  const { pathname } = useLocation();
  const isCalm = useAfterFirstPage();
  const isOn = useAccess().switchedOn('loopSetupScore');
  if (!isOn || /^\/dashboard\/?$/.test(pathname)) return null;
  return isCalm ? <SetupScoreLink /> : <SetupScoreRoom />;
}
/** Its place in the bar while it is not known, so that nothing beside it moves. */
const SetupScoreRoom = (): ReactElement => (
  <span className="p-setup-link p-setup-room" aria-hidden="true">
    <span className="p-setup-words">{t`Setup Score:`} </span>
    00%
  </span>
);
function SetupScoreLink(): ReactElement {
  const score = useSetupScore();
  if (!score) return <SetupScoreRoom />;
  return (
    <a
      className="p-setup-link"
      href="#set-up-score"
      aria-label={t`Setup Score: ${score.percent}%`}
      aria-haspopup="dialog"
      onClick={event => {
        event.preventDefault();
        openSetupPanel();
      }}
      onPointerEnter={() => void setupChunk.load().catch(() => undefined)}
    >
      <span className="p-setup-words">{t`Setup Score:`} </span>
      {percent(score.percent)}
    </a>
  );
}
