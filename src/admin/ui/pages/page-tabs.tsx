// Pages that belong together (`pages` of a screen): tabs under the title of each of them, every one an address of its own.
import type { ReactElement } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { isThere } from '../../../navigation/navigation.ts';
import { definitions } from '../../platform/definitions.ts';
import { useFacts } from '../../platform/session/session.tsx';
import { t } from '../../../domain/text/t.ts';

/** The pages that the one at a path belongs to; empty where it stands alone. */
export function pagesAround(path: string): { title: string; to: string }[] {
  const here = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const heads = Object.values(definitions.resources);
  return heads.find(({ pages }) => pages?.some(({ to }) => to === here))?.pages ?? [];
}

export function PageTabs(): ReactElement | null {
  const { pathname } = useLocation();
  const facts = useFacts();
  // What another version of the store has is no tab here.
  const pages = pagesAround(pathname).filter(({ to }) => isThere(definitions, to, facts));
  if (pages.length < 2) return null;
  return (
    <nav className="p-tabs p-page-tabs" aria-label={t`Related pages`}>
      {pages.map(({ title, to }) => (
        <Link key={to} to={to} className="p-tab" aria-current={pathname.replace(/\/$/, '') === to ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
