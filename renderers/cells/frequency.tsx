// How often: a sentence as it stands, or an interval ({ interval, intervalCount }) put into words.
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { frequencyLabel, type Interval, intervalIn } from '../../src/domain/calendar/interval.ts';
import { atStart } from '../../src/domain/text/t.ts';

export const looks: Partial<CellHints> = { width: 124 };

export default function FrequencyCell({ value }: CellProps) {
  if (typeof value === 'string' && value) {
    const interval = intervalIn(value);
    return interval ? atStart(frequencyLabel(interval)) : value;
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && typeof value.interval === 'string') {
    return atStart(frequencyLabel({ interval: value.interval as Interval['interval'], intervalCount: Number(value.intervalCount ?? 1) }));
  }
  return <span className="l-none">–</span>;
}
