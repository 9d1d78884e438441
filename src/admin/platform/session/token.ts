// The sign-in token: kept in this browser's storage, taken out of the address at once. Shared by the start script and the app.

const KEY = 'perennial.token';

/** The stored token; undefined before sign-in (or storage is shut off). */
export function readToken(): string | undefined {
  try {
    return localStorage.getItem(KEY) || undefined;
  } catch {
    return held;
  }
}
let held: string | undefined;

/** Keeps a token over reloads; without storage it lasts as long as the page. */
export function saveToken(token: string): void {
  held = token;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    /* storage is shut off: the page's own memory serves */
  }
}

/** Calls `then` when another tab of this browser signs in. Answers how to stop. */
export function whenSignedInElsewhere(then: () => void): () => void {
  const onChange = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY && newValue) then();
  };
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}

export function clearToken(): void {
  held = undefined;
  try {
    localStorage.removeItem(KEY);
  } catch {
    /* nothing was stored */
  }
}

/** Saves the token of a sign-in link (S158) and removes it from the address and the history, so that it cannot be copied along. */
export function takeTokenFromAddress(): void {
  const url = new URL(location.href);
  const token = url.searchParams.get('loop_token');
  if (token === null) return;
  url.searchParams.delete('loop_token');
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  if (token) saveToken(token);
}
