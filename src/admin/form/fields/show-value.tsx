// A value as calm text: where nothing can be changed, in lists of changes, in the choice between mine and theirs.
import type { JsonValue, Schema } from '../../../contract/types.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import { type Interval, intervalInWords } from '../../../domain/calendar/interval.ts';
import { Copy } from 'lucide-react';
import { dayTime, money, percent, plainDay } from '../../platform/format.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { isObject } from '../engine/path.ts';
import type { Path } from '../engine/path.ts';
import type { FormHandle } from './widget.ts';
import { isEmpty, planOf } from './widgets.ts';
import type { FieldPlan } from './widgets.ts';
import { inFigures, inSentence, t } from '../../../domain/text/t.ts';

/** One value in words, without markup. `undefined` where there is nothing to say. */
export function wordsFor(value: JsonValue | undefined, schema: Schema, currency = 'USD'): string | undefined {
  const plan = planOf(schema);
  const option = optionsOf(plan.schema).find(one => one.value === value);
  if (option && !Array.isArray(value)) return option.title;
  if (isEmpty(value)) return undefined;
  const unit =
    typeof plan.options.unit === 'string'
      ? plan.options.unit
      : plan.name === 'percentage' || plan.hints.cell === 'percentage'
        ? '%'
        : undefined;
  if (typeof value === 'boolean') return value ? t`On` : t`Off`;
  if (plan.options.each === true) return t`${String(value)} in the currency of each`;
  if (plan.schema.format === 'money' || plan.name === 'money') return money(value as string, currency);
  if (plan.schema.format === 'date') return plainDay(String(value));
  if (plan.schema.format === 'date-time' || plan.schema.format === 'epoch') return dayTime(value as string | number);
  if (plan.schema.format === 'html')
    return String(value)
      .replace(/<[^<>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  if (Array.isArray(value)) return listWords(value, plan.schema, currency);
  if (isObject(value)) return plan.name === 'interval' ? spanWords(value) : objectWords(value, plan.schema, currency);
  if (typeof value === 'number' && isName(plan)) return String(value);
  if (typeof value === 'number') return unit === '%' ? percent(value) : `${inFigures(value)}${unit ? ` ${unit}` : ''}`;
  return unit ? `${String(value)} ${unit}` : String(value);
}

/** Numbers that name something are not grouped by thousands, and can be copied. */
const isName = (plan: FieldPlan): boolean => plan.hints.cell === 'copy' || plan.hints.cell === 'id';

function listWords(items: JsonValue[], schema: Schema, currency: string): string {
  if (items.some(isObject) && planOf(schema.items ?? {}).name !== 'interval')
    return items.length === 1 ? t`1 entry` : t`${items.length} entries`;
  const names = items.map(item => wordsFor(item, schema.items ?? {}, currency) ?? '');
  const [first, others] = [names.slice(0, 12).join(', '), names.length - 12];
  return others > 0 ? t`${first} and ${others} more` : first;
}

/** "1 month", "2 weeks". */
function spanWords({ interval, intervalCount }: { [name: string]: JsonValue }): string {
  const words = intervalInWords({ interval: interval as Interval['interval'], intervalCount: Number(intervalCount) });
  return intervalCount === 1 ? `1 ${words}` : words;
}

function objectWords(value: { [name: string]: JsonValue }, schema: Schema, currency: string): string {
  return Object.entries(value)
    .filter(([, member]) => !isEmpty(member))
    .map(([name, member]) => {
      const inner = schema.properties?.[name];
      return `${inner?.title ?? humanise(name)}: ${wordsFor(member, inner ?? {}, currency) ?? ''}`;
    })
    .join(', ');
}

/** A value in the middle of a read-only form. */
export function ShowValue({ value, plan, form, path }: { value: JsonValue | undefined; plan: FieldPlan; form: FormHandle; path: Path }) {
  const { Show } = plan.module;
  if (Show && ((value !== undefined && value !== null) || plan.also.length))
    return <Show value={value ?? null} schema={plan.schema} options={plan.options} form={form} path={path} />;
  const words = wordsFor(value, plan.schema, form.currency);
  const tone = optionsOf(plan.schema).find(one => one.value === value)?.tone;
  if (words !== undefined && tone)
    return (
      <span className="p-badge" data-tone={tone}>
        {words}
      </span>
    );
  if (words !== undefined && (isName(plan) || plan.schema.format === 'email'))
    return <Copyable text={words} label={plan.title ?? t`value`} />;
  return words === undefined ? (
    <span className="p-muted">{typeof plan.options.empty === 'string' ? plan.options.empty : '–'}</span>
  ) : (
    <>{words}</>
  );
}

function Copyable({ text, label }: { text: string; label: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notify(t`Copied.`, { tone: 'info' }),
      () => notify(t`The browser did not allow copying. Mark the text and copy it by hand.`, { tone: 'critical' }),
    );
  };
  return (
    <span className="f-copy">
      <span className="p-tabular">{text}</span>
      <button type="button" className="p-icon-btn f-copy-btn" aria-label={t`Copy ${inSentence(label)} ${text}`} onClick={copy}>
        <Copy size={13} aria-hidden="true" />
      </button>
    </span>
  );
}
