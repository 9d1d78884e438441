// What a move of the demo store's clock brought, with the way to each: loaded when the first move is over.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { count, day, storeZone, toMs } from '../../platform/format.ts';
import { dayOf } from '../../platform/time-zone.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

export interface MoveResult {
  /** Instants of the store's clock, ISO. */
  from: string;
  to: string;
  counts: Record<'charged' | 'refused' | 'recovered' | 'started' | 'cancelled' | 'changed' | 'letters', number>;
}

/** The dialog at the end of a move. */
export function MoveSummary({ from, to, counts, onClose }: MoveResult & { onClose(): void }): ReactElement {
  const days = [from, to].map(at => dayOf(toMs(at), storeZone())).join('..');
  const rows: [string, number, string?][] = [
    [t`Orders charged`, counts.charged],
    [t`Charges refused`, counts.refused, '/subscriptions?lastPaymentStatus=FAILED'],
    [t`Recovered after a refusal`, counts.recovered, '/payment-recovery'],
    [t`New subscriptions`, counts.started, `/subscriptions?source=CHECKOUT&createdAtEpoch=${days}`],
    [t`Subscriptions cancelled`, counts.cancelled, '/subscriptions?tab=cancelled'],
    [t`Changed by customers`, counts.changed],
    [t`E-mails written`, counts.letters],
  ];
  return (
    <Dialog
      title={t`It is now ${day(new Date(to))}`}
      onClose={onClose}
      foot={
        <button type="button" className="p-btn p-btn-primary" onClick={onClose}>
          {t`Done`}
        </button>
      }
    >
      <p className="p-muted">{tx`What happened in this store since ${day(new Date(from))}:`}</p>
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
