// A moment or a day, short; how long ago or ahead it is, and the whole instant in the store's time zone, as a tooltip. The option "time"
// adds the hour: true, or "zone" to name the time zone too.
import { day, dayTime, instant, moment, plainDay, relative } from '../../src/admin/platform/format.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

export const looks: Partial<CellHints> = { width: 112 };

export default function DateCell({ value, options, schema }: CellProps) {
  if ((typeof value !== 'number' && typeof value !== 'string') || value === '') return <span className="l-none">–</span>;
  if (schema?.format === 'date' && typeof value === 'string') return <time dateTime={value}>{plainDay(value)}</time>;
  return (
    <time
      dateTime={new Date(typeof value === 'number' ? value * 1000 : value).toISOString()}
      data-tip={`${relative(value, storeNow())}: ${instant(value)}`}
    >
      {options.time === 'zone' ? moment(value) : options.time ? dayTime(value) : day(value)}
    </time>
  );
}
