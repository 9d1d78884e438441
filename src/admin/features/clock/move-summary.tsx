// What a move of the demo store's clock brought, with the way to each: loaded when the first move is over.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { count, day } from '../../platform/format.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';

export interface MoveResult {
  /** Instants of the store's clock, ISO. */
  from: string;
  to: string;
  counts: Record<'charged' | 'refused' | 'recovered' | 'started' | 'cancelled' | 'changed' | 'letters', number>;
}

/** The dialog at the end of a move. */
export function MoveSummary({ from, to, counts, onClose }: MoveResult & { onClose(): void }): ReactElement {
  const days = `${from.slice(0, 10)}..${to.slice(0, 10)}`;
  const rows: [string, number, string?][] = [
    ['Orders charged', counts.charged],
    ['Charges refused', counts.refused, '/subscriptions?lastPaymentStatus=FAILED'],
    ['Recovered after a refusal', counts.recovered, '/payment-recovery'],
    ['New subscriptions', counts.started, `/subscriptions?source=CHECKOUT&createdAtEpoch=${days}`],
    ['Subscriptions cancelled', counts.cancelled, '/subscriptions?tab=cancelled'],
    ['Changed by customers', counts.changed],
    ['E-mails written', counts.letters],
  ];
  return (
    <Dialog
      title={`It is now ${day(new Date(to))}`}
      onClose={onClose}
      foot={
        <button type="button" className="p-btn p-btn-primary" onClick={onClose}>
          Done
        </button>
      }
    >
      <p className="p-muted">What happened in this store since {day(new Date(from))}:</p>
      <dl className="p-facts p-clock-summary">
        {rows.map(([title, n, to]) => [
          <dt key={title}>{title}</dt>,
          <dd key={`${title} value`} className="p-tabular">
            {to && n > 0 ? (
              <Link to={to} onClick={onClose}>
                {count(n)}
              </Link>
            ) : (
              count(n)
            )}
          </dd>,
        ])}
      </dl>
    </Dialog>
  );
}
