// The order schedule as it is typed, on a subscription bought today: when its next orders are charged and delivered, which tags they get,
// and what was saved before. It follows every keystroke by the same rules that date the real orders.
import { useMemo, useState } from 'react';
import { dateLabel, daysBetween } from '../../src/domain/calendar/calendar.ts';
import { frequencyLabel, type Interval } from '../../src/domain/calendar/interval.ts';
import { orderScheduleOf } from '../../src/domain/schedule/order-schedule-settings.ts';
import { previewOrders, type PreviewOrder } from '../../src/domain/schedule/order-schedule-preview.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { country } from '../../src/admin/platform/format.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import '../../src/admin/record/styles/schedule-preview.css';
import { intlLocale, t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

const FREQUENCIES: Interval[] = [
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'WEEK', intervalCount: 2 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'MONTH', intervalCount: 3 },
];
const USUAL = 2;
interface Goal {
  key: string;
  label: string;
  countryCode: string;
  provinceCode: string | null;
}

/** The store's own country, and every place that has days of its own. */
function goalsOf(page: JsonObject, home: string): Goal[] {
  const goals = new Map<string, Goal>([[home, { key: home, label: country(home), countryCode: home, provinceCode: null }]]);
  for (const row of orderScheduleOf(page).countryBasedChargeOffset) {
    for (const provinceCode of row.provinceCodes === 'ALL' ? [null] : row.provinceCodes) {
      const key = provinceCode ? `${row.countryCode}-${provinceCode}` : row.countryCode;
      goals.set(key, {
        key,
        label: provinceCode ? `${country(row.countryCode)}, ${provinceCode}` : country(row.countryCode),
        countryCode: row.countryCode,
        provinceCode,
      });
    }
  }
  return [...goals.values()];
}

export default function SchedulePreview({ data, saved, section }: FormPanelProps) {
  const { store } = useSession();
  const [now] = useState(storeNow);
  const [frequency, setFrequency] = useState(USUAL);
  const [place, setPlace] = useState('');
  const goals = goalsOf(data, store.country_code);
  const goal = goals.find(one => one.key === place) ?? goals[0]!;
  const every = FREQUENCIES[frequency]!;
  const question = useMemo(
    () => ({ zone: store.timezone, now, every, countryCode: goal.countryCode, provinceCode: goal.provinceCode }),
    [store.timezone, now, every, goal.countryCode, goal.provinceCode],
  );
  const orders = previewOrders(data, question);
  const before = useMemo(() => (saved ? previewOrders(saved, question) : orders), [saved, question, orders]);
  const hasChanged = orders.some((order, i) => differs(order, before[i], store.timezone));
  return (
    <PanelCard title={section.title ?? t`The next orders`} className="r-schedule">
      <div className="p-card-body">
        <div className="r-schedule-ask">
          <label>
            <span className="p-hint">{t`Bought today, delivered`}</span>
            <select className="p-input p-select" value={frequency} onChange={event => setFrequency(Number(event.target.value))}>
              {FREQUENCIES.map((one, i) => (
                <option key={i} value={i}>
                  {frequencyLabel(one)}
                </option>
              ))}
            </select>
          </label>
          {goals.length > 1 && (
            <label>
              <span className="p-hint">{t.as('place')`To`}</span>
              <select className="p-input p-select" value={goal.key} onChange={event => setPlace(event.target.value)}>
                {goals.map(one => (
                  <option key={one.key} value={one.key}>
                    {one.label}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <ol className="r-schedule-orders" aria-live="polite">
          {orders.map((order, i) => (
            <Order key={order.orderNumber} order={order} before={before[i]} zone={store.timezone} />
          ))}
        </ol>
        <p className="p-hint">
          {hasChanged ? t`Crossed out is what is saved now.` : t`These are the dates that are saved.`}{' '}
          {t`Subscriptions you already have keep their dates until you update them.`}
        </p>
      </div>
    </PanelCard>
  );
}

const sameDay = (a: number, b: number, zone: string): boolean => daysBetween(a, b, zone) === 0;
const differs = (order: PreviewOrder, before: PreviewOrder | undefined, zone: string): boolean =>
  before !== undefined && !(sameDay(order.billingAt, before.billingAt, zone) && sameDay(order.deliveryAt, before.deliveryAt, zone));

function Order({ order, before, zone }: { order: PreviewOrder; before: PreviewOrder | undefined; zone: string }) {
  const words = [...order.tags, ...(order.field ? [`${order.field.key}: ${order.field.value}`] : [])];
  return (
    <li>
      <p className="p-strong">{tx`Order ${order.orderNumber}`}</p>
      <dl>
        <When title={t`Charged`} at={order.billingAt} before={before?.billingAt} zone={zone} />
        <When title={t`Delivered`} at={order.deliveryAt} before={before?.deliveryAt} zone={zone} />
      </dl>
      {words.length > 0 && (
        <p className="r-schedule-tags">
          {words.map(word => (
            <span key={word} className="p-tag">
              {word}
            </span>
          ))}
        </p>
      )}
    </li>
  );
}

function When({ title, at, before, zone }: { title: string; at: number; before: number | undefined; zone: string }) {
  const moved = before !== undefined && !sameDay(at, before, zone);
  return (
    <div>
      <dt>{title}</dt>
      <dd className="p-tabular">
        {moved && (
          <>
            <del>{dateLabel(before, zone, intlLocale())}</del>{' '}
          </>
        )}
        <span>{dateLabel(at, zone, intlLocale())}</span>
      </dd>
    </div>
  );
}
