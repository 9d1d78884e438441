// How often: a sentence as it stands, or an interval ({ interval, intervalCount }) put into words.
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 124 };

export default function FrequencyCell({ value }: CellProps) {
  if (typeof value === 'string' && value) return value;
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && typeof value.interval === 'string') {
    const unit = value.interval.toLowerCase();
    const count = Number(value.intervalCount ?? 1);
    return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
  }
  return <span className="l-none">–</span>;
}
