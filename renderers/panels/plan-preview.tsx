// A selling plan group as customers will see it: the frequencies they choose from, and in plain words what the chosen one costs and when it
// comes. It follows what is typed, by the same prices and dates that the orders will have.
import { useId, useState } from 'react';
import { planToWire } from '../../src/domain/codecs/selling-plan-group.ts';
import { describePlan } from '../../src/domain/selling-plans/plan-preview.ts';
import { discountOf, type SellingPlan } from '../../src/domain/selling-plans/selling-plan.ts';
import { checkGroup } from '../../src/domain/selling-plans/selling-plan-validation.ts';
import { currencySymbol, toMinor } from '../../src/domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import '../../src/admin/record/styles/plans.css';
import { readDecimal, writeDecimal } from '../../src/domain/text/typed-number.ts';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

const EXAMPLE_PRICE = '24.00';
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** A plan as the form holds it -> as the rules read it, with what still keeps it from being one. */
function readPlan(value: JsonObject, currency: string): { plan: SellingPlan; missing: string | undefined } {
  const plan = planToWire(value) as SellingPlan;
  const errors = checkGroup(
    {
      name: '-',
      merchantCode: '-',
      optionLabel: '-',
      sellingPlans: [{ ...plan, name: plan.name || '-', optionLabel: plan.optionLabel || '-' }],
    },
    { currency },
  );
  return { plan, missing: errors.find(error => error.pointer.startsWith('/sellingPlans/0'))?.message };
}

export default function PlanPreview({ data, section }: FormPanelProps) {
  const { store } = useSession();
  const id = useId();
  const currency = store.currency_code;
  const [price, setPrice] = useState(() => writeDecimal(EXAMPLE_PRICE));
  const [chosen, setChosen] = useState<number>();
  const plans = (Array.isArray(data.sellingPlans) ? (data.sellingPlans as JsonObject[]) : []).filter(
    plan => plan !== null && typeof plan === 'object',
  );
  const marked = plans.findIndex(plan => plan.isDefault === true);
  const at = Math.min(chosen ?? Math.max(0, marked), Math.max(0, plans.length - 1));
  const priceMinor = minorOf(price, currency);
  return (
    <PanelCard title={section.title ?? t`What customers see`} className="r-preview">
      <div className="p-card-body r-body">
        <label className="r-example">
          <span className="p-hint">{t`For a product at`}</span>
          <span className="p-affix">
            <span className="p-affix-text">{currencySymbol(currency)}</span>
            <input
              className="p-input p-tabular"
              inputMode="decimal"
              aria-label={t`Price of the example product`}
              aria-invalid={priceMinor === undefined || undefined}
              value={price}
              onChange={event => setPrice(event.target.value)}
            />
          </span>
        </label>
        {plans.length === 0 ? (
          <p className="p-muted r-preview-none">{t`Add a selling plan to see it here.`}</p>
        ) : priceMinor === undefined ? (
          <p className="p-error" role="alert">
            {t`Enter a price such as 24.00.`}
          </p>
        ) : (
          <>
            <fieldset className="r-offer">
              <legend className="p-strong">{text(data.name) || t`Subscribe and save`}</legend>
              <p className="p-hint">{text(data.optionLabel) || t`Deliver every`}</p>
              {plans.map((value, i) => (
                <Choice
                  key={i}
                  value={value}
                  currency={currency}
                  priceMinor={priceMinor}
                  name={id}
                  isChosen={i === at}
                  onChoose={() => setChosen(i)}
                />
              ))}
            </fieldset>
            {plans[at] && <Words value={plans[at]} currency={currency} zone={store.timezone} priceMinor={priceMinor} />}
          </>
        )}
      </div>
    </PanelCard>
  );
}

function minorOf(price: string, currency: string): number | undefined {
  try {
    const minor = toMinor(readDecimal(price, [currency, currencySymbol(currency)]) ?? price, currency);
    return minor >= 0 ? minor : undefined;
  } catch {
    return undefined;
  }
}

interface ChoiceProps {
  value: JsonObject;
  currency: string;
  priceMinor: number;
  name: string;
  isChosen: boolean;
  onChoose: () => void;
}
function Choice({ value, currency, priceMinor, name, isChosen, onChoose }: ChoiceProps) {
  const { plan, missing } = readPlan(value, currency);
  const label = missing ? '' : discountOf(plan, 1, currency).label;
  const now = missing
    ? ''
    : (describePlan(plan, { priceMinor, currency, orderedAt: storeNow(), zone: 'UTC', rowCount: 1 }).rows[0]?.amountText ?? '');
  return (
    <label className="r-offer-choice" data-chosen={isChosen}>
      <input type="radio" className="p-radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className="p-grow">
        <span className="p-cut">{text(value.optionLabel) || text(value.name) || t`Unnamed plan`}</span>
        {label && !/^no /i.test(label) && <span className="p-hint">{label}</span>}
      </span>
      <span className="p-tabular">{now}</span>
    </label>
  );
}

function Words({ value, currency, zone, priceMinor }: { value: JsonObject; currency: string; zone: string; priceMinor: number }) {
  const { plan, missing } = readPlan(value, currency);
  if (missing) return <p className="p-muted r-preview-none">{tx`${missing}. Then this plan is described here.`}</p>;
  const preview = describePlan(plan, { priceMinor, currency, orderedAt: storeNow(), zone });
  return (
    <div className="r-preview-words" aria-live="polite">
      <p className="p-strong">{preview.headline}</p>
      <p>{preview.price}</p>
      <ul className="r-says">
        <li>{preview.firstOrder}</li>
        {preview.thenOrders.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <table className="r-dates" aria-label={t`The next deliveries of an order placed now`}>
        <thead>
          <tr>
            <th scope="col">{t`Delivery`}</th>
            <th scope="col">{t`Date`}</th>
            <th scope="col" className="p-num">
              {t`Charged`}
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map(row => (
            <tr key={row.delivery}>
              <td>{row.delivery}</td>
              <td className="p-tabular">{row.date}</td>
              <td className={row.isPaidAhead ? 'p-num p-muted' : 'p-num'}>{row.amountText}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {text(value.description) && <p className="p-muted">{text(value.description)}</p>}
    </div>
  );
}
