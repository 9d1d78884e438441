// From the address to the screen: the resource file of the path, drawn by the list, the record, the form or a page renderer.
import type { ReactElement } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { isThere, mayOpen } from '../navigation/navigation.ts';
import { type Chunk, useChunk } from './platform/chunk.ts';
import { dateRangeOf } from './platform/date-range.ts';
import { definitions, screenOf, useIsKnown, useResource, useSchema } from './platform/definitions.ts';
import { storeZone } from './platform/format.ts';
import { ListPage } from './list/list-page.tsx';
import { engines, type Page, type PageProps, pages } from './platform/routing/page-code.ts';
import { Refused } from './ui/pages/access-denied.tsx';
import { NotFound, Planned } from './ui/pages/simple.tsx';
import { useFacts, useSession } from './platform/session/session.tsx';
import { storeNow } from './platform/store-clock.ts';
import { landingPath, redirectTarget, plannedEntry } from './platform/routing/navigation.ts';
import { PageSkeleton } from './ui/pages/page-skeleton.tsx';

export function Screen(): ReactElement {
  const { pathname, search, hash } = useLocation();
  const session = useSession();
  const facts = useFacts();
  const isKnown = useIsKnown(pathname);
  if (pathname === '/' || pathname === '/_app') return <Navigate replace to={landingPath(session, facts)} />;
  const on = redirectTarget(pathname);
  if (on) return <Navigate replace to={on + search + hash} />;
  if (!isKnown) return <PageSkeleton />;
  const found = screenOf(pathname);
  // The bracket of the settings pages answers to every name; what has no file yet may be planned.
  const isReal = found && (found.params.setting === undefined || definitions.settings[found.params.setting] !== undefined);
  const planned = isReal ? undefined : plannedEntry(pathname);
  if ((!isReal && !planned) || !isThere(definitions, pathname, facts)) return <NotFound />;
  const verdict = mayOpen(definitions, pathname, session);
  if (!verdict.ok)
    return (
      <Refused
        title={planned?.entry.title ?? definitions.settings[found?.params.setting ?? '']?.title ?? found?.resource.title ?? ''}
        verdict={verdict}
      />
    );
  if (planned) return <Planned key={planned.entry.id} {...planned} />;
  return found ? <Found key={found.resource.route} route={found.resource.route} params={found.params} /> : <NotFound />;
}

function Found({ route, params }: { route: string; params: Record<string, string> }): ReactElement {
  const { search } = useLocation();
  const resource = useResource(route);
  const isDrawable = useHasColumns(route);
  if (!resource || !isDrawable) return <PageSkeleton wide={definitions.resources[route]?.has.includes('list') ?? false} />;
  const props: PageProps = { resource, params, dateRange: dateRangeOf(search, { zone: storeZone(), at: storeNow() }) };
  if (resource.page) return <Later code={pages[resource.page]} {...props} />;
  if (resource.list) return <ListPage {...props} />;
  return <Later code={engines[resource.record ? 'record-page' : 'form-page']} {...props} />;
}

/** A list is drawn once the schema of its rows is there: how wide columns are and what tools there are follows from it. */
function useHasColumns(route: string): boolean {
  const { has, of } = definitions.resources[route] ?? {};
  const needed = has?.includes('list') && of !== undefined && definitions.entities[of] ? `entities/${of}` : undefined;
  return useSchema(needed) !== undefined || needed === undefined;
}

function Later({ code, ...props }: PageProps & { code: Chunk<{ default: Page }> | undefined }): ReactElement {
  const module = useChunk(code);
  if (!code) return <NotFound />;
  return module ? <module.default {...props} /> : <PageSkeleton />;
}
