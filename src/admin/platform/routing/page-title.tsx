// What a page tells the frame about itself: its own title, shown in the breadcrumb and in the browser's title.
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { titleOf } from '../../../contract/find.ts';
import { definitions } from '../definitions.ts';

/** What is not there: the page itself, or the record that the page would show. */
type Missing = 'page' | 'record';
interface OwnTitle {
  path: string;
  title: string;
  missing: Missing | undefined;
}
let own: OwnTitle | undefined;
const watchers = new Set<() => void>();

/**
 * Gives the open page its title ("#1042 Anna Berg"); undefined while it is not known yet. `missing`: the title says that the page or its
 * record is not there.
 */
export function usePageTitle(title: string | undefined, missing?: Missing): void {
  const { pathname } = useLocation();
  useEffect(() => {
    own = title === undefined ? undefined : { path: pathname, title, missing };
    for (const watcher of watchers) watcher();
  }, [title, pathname, missing]);
}
/** The title that the open page gave itself. */
export const useOwnTitle = (): string | undefined => useOwn()?.title;
/** The same, unless it says that the page or its record is not there. */
export function useTitleOfRecord(): string | undefined {
  const found = useOwn();
  return found?.missing ? undefined : found?.title;
}
function useOwn(): OwnTitle | undefined {
  const { pathname } = useLocation();
  const found = useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => own,
  );
  return found?.path === pathname ? found : undefined;
}
/** Keeps the browser's title: '{section} > {subsection} - Perennial' (S066). A page that is not there is not named after its place. */
export function useBrowserTitle(): void {
  const { pathname } = useLocation();
  const found = useOwn();
  useEffect(() => {
    document.title =
      found?.missing === 'page' ? `${found.title} - Perennial` : titleOf(definitions.navigation, pathname, 'Perennial', found?.title);
  }, [pathname, found]);
}
