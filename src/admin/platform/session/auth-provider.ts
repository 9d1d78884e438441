// react-admin's view of the sign-in. Signing in itself happens by link (pages/login); rights come from the session.
import type { AuthProvider } from 'react-admin';
import { queryClient } from '../transport/query-client.ts';
import { forgetRecent } from '../routing/recent-places.ts';
import { currentSession } from './session.tsx';
import { runCall } from '../transport/calls.ts';
import { at } from '../../../contract/paths.ts';
import { clearToken, readToken, saveToken } from './token.ts';
import { t } from '../../../domain/text/t.ts';

const RETURN = 'perennial.return';

/** Remembers the page that was asked for, to come back to it (S021). */
export function rememberPlace(): void {
  if (location.pathname === '/login' || location.pathname === '/404') return;
  try {
    sessionStorage.setItem(RETURN, location.pathname + location.search + location.hash);
  } catch {
    /* no storage: the landing page follows */
  }
}
/** Goes to the sign-in page, keeping the query (S020) and remembering where the person was: what a call's 401 leads to (S289). */
export function leaveToLogin(): void {
  rememberPlace();
  sayAtLogin(t`Your session has ended. Sign in again to go on where you were.`);
  queryClient.clear();
  location.assign(`/login${location.search}`);
}
const SAID = 'perennial.said';
/** A sentence for the sign-in page: why the person finds themselves there. */
export function sayAtLogin(text: string): void {
  try {
    sessionStorage.setItem(SAID, text);
  } catch {
    /* no storage: the page speaks for itself */
  }
}
/** The sentence, once. */
export function saidAtLogin(): string | undefined {
  try {
    const text = sessionStorage.getItem(SAID) ?? undefined;
    sessionStorage.removeItem(SAID);
    return text;
  } catch {
    return undefined;
  }
}

/** Where to go after signing in: the page that was asked for, else the landing page. Forgets it. */
export function returnPath(): string {
  try {
    const path = sessionStorage.getItem(RETURN) ?? '/';
    sessionStorage.removeItem(RETURN);
    return path.startsWith('/') && !path.startsWith('//') && !path.startsWith('/login') ? path : '/';
  } catch {
    return '/';
  }
}

/** Ends the session on the server and here. */
export async function logout(): Promise<void> {
  await leaveSession();
  location.assign('/login');
}

async function leaveSession(): Promise<void> {
  // A read that came after it would be answered 401 and tell the person that the session ended by itself.
  await queryClient.cancelQueries();
  await runCall('sign-in.logout').catch(() => undefined); // signing out here must work without the server too
  clearToken();
  forgetRecent();
  try {
    sessionStorage.removeItem(RETURN);
  } catch {
    /* nothing kept */
  }
  queryClient.clear();
}

/** Leaves for the demo store with this version of the widget, as its owner, on a page that is loaded whole. @throws CallError */
export async function switchStore(widgetVersion: 1 | 2): Promise<void> {
  const token = at((await runCall('sign-in.demoStore', { widgetVersion })).data, 'token');
  if (typeof token !== 'string') throw new Error(t`The server gave no token. Try again.`);
  await leaveSession();
  saveToken(token);
  location.assign('/');
}

export const authProvider: AuthProvider = {
  login: () => Promise.resolve(),
  logout: () => Promise.resolve(false),
  checkAuth: () => (readToken() ? Promise.resolve() : Promise.reject(new Error('Sign in first.'))),
  // A 401 leads to the sign-in from the transport. Were it rejected here, react-admin would answer the call with an empty record in place
  // of the error: a save that was refused would count as done, and what was typed would be dropped.
  checkError: () => Promise.resolve(),
  getPermissions: () => Promise.resolve(currentSession()?.user.permissions ?? []),
  getIdentity: () => {
    const user = currentSession()?.user;
    return Promise.resolve({ id: user?.userId ?? 0, fullName: user ? `${user.firstName} ${user.lastName}`.trim() : '' });
  },
};
