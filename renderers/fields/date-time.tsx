// An instant, shown and typed on the store's wall clock; the value is an ISO instant or epoch seconds.
import { ariaProps } from '../../src/admin/form/fields/affix.tsx';
import { zoneName } from '../../src/admin/form/fields/calendar-names.ts';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import type { FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { chunk, useChunk } from '../../src/admin/platform/chunk.ts';
import { intlLocale, t } from '../../src/domain/text/t.ts';

const clocks = chunk(() => import('luxon'));

export default function DateTimeField(props: WidgetProps<string | number>) {
  const luxon = useChunk(clocks);
  // The input is drawn once with the right time; until then its place is kept.
  return luxon ? <Input {...props} clock={luxon.DateTime} /> : <div className="p-input f-waiting" aria-hidden="true" />;
}

function Input({ clock, ...props }: WidgetProps<string | number> & { clock: typeof import('luxon').DateTime }) {
  const { id, schema, nullable, form, value } = props;
  const zone = form.timezone;
  const isEpoch = schema.format === 'epoch' || schema.type === 'integer' || schema.type === 'number';
  const read = (at: string | number) => (typeof at === 'number' ? clock.fromSeconds(at, { zone }) : clock.fromISO(at, { zone }));
  const text = useText<string | number>({
    ...props,
    show: at => (at === undefined || at === null || at === '' ? '' : read(at).toFormat("yyyy-LL-dd'T'HH:mm")),
    read: typed => {
      if (!typed) return (nullable ? null : undefined) as undefined;
      const moment = clock.fromISO(typed, { zone });
      return isEpoch ? moment.toUnixInteger() : (moment.toUTC().toISO({ suppressMilliseconds: true }) ?? typed);
    },
    errorOf: (_typed, input) => (input.validity.badInput ? t`Enter the whole date and the time.` : undefined),
  });
  const at = value === undefined || value === null ? form.now() : read(value).toMillis();
  return (
    <div className="f-moment">
      <input id={id} type="datetime-local" className="p-input f-date" {...ariaProps(props)} {...text} />
      {!props.compact && <span className="p-hint">{zoneName(zone, at)}</span>}
    </div>
  );
}

export function Show({ value, form }: { value: JsonValue; form: FormHandle }) {
  const at = typeof value === 'number' ? value * 1000 : Date.parse(String(value));
  if (Number.isNaN(at)) return <>{String(value)}</>;
  return (
    <time dateTime={new Date(at).toISOString()} data-tip={zoneName(form.timezone, at)}>
      {new Intl.DateTimeFormat(intlLocale(), { timeZone: form.timezone, dateStyle: 'medium', timeStyle: 'short' }).format(at)}
    </time>
  );
}
