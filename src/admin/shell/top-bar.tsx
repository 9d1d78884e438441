// The bar at the top: where one is, the demo store's clock, the theme, the store's menu.
import type { ReactElement } from 'react';
import { Link, useLocation } from 'react-router';
import { placeOf } from '../../contract/find.ts';
import { logout } from '../auth-provider.ts';
import { definitions } from '../definitions.ts';
import { MenuButton } from '../float/menu.tsx';
import { initials } from '../format.ts';
import { Icon } from '../icons.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { useSession } from '../session.tsx';
import { type Scheme, setScheme, useScheme } from '../theme/scheme.ts';
import { DemoClock } from './demo-clock.tsx';
import { NavButton } from './nav-button.tsx';
import { useOwnTitle } from './page.tsx';

export function TopBar({ onMenu }: { onMenu: () => void }): ReactElement {
  const { store, user } = useSession();
  return (
    <header className="p-topbar">
      <NavButton onDrawer={onMenu} />
      <Breadcrumb />
      <div className="p-topbar-end">
        <PaletteButton />
        {store.isDemo && user.loopUserType === 'OWNER' && <DemoClock />}
        <SchemeMenu />
        <StoreMenu />
      </div>
    </header>
  );
}

function Breadcrumb(): ReactElement {
  const { pathname } = useLocation();
  const own = useOwnTitle();
  const { section, item } = placeOf(definitions.navigation, pathname);
  const steps: { title: string; to: string }[] = [];
  if (section) steps.push({ title: section.title, to: section.to });
  if (item && item.title !== section?.title) steps.push({ title: item.title, to: item.to });
  if (own && steps.at(-1)?.title !== own) steps.push({ title: own, to: pathname });
  return (
    <nav className="p-crumbs" aria-label="Breadcrumb">
      <ol className="p-crumbs-list">
        {steps.map((step, i) => (
          <li key={step.to + step.title}>
            {i > 0 && <Icon name="chevron-right" size={14} />}
            {i === steps.length - 1 ? <span className="p-cut" aria-current="page">{step.title}</span> : <Link className="p-cut" to={step.to}>{step.title}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const SCHEMES: { scheme: Scheme; title: string; icon: string }[] = [
  { scheme: 'light', title: 'Light', icon: 'sun' }, { scheme: 'dark', title: 'Dark', icon: 'moon' }, { scheme: 'system', title: 'As the system', icon: 'monitor' },
];
function SchemeMenu(): ReactElement {
  const scheme = useScheme();
  return (
    <MenuButton label="Theme" className="p-icon-btn" data-tip="Theme" align="end" items={SCHEMES.map(one => ({ title: one.title, icon: one.icon, checked: one.scheme === scheme, onSelect: () => setScheme(one.scheme) }))}>
      <Icon name={SCHEMES.find(one => one.scheme === scheme)?.icon ?? 'sun'} />
    </MenuButton>
  );
}

function StoreMenu(): ReactElement {
  const { store, user } = useSession();
  return (
    <MenuButton label={`${store.name}, ${user.email}`} className="p-store-btn" align="end" items={[
      { kind: 'head', title: store.name },
      { kind: 'head', title: user.email },
      { kind: 'separator' },
      { title: 'View storefront', icon: 'store', href: `https://${store.myshopify_domain}`, hint: '↗' },
      { title: 'Help center', icon: 'life-buoy', to: '/help' },
      { kind: 'separator' },
      { title: 'Log out', icon: 'log-out', onSelect: () => void logout() },
    ]}>
      <span className="p-avatar" aria-hidden="true">{initials(store.name)}</span>
      <span className="p-store-name p-cut">{store.name}</span>
      <Icon name="chevron-down" size={14} />
    </MenuButton>
  );
}
