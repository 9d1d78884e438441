// Why subscriptions of a bulk action failed or were skipped, the most frequent reason first.
import type { JsonObject } from '../../src/contract/types.ts';
import { useAsk } from '../../src/admin/calls.ts';
import { FINAL, number, text } from '../../src/admin/bulk/states.ts';
import { BULK } from '../../src/admin/bulk/wire.ts';
import { count } from '../../src/admin/format.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import '../../src/admin/bulk/bulk.css';

export const bare = true;

export default function BulkFailures({ record }: PanelProps) {
  const isOver = FINAL.has(text(record.status));
  const { data } = useAsk<JsonObject[]>(BULK.failures, record.status === 'DRAFT' || record.status === 'SCHEDULED' ? undefined : { id: Number(record.id) }, { refetchInterval: isOver ? false : 6000 });
  const reasons = Array.isArray(data) ? data : [];
  if (reasons.length === 0) return null;
  return (
    <section className="p-card" aria-labelledby="bulk-reasons">
      <div className="p-card-head"><h2 id="bulk-reasons">{number(record, 'failed') ? 'What failed, and why' : 'Why some were skipped'}</h2></div>
      <ul className="ba-reasons">
        {reasons.map(one => <li key={`${text(one.status)} ${text(one.reason)}`}><span className="p-row"><span className="p-badge" data-tone={one.status === 'SKIPPED' ? 'neutral' : 'critical'}>{one.status === 'SKIPPED' ? 'Skipped' : 'Failed'}</span><span>{text(one.reason)}</span></span><span className="p-tabular p-strong">{count(number(one, 'count'))}</span></li>)}
      </ul>
    </section>
  );
}
