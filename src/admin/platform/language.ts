// In which language a person reads the admin: a cookie says it to the page, the server keeps it with the person.
import type { Session } from '../../contract/types.ts';
import { language } from '../../domain/text/t.ts';
import { runCall } from './transport/calls.ts';
import { config } from './transport/config.ts';
import { readToken } from './session/token.ts';

const COOKIE = 'perennial.language';
/** Chosen before sign-in: it is saved for the person who signs in next. */
const CHOSEN = 'perennial.language.chosen';
/** The language for which the page was reloaded, so that a browser without cookies does not do it for ever. */
const FOLLOWED = 'perennial.language.followed';

/** The languages that there are, each in its own words; none where there is but one. */
export const languages = (): { code: string; name: string }[] => (config.languages.length > 1 ? config.languages : []);

/** The page again, in a language. Not as a reload: those are counted (S024). */
function comeAgain(code: string): void {
  const isSecure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${COOKIE}=${code}; Path=/; Max-Age=34560000; SameSite=Lax${isSecure}`;
  location.replace(location.pathname + location.search);
}
function remember(name: string, code: string | undefined): void {
  try {
    if (code === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, code);
  } catch {
    /* no storage: the cookie alone says it */
  }
}
function recall(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** A person chose a language: the page comes again in it. What is typed and not saved is asked about before. */
export async function chooseLanguage(code: string): Promise<void> {
  if (code === language()) return;
  if (readToken()) await runCall('start-up.setLanguage', { language: code });
  else remember(CHOSEN, code);
  comeAgain(code);
}

/**
 * At the start: the person's language follows them to this browser. True when the page comes again for it, so that nothing is drawn before.
 */
export function followLanguage({ language: saved }: Pick<Session, 'language'>): boolean {
  const chosen = recall(CHOSEN);
  remember(CHOSEN, undefined);
  if (chosen === language()) {
    // The cookie says it here, whether it could be kept or not.
    if (saved !== chosen) void runCall('start-up.setLanguage', { language: chosen }).catch(() => undefined);
    return false;
  }
  if (saved === undefined || saved === language() || !config.languages.some(one => one.code === saved) || recall(FOLLOWED) === saved)
    return false;
  remember(FOLLOWED, saved);
  comeAgain(saved);
  return true;
}
