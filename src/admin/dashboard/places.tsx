// Ways from Home to what is done most.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../domain/text/t.ts';
import { isThere, mayOpen } from '../../navigation/navigation.ts';
import { definitions } from '../platform/definitions.ts';
import { useFacts, useSession } from '../platform/session/session.tsx';
import { Icon } from '../ui/icons.tsx';

const PLACES = [
  { to: '/subscriptions', icon: 'repeat' },
  { to: '/selling-plans', icon: 'sprout' },
  { to: '/settings/paymentRecovery', icon: 'credit-card' },
  { to: '/settings/inventory-settings', icon: 'boxes' },
  { to: '/settings', icon: 'settings' },
];
/** Ways to what is done most, as far as the session may go there. */
export function Places(): ReactElement | null {
  const session = useSession();
  const facts = useFacts();
  const all = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(entry => [...(entry.items ?? []), entry]);
  const places = PLACES.flatMap(({ to, icon }) => {
    const entry = all.find(one => one.to === to);
    return entry && isThere(definitions, to, facts) && mayOpen(definitions, to, session).ok ? [{ to, icon, title: entry.title }] : [];
  });
  if (places.length === 0) return null;
  return (
    <section className="p-card" aria-label={t`Go to`}>
      <div className="p-card-head">
        <h2>{t`Go to`}</h2>
      </div>
      <ul className="b-links">
        {places.map(place => (
          <li key={place.to}>
            <Link to={place.to}>
              <Icon name={place.icon} size={16} />
              <span className="p-cut">{place.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
