// Pages without data: what comes later, and what is not there.
import { Compass, Leaf } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router';
import type { NavEntry } from '../../../contract/types.ts';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { landingPath } from '../../platform/routing/navigation.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';

/** In place of a screen that comes later: one sentence on what it will hold. */
export function Planned({ entry }: { entry: NavEntry }): ReactElement {
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{entry.title}</h1>
      </div>
      <div className="p-card p-empty">
        <Leaf aria-hidden="true" />
        <h2>On its way</h2>
        <p>{entry.planned}</p>
      </div>
    </div>
  );
}

export function NotFound(): ReactElement {
  const session = useSession();
  const facts = useFacts();
  usePageTitle('Page not found');
  return (
    <div className="p-page">
      <div className="p-empty p-empty-page">
        <Compass aria-hidden="true" />
        <h1>Page not found</h1>
        <p>There is nothing at this address. It may have been moved or deleted, or the link was cut short.</p>
        <Link className="p-btn p-btn-primary" to={landingPath(session, facts)}>
          Go to the start
        </Link>
      </div>
    </div>
  );
}
