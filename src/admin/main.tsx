// The first line that runs: the session first (the HTML's head has asked for it already), then the app in place of the skeleton.
import './ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followLanguage } from './platform/language.ts';
import { leaveToLogin, rememberPlace, returnPath, sayAtLogin } from './platform/session/auth-provider.ts';
import { config } from './platform/transport/config.ts';
import { isForeignHost } from './platform/session/foreign-host.ts';
import { codeFor, pages } from './platform/routing/page-code.ts';
import { catalogue, formsChunk, loadFirstScreen, screenOf, resourceChunk, schemaChunk } from './platform/definitions.ts';
import { reportUncaught } from './platform/transport/error-report.ts';
import { setFailure } from './ui/pages/start-failed.tsx';
import { setSession } from './platform/session/session.tsx';
import { afterFailure, isReloadLoop, LAST_RELOAD } from './platform/start/start-rules.ts';
import { readPageStart } from './platform/start/preloaded-requests.ts';
import { followRights } from './platform/session/refresh-session.ts';
import { loadSession } from './platform/start/start-up.ts';
import { clearToken, readToken, takeTokenFromAddress } from './platform/session/token.ts';
import './platform/trusted-html.ts';
import { startTooltips } from './ui/tooltip.ts';
import { CallError, whenSignedOut } from './platform/transport/transport.ts';
import { t } from '../domain/text/t.ts';

// While developing, a saved file reloads the page: that is meant, however often it comes.
import.meta.hot?.on('vite:beforeFullReload', () => {
  try {
    sessionStorage.removeItem(LAST_RELOAD);
  } catch {
    /* no storage: nothing is counted */
  }
});

/**
 * A release replaced the files this page refers to: a reload brings the new ones, once. A file that is
 * merely out of reach is waited for instead.
 */
window.addEventListener('vite:preloadError', event => {
  const file = /(https?:\/)?\/[^\s"']+/.exec((event as Event & { payload?: Error }).payload?.message ?? '')?.[0];
  void (file ? fetch(file, { method: 'HEAD', credentials: 'omit', cache: 'no-store' }) : Promise.reject(new Error('no file')))
    .then(({ status }) => {
      if (status !== 404 || sessionStorage.getItem('perennial.renewed') === location.href) return;
      sessionStorage.setItem('perennial.renewed', location.href);
      location.reload();
    })
    .catch(() => undefined); // not reached, or no storage to remember the reload in
});

// The router reads the address once, when the app is drawn; until then the start may change it.
const toLogin = (): void => {
  rememberPlace();
  history.replaceState(null, '', `/login${location.search}`);
};
/** The start could not be made: /404, which says so (S023) and knows the way back, over a reload too. */
const toFailed = (error?: unknown): void => {
  setFailure(error);
  rememberPlace();
  history.replaceState({ failedStart: true }, '', '/404');
};

async function begin(): Promise<void> {
  takeTokenFromAddress();
  startTooltips();
  reportUncaught();
  if (location.pathname === '/404' && (history.state as { failedStart?: boolean } | null)?.failedStart)
    history.replaceState(null, '', returnPath());
  if (location.pathname !== '/login') {
    if (isReloadLoop()) toFailed();
    else if (!readToken()) toLogin();
    else await signIn();
  }
  whenSignedOut(leaveToLogin);
  followRights();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page lacks its root element.');
  delete document.documentElement.dataset.boot;
  createRoot(root).render(<App />);
}

/** Loads the session and what the first screen needs; without a session the address is the one that stands for it. */
async function signIn(): Promise<void> {
  const code = loadScreen();
  try {
    const session = await loadSession();
    if (config.domainGuard && isForeignHost(location.hostname, session.store.myshopify_domain)) {
      // S164 to S168
      clearToken();
      sayAtLogin(t`This address belongs to another store. Sign in to the store it belongs to, or go to the address of your own.`);
      return toLogin();
    }
    if (followLanguage(session)) return await new Promise<never>(() => undefined);
    setSession(session);
    if (!session.store.isOnboardingFormComplete) await pages.onboarding?.load().catch(() => undefined);
  } catch (error) {
    if (afterFailure(error) === '404') return toFailed(error);
    sayAtLogin(
      error instanceof CallError && error.status !== 401
        ? error.message
        : t`Your session has ended. Sign in again to go on where you were.`,
    );
    return toLogin();
  }
  await code;
}

/**
 * What the open screen is drawn with. A list whose file the page names needs that alone; what can't be had is asked for again by the
 * screen.
 */
async function loadScreen(): Promise<void> {
  const { route, file } = readPageStart() ?? {};
  if (
    route !== undefined &&
    file !== undefined &&
    (await loadFirstScreen(route, file).then(
      () => true,
      () => false,
    ))
  )
    return;
  if (!(await catalogue.load().catch(() => undefined))) return;
  const screen = screenOf(location.pathname)?.resource;
  if (!screen) return;
  const needed = [
    resourceChunk(screen.route),
    schemaChunk(`entities/${screen.of ?? ''}`),
    codeFor(location.pathname),
    screen.has.includes('form') ? formsChunk(screen.calls) : undefined,
  ];
  await Promise.allSettled(needed.map(one => one?.load()));
}

void begin();
