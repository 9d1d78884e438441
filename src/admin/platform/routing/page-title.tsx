// What a page tells the frame about itself: its own title, shown in the breadcrumb and in the browser's title.
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { titleOf } from '../../../contract/find.ts';
import { definitions } from '../definitions.ts';

let own: { path: string; title: string } | undefined;
const watchers = new Set<() => void>();

/** Gives the page at hand its title ("#1042 Anna Berg"); undefined while it is not known yet. */
export function usePageTitle(title: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    own = title === undefined ? undefined : { path: pathname, title };
    for (const watcher of watchers) watcher();
  }, [title, pathname]);
}
/** The title that the page at hand gave itself. */
export function useOwnTitle(): string | undefined {
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
  return found?.path === pathname ? found.title : undefined;
}
/** Keeps the browser's title: '{section} > {subsection} - Perennial' (S066). */
export function useBrowserTitle(): void {
  const { pathname } = useLocation();
  const title = useOwnTitle();
  useEffect(() => {
    document.title = titleOf(definitions.navigation, pathname, 'Perennial', title);
  }, [pathname, title]);
}
