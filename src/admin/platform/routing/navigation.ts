// The navigation as the browser has it: the model of src/navigation/navigation.ts over the loaded definitions.
import { isThere, redirectOf, mayOpen, type Verdict } from '../../../navigation/navigation.ts';
import type { JsonValue, NavEntry, Session } from '../../../contract/types.ts';
import { definitions } from '../definitions.ts';
import { useFacts, useSession } from '../session/session.tsx';

type Facts = Record<string, JsonValue>;

/** Where signing in leads: the first entry with a screen that the session can use. */
export function landingPath(session: Session, facts: Facts): string {
  const all = [...definitions.navigation.main, ...definitions.navigation.lower];
  return (
    all.find(
      entry => !entry.planned && !entry.hidden && isThere(definitions, entry.to, facts) && mayOpen(definitions, entry.to, session).ok,
    )?.to ??
    all[0]?.to ??
    '/dashboard'
  );
}

/** The entry whose screen comes later, for a path that has none yet, with what can be done until then. */
export function plannedEntry(path: string): { entry: NavEntry; today?: NavEntry['today'] } | undefined {
  const here = path.replace(/(.)\/$/, '$1');
  for (const parent of [...definitions.navigation.main, ...definitions.navigation.lower]) {
    for (const entry of [parent, ...(parent.items ?? [])])
      if (entry.to === here && entry.planned) return { entry, today: entry.today ?? parent.today };
  }
  return undefined;
}

/** The page that an address leads on to: "/alerts" -> "/alerts/open". */
export const redirectTarget = (path: string): string | undefined => redirectOf(definitions, path);

/** Whether a page is there and may be opened, for links that stand elsewhere. */
export function useMayOpen(path: string): Verdict & { isThere: boolean } {
  const session = useSession();
  const facts = useFacts();
  return { ...mayOpen(definitions, path, session), isThere: isThere(definitions, path, facts) };
}
