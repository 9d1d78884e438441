// A moment or a day, short; how long ago or ahead it is, and the whole instant in the store's time zone, as a tooltip. The option "time"
// adds the hour: true, or "zone" to name the time zone too. With "relative" it is the other way round: what lies within a month says how
// far it is from now ("3 days ago"), and the tooltip when it was.
import { day, dayTime, instant, moment, plainDay, relative } from '../../src/admin/platform/format.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import type { JsonObject } from '../../src/contract/types.ts';

export const looks: Partial<CellHints> = {
  width: 116,
  // With its hour a day is longer than columns of days are wide.
  whole: (value, _record, options) =>
    options.time && !options.relative && (typeof value === 'number' || typeof value === 'string') ? written(value, options) : '',
};
/** Further away a day says more than how far it is. */
const RELATIVE_DAYS = 30;

export default function DateCell({ value, options, schema }: CellProps) {
  if ((typeof value !== 'number' && typeof value !== 'string') || value === '') return <span className="l-none">–</span>;
  if (schema?.format === 'date' && typeof value === 'string') return <time dateTime={value}>{plainDay(value)}</time>;
  const now = storeNow();
  const at = new Date(typeof value === 'number' ? value * 1000 : value);
  const isNear = Math.abs(at.getTime() - now) < RELATIVE_DAYS * 86_400_000;
  if (options.relative && isNear)
    return (
      <time dateTime={at.toISOString()} data-tip={instant(value)}>
        {relative(value, now)}
      </time>
    );
  return (
    <time dateTime={at.toISOString()} data-tip={`${relative(value, now)}: ${instant(value)}`}>
      {written(value, options)}
    </time>
  );
}

function written(value: number | string, { time }: JsonObject): string {
  return time === 'zone' ? moment(value) : time ? dayTime(value) : day(value);
}
