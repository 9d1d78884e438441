// Pages without data: what comes later, and what is not there.
import { Compass, Leaf } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { placeOf } from '../../../contract/find.ts';
import type { NavEntry } from '../../../contract/types.ts';
import { definitions } from '../../platform/definitions.ts';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { landingPath, useMayOpen } from '../../platform/routing/navigation.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { t } from '../../../domain/text/t.ts';

/** In place of a screen that comes later: what it will hold, and what can be done until then where the person may. */
export function Planned({ entry, today }: { entry: NavEntry; today?: NavEntry['today'] }): ReactElement {
  const isOpen = useMayOpen(today?.to ?? '/').ok;
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{entry.title}</h1>
      </div>
      <div className="p-card p-empty">
        <Leaf aria-hidden="true" />
        <h2>{t`Coming soon`}</h2>
        <p>{entry.planned}</p>
        {today && isOpen && (
          <p>
            {today.text}{' '}
            <Link className="p-link" to={today.to}>
              {placeOf(definitions.navigation, today.to).item?.title ?? placeOf(definitions.navigation, today.to).section?.title}
            </Link>
          </p>
        )}
      </div>
    </div>
  );
}

export function NotFound(): ReactElement {
  const session = useSession();
  const facts = useFacts();
  usePageTitle(t`Page not found`, 'page');
  return (
    <div className="p-page">
      <div className="p-empty p-empty-page">
        <Compass aria-hidden="true" />
        <h1>{t`Page not found`}</h1>
        <p>{t`There is nothing at this address. It may have been moved or deleted, or the link was cut short.`}</p>
        <Link className="p-btn p-btn-primary" to={landingPath(session, facts)}>
          {t`Go to the start`}
        </Link>
      </div>
    </div>
  );
}
