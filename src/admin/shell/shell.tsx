// The frame around every page: navigation, top bar, the page itself, notices; focus goes to the page when the route changes.
import { type ReactElement, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { warm } from '../platform/chunk.ts';
import { ConfirmHost } from '../ui/overlays/dialog.tsx';
import { catalogue } from '../platform/definitions.ts';
import { overlaysChunk } from '../ui/overlays/menu.tsx';
import { Notices } from '../ui/notices/notices.tsx';
import { AlertCount } from '../features/alerts/alert-count.ts';
import { Banners } from '../features/notices/banners/banners.tsx';
import { ConnectionBanner } from '../ui/connection.tsx';
import { ErrorBoundary } from '../ui/pages/error-page.tsx';
import { useBrowserTitle } from '../platform/routing/page-title.tsx';
import { PopupHost } from '../features/notices/popup/popup-host.tsx';
import { RolePreview } from '../features/role-preview/role-preview.tsx';
import { SetupHost } from '../features/onboarding/setup.tsx';
import { SideNav } from './side-nav.tsx';
import { TopBar } from './top-bar.tsx';
import { t } from '../../domain/text/t.ts';

export function Shell({ children }: { children: ReactNode }): ReactElement {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const [drawer, setDrawer] = useState(false);
  useBrowserTitle();
  // The breadcrumb may name screens of the catalogue.
  useSyncExternalStore(catalogue.watch, catalogue.get);
  useFocusOnRoute(main);
  useEffect(() => {
    const timer = setTimeout(() => warm(catalogue, overlaysChunk), 1500);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <a
        className="p-skip"
        href="#main"
        onClick={event => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t`Skip to content`}
      </a>
      <div className="p-shell">
        <div className="p-side">
          <SideNav />
        </div>
        <TopBar onMenu={() => setDrawer(true)} />
        <main className="p-main" id="main" tabIndex={-1} ref={main}>
          <ConnectionBanner />
          <RolePreview />
          <ErrorBoundary place={pathname} what={t`A notice about your store`}>
            <Banners />
          </ErrorBoundary>
          <ErrorBoundary place={pathname}>{children}</ErrorBoundary>
        </main>
      </div>
      {drawer && <NavDrawer onClose={() => setDrawer(false)} />}
      <Notices />
      <ConfirmHost />
      <AlertCount />
      <PopupHost />
      <SetupHost />
    </>
  );
}

/** Below 768 px the navigation comes in from the left, over the page; the browser's own modal dialog keeps the focus in it. */
function NavDrawer({ onClose }: { onClose: () => void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current;
    element?.showModal();
    const wide = matchMedia('(min-width: 768px)');
    wide.addEventListener('change', onClose);
    return () => {
      wide.removeEventListener('change', onClose);
      element?.close();
      if (before?.isConnected && document.activeElement === document.body) before.focus();
    };
  }, [onClose]);
  return (
    <dialog
      ref={dialog}
      className="p-drawer"
      aria-label={t`Navigation`}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={event => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <SideNav onGo={onClose} />
    </dialog>
  );
}

/**
 * A new page takes the focus, so that keyboard and screen reader begin there; going back, a page may put it on what was left (lists do).
 */
function useFocusOnRoute(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const how = useNavigationType();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    const element = main.current;
    if (!element) return;
    element.scrollTop = 0;
    if (how !== 'POP' || document.activeElement === document.body) element.focus({ preventScroll: true });
  }, [pathname, how, main]);
}
