// Why subscriptions of a bulk action failed or were skipped, the most frequent reason first; each opens to the subscriptions it is about.
import { ChevronDown } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { FAILURE_CATEGORIES } from '../../src/domain/recovery/failure-codes.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { FINAL, number, text } from '../../src/admin/features/bulk-actions/states.ts';
import { BULK, SUBSCRIPTIONS } from '../../src/admin/features/bulk-actions/bulk-calls.ts';
import { count } from '../../src/admin/platform/format.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { toneOf } from '../../src/admin/ui/tone.ts';
import '../../src/admin/features/bulk-actions/bulk.css';
import { t, translated } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const bare = true;

/** Subscriptions that are named for one reason; the result file has them all. */
const NAMED = 12;

export default function BulkFailures({ record }: PanelProps) {
  const isOver = FINAL.has(text(record.status));
  const { data } = useAsk<JsonObject[]>(
    BULK.failures,
    record.status === 'DRAFT' || record.status === 'SCHEDULED' ? undefined : { id: Number(record.id) },
    { refetchInterval: isOver ? false : 6000 },
  );
  const reasons = Array.isArray(data) ? data : [];
  if (reasons.length === 0) return null;
  return (
    <section className="p-card" aria-labelledby="bulk-reasons">
      <div className="p-card-head">
        <h2 id="bulk-reasons">{number(record, 'failed') ? t`What failed, and why` : t`Why some were skipped`}</h2>
      </div>
      <ul className="ba-reasons">
        {reasons.map(one => (
          <Reason
            key={`${text(one.status)} ${text(one.reason)}`}
            bulkId={Number(record.id)}
            reason={one}
            canOpen={record.isSystem !== true}
          />
        ))}
      </ul>
    </section>
  );
}

function Reason({ bulkId, reason, canOpen }: { bulkId: number; reason: JsonObject; canOpen: boolean }): ReactElement {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isSkipped = reason.status === 'SKIPPED';
  const n = number(reason, 'count');
  const face = (
    <>
      <span className="p-badge" data-tone={toneOf(isSkipped ? 'skipped' : 'failed')}>
        {isSkipped ? t`Skipped` : t`Failed`}
      </span>
      <span className="ba-reason-text">
        {text(reason.reason) || t`No reason was given.`}
        {explained(text(reason.reason))}
      </span>
      <span className="ba-reason-count p-tabular p-strong">{count(n)}</span>
    </>
  );
  if (!canOpen)
    return (
      <li>
        <div className="ba-reason">{face}</div>
      </li>
    );
  return (
    <li>
      <button type="button" className="ba-reason" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {face}
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      {isOpen && (
        <div id={id} className="ba-which">
          <Which bulkId={bulkId} reason={reason} total={n} />
        </div>
      )}
    </li>
  );
}

/** What a failed payment means, in a sentence. */
function explained(reason: string): ReactElement | null {
  const category = FAILURE_CATEGORIES.find(one => reason === `Payment failed: ${one.label}`);
  return category ? <span className="p-hint">{translated(category.description)}</span> : null;
}

/** The first of the subscriptions that a reason is about. */
function Which({ bulkId, reason, total }: { bulkId: number; reason: JsonObject; total: number }): ReactElement {
  const { data, error, refetch } = useAsk<JsonObject[]>(BULK.rows, {
    id: bulkId,
    limit: NAMED,
    filter: { status: [reason.status ?? null], reason: [text(reason.reason) || null] },
  });
  if (error && !data)
    return (
      <p className="p-hint" role="alert">
        {error.message}{' '}
        {error.status !== 403 && (
          <button type="button" className="p-link" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        )}
      </p>
    );
  if (!Array.isArray(data))
    return (
      <p role="status" aria-label={t`Loading`}>
        <span className="p-skeleton ba-sk-which" />
      </p>
    );
  const rest = total - data.length;
  return (
    <ul className="ba-which-list">
      {data.map(row => (
        <li key={String(row.position)}>
          {typeof row.subscriptionId === 'number' ? (
            <Link className="p-tabular" to={`/${SUBSCRIPTIONS.route}/${row.subscriptionId}`}>
              #{row.subscriptionId} {text(row.customerName)}
            </Link>
          ) : (
            <span className="p-tabular">{text(row.given)}</span>
          )}
        </li>
      ))}
      {rest > 0 && <li className="p-muted">{tx`and ${count(rest)} more; the result file names them all`}</li>}
    </ul>
  );
}
