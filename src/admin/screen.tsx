// From the address to the screen: the resource file of the path, drawn by the list, the record, the form or a page renderer.
import { Lock } from 'lucide-react';
import type { ReactElement } from 'react';
import { Navigate, useLocation } from 'react-router';
import { allowsCall } from '../contract/access.ts';
import { holds } from '../contract/condition.ts';
import { callFor } from '../contract/find.ts';
import { type Chunk, useChunk } from './chunk.ts';
import { dateRangeOf } from './date-range.ts';
import { definitions, screenOf, useResource } from './definitions.ts';
import { storeZone } from './format.ts';
import { ListPage } from './list/list-page.tsx';
import { engines, type Page, type PageProps, pages } from './page-code.ts';
import { NotFound, Planned } from './pages/simple.tsx';
import { storeNow, useAccess, useFacts, useSession } from './session.tsx';
import { landingPath, plannedEntry } from './shell/navigation.ts';

export function Screen(): ReactElement {
  const { pathname } = useLocation();
  const access = useAccess();
  const facts = useFacts();
  const found = screenOf(pathname);
  if (pathname === '/' || pathname === '/_app') return <Navigate replace to={landingPath(access, facts)} />;
  if (!found) {
    const planned = plannedEntry(pathname.replace(/(.)\/$/, '$1'));
    return planned && holds(planned.entry.when, { facts }) ? <Planned key={planned.entry.id} entry={planned.entry} /> : <NotFound />;
  }
  return <Found key={found.resource.route} route={found.resource.route} params={found.params} />;
}

function Found({ route, params }: { route: string; params: Record<string, string> }): ReactElement {
  const access = useAccess();
  const session = useSession();
  const facts = useFacts();
  const { search } = useLocation();
  const head = definitions.resources[route];
  const resource = useResource(route);
  if (!head || !holds(head.when, { facts })) return <NotFound />;
  const call = callFor(definitions, head, head.has[0] === 'list' ? 'list' : 'read');
  const verdict = call ? allowsCall(call, session) : { ok: true as const };
  if ((head.module && !access.module(head.module)) || (head.feature && !access.feature(head.feature)) || (head.permission && !access.can(head.permission, 'READ')) || !verdict.ok) {
    return <Refused title={head.title} text={verdict.ok ? `You don't have permission to see ${head.title.toLowerCase()}. Ask an admin of your store for it.` : verdict.message} />;
  }
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

function Refused({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <div className="p-page">
      <div className="p-page-head"><h1 className="p-page-title">{title}</h1></div>
      <div className="p-card p-empty"><Lock aria-hidden="true" /><h2>You can't see this</h2><p>{text}</p></div>
    </div>
  );
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
