// From the address to the screen: the resource file of the path, drawn by the list, the record, the form or a page renderer.
import type { ReactElement } from 'react';
import { Navigate, useLocation } from 'react-router';
import { isThere, mayOpen } from '../contract/navigation.ts';
import { type Chunk, useChunk } from './chunk.ts';
import { dateRangeOf } from './date-range.ts';
import { definitions, screenOf, useResource } from './definitions.ts';
import { storeZone } from './format.ts';
import { ListPage } from './list/list-page.tsx';
import { engines, type Page, type PageProps, pages } from './page-code.ts';
import { Refused } from './pages/refused.tsx';
import { NotFound, Planned } from './pages/simple.tsx';
import { storeNow, useFacts, useSession } from './session.tsx';
import { landingPath, leadsOnTo, plannedEntry } from './shell/navigation.ts';

export function Screen(): ReactElement {
  const { pathname, search, hash } = useLocation();
  const session = useSession();
  const facts = useFacts();
  if (pathname === '/' || pathname === '/_app') return <Navigate replace to={landingPath(session, facts)} />;
  const on = leadsOnTo(pathname);
  if (on) return <Navigate replace to={on + search + hash} />;
  const found = screenOf(pathname);
  // The bracket of the settings pages answers to every name; what has no file yet may be planned.
  const isReal = found && (found.params.setting === undefined || definitions.settings[found.params.setting] !== undefined);
  const planned = isReal ? undefined : plannedEntry(pathname);
  if ((!isReal && !planned) || !isThere(definitions, pathname, facts)) return <NotFound />;
  const verdict = mayOpen(definitions, pathname, session);
  if (!verdict.ok) return <Refused title={planned?.entry.title ?? definitions.settings[found?.params.setting ?? '']?.title ?? found?.resource.title ?? ''} verdict={verdict} />;
  if (planned) return <Planned key={planned.entry.id} entry={planned.entry} />;
  return found ? <Found key={found.resource.route} route={found.resource.route} params={found.params} /> : <NotFound />;
}

function Found({ route, params }: { route: string; params: Record<string, string> }): ReactElement {
  const { search } = useLocation();
  const resource = useResource(route);
  if (!resource) return <PageSkeleton />;
  const props: PageProps = { resource, params, dateRange: dateRangeOf(search, { zone: storeZone(), at: storeNow() }) };
  if (resource.page) return <Later code={pages[resource.page]} {...props} />;
  if (resource.list) return <ListPage {...props} />;
  return <Later code={engines[resource.record ? 'record-page' : 'form-page']} {...props} />;
}

function Later({ code, ...props }: PageProps & { code: Chunk<{ default: Page }> | undefined }): ReactElement {
  const module = useChunk(code);
  if (!code) return <NotFound />;
  return module ? <module.default {...props} /> : <PageSkeleton />;
}

/** Shapes of a page while its code arrives: title and action, main and secondary cards (S013 to S015). */
export function PageSkeleton({ wide = false }: { wide?: boolean }): ReactElement {
  const card = (lines: number): ReactElement => (
    <div className="p-card"><div className="p-card-head"><span className="p-skeleton p-sk-3" /></div><div className="p-card-body p-stack-s">{Array.from({ length: lines }, (_, i) => <span key={i} className={`p-skeleton p-sk-${(i % 3) + 4}`} />)}</div></div>
  );
  return (
    <div className={`p-page${wide ? '' : ' p-page-narrow'}`} role="status" aria-label="Loading">
      <div className="p-page-head"><span className="p-skeleton p-sk-title" /><span className="p-page-actions"><span className="p-skeleton p-sk-btn" /></span></div>
      <div className={wide ? 'p-stack' : 'p-two'}><div className="p-stack">{card(5)}{card(4)}</div>{!wide && <div className="p-stack">{card(3)}{card(3)}</div>}</div>
    </div>
  );
}
