// The first line that runs: the session first (the HTML's head has asked for it already), then the app in place of the skeleton.
import './theme/theme.css';
import { createRoot } from 'react-dom/client';
import type { Session } from '../contract/types.ts';
import { App } from './app.tsx';
import { leaveToLogin, rememberPlace } from './auth-provider.ts';
import { runCall } from './calls.ts';
import { config } from './config.ts';
import { isForeignHost } from './foreign-host.ts';
import { codeFor } from './page-code.ts';
import { screenOf, resourceChunk, schemaChunk } from './definitions.ts';
import { reportUncaught } from './report.ts';
import { setFailure } from './pages/start-failed.tsx';
import { setSession } from './session.tsx';
import { clearToken, readToken, takeTokenFromAddress } from './token.ts';
import { startTooltips } from './tooltip.ts';
import { CallError, whenSignedOut } from './transport.ts';

/** Two reloads within two seconds lead to /404 (S024, S025): a page that reloads itself for ever comes to rest there. */
function reloadedTooSoon(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type !== 'reload') return false;
  try {
    const last = Number(sessionStorage.getItem('perennial.lastReload'));
    sessionStorage.setItem('perennial.lastReload', String(Date.now()));
    return Date.now() - last < 2000;
  } catch { return false; }
}

/** A release replaced the files this page refers to: a reload brings the new ones, once. */
window.addEventListener('vite:preloadError', () => {
  try {
    if (sessionStorage.getItem('perennial.renewed') === location.href) return;
    sessionStorage.setItem('perennial.renewed', location.href);
  } catch { return; }
  location.reload();
});

async function begin(): Promise<void> {
  takeTokenFromAddress();
  whenSignedOut(leaveToLogin);
  startTooltips();
  reportUncaught();
  const toLogin = (): void => { rememberPlace(); history.replaceState(null, '', `/login${location.search}`); };
  if (location.pathname !== '/login') {
    if (reloadedTooSoon()) { rememberPlace(); history.replaceState(null, '', '/404'); }
    else if (!readToken()) toLogin();
    else if (!(await signIn())) return;
  }
  const root = document.getElementById('root');
  if (!root) throw new Error('The page lacks its root element.');
  delete document.documentElement.dataset.boot;
  createRoot(root).render(<App />);
}

/** Loads the session and what the first screen needs; false when the sign-in page takes over. */
async function signIn(): Promise<boolean> {
  const screen = screenOf(location.pathname)?.resource;
  const needed = screen ? [resourceChunk(screen.route), schemaChunk(`entities/${screen.of ?? ''}`), codeFor(location.pathname)] : [];
  const code = Promise.allSettled(needed.map(one => one?.load()));
  try {
    const { data } = await runCall('start-up.session', {}, { early: 'session' });
    const session = data as unknown as Session;
    if (config.domainGuard && isForeignHost(location.hostname, session.store.myshopify_domain)) { clearToken(); leaveToLogin(); return false; }
    setSession(session);
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return false;
    setFailure(error);
    if (location.pathname !== '/404') { rememberPlace(); history.replaceState(null, '', '/404'); }
  }
  await code;
  return true;
}

void begin();
