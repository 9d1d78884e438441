// The plans side by side, how much of the present one is used, and what each month came to.
import { TableScroll } from '../../src/admin/ui/table-scroll.tsx';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Check } from 'lucide-react';
import { allowsCall } from '../../src/contract/access.ts';
import { Tile } from '../../src/admin/dashboard/tile.tsx';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { count, dayTime, money, shortDay, storeZone, toMs } from '../../src/admin/platform/format.ts';
import { dayOf } from '../../src/admin/platform/time-zone.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import '../../src/admin/dashboard/dashboard.css';
import '../../src/admin/features/billing/billing.css';
import { intlLocale, t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

interface Plan {
  id: number;
  name: string;
  rank: number;
  isPresent: boolean;
  isCustom: boolean;
  canChoose: boolean;
  fixedCharge: string;
  transactionCharge: string;
  limit: number | null;
  features: string[];
  misfit: string | null;
  stops: { title: string; count: number; what: string }[];
}
interface Charge {
  month: string;
  plan: string;
  orders: number;
  value: string;
  fixed: string;
  fee: string;
  credit: string;
  total: string;
  isCustom: boolean;
  isOpen: boolean;
}
interface Overview {
  plans: Plan[];
  present: { id: number; name: string; since: string; periodFrom: string; periodTo: string };
  usage: { running: number; limit: number | null };
  ahead: { id: number; plan: string; effectiveAt: string } | null;
  waiting: { id: number; plan: string } | null;
  charges: Charge[];
}
/** What plans have that has no title of its own elsewhere; the server makes these of its keys. */
const FEATURES: Record<string, string> = {
  'Delivery date scheduling': t`Delivery date scheduling`,
  'User permission': t`User permission`,
  'Gift subscription': t`Gift subscription`,
  'Custom domains': t`Custom domains`,
};
const featureTitle = (title: string): string => FEATURES[title] ?? title;

const dollars = (amount: string): string => money(amount, 'USD');

export default function Billing({ resource }: PageProps) {
  usePageTitle(resource.title);
  const { data, error, refetch } = useAsk<Overview>('billing.overview', {});
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
      </div>
      {data ? (
        <div className="p-stack">
          <Ahead data={data} />
          <Usage data={data} />
          <Plans data={data} />
          <Charges charges={data.charges} />
        </div>
      ) : error ? (
        <ErrorState error={error} what={t`Your plan`} onRetry={() => void refetch()} />
      ) : (
        <div className="p-skeleton bl-loading" role="status" aria-label={t`Loading`} />
      )}
    </div>
  );
}

/** The store's day of an instant, without its year. */
const dayIn = (at: string): string => shortDay(dayOf(toMs(at), storeZone()));

/** A change that waits for approval, or for the end of the period. */
function Ahead({ data: { ahead, waiting, present } }: { data: Overview }) {
  if (!ahead && !waiting) return null;
  return (
    <section className="p-card p-card-body bl-ahead" aria-label={t`Change of plan`}>
      {ahead ? (
        <p>
          {tx`Your plan changes to ${ahead.plan} on ${dayTime(ahead.effectiveAt)}. Until then you keep ${present.name}.
            ${<Link to={`/settings/billing/${ahead.id}`}>{t`Show the change`}</Link>}`}
        </p>
      ) : (
        waiting && (
          <p>
            {tx`The ${waiting.plan} plan waits for your approval.
              ${<Link to={`/settings/billing/${waiting.id}`}>{t.as('continue')`Go on`}</Link>}`}
          </p>
        )
      )}
    </section>
  );
}

function Usage({ data: { present, usage, charges } }: { data: Overview }) {
  const now = charges.find(({ isOpen }) => isOpen);
  const since = dayIn(present.since);
  return (
    <section className="p-card" aria-label={t`Usage`}>
      <dl className="b-tiles">
        <Tile title={t.as('price')`Plan`} about={t`The plan you are on.`} value={present.name} note={t`since ${since}`} />
        <Tile
          title={t`Subscriptions`}
          about={t`Active and paused subscriptions, which are what a plan's limit counts.`}
          value={count(usage.running)}
          note={usage.limit === null ? t`no limit` : t`of ${count(usage.limit)}`}
        />
        <Tile
          title={t`Orders this month`}
          about={t`The value in dollars of all orders that were paid this month.`}
          value={now ? dollars(now.value) : null}
          note={now ? t`${count(now.orders)} orders` : ''}
        />
        <Tile title={t`Billing period ends`} about={t`Changes to a lower plan take effect on this day.`} value={dayIn(present.periodTo)} />
      </dl>
    </section>
  );
}

function Plans({ data }: { data: Overview }) {
  const present = data.plans.find(({ isPresent }) => isPresent);
  return (
    <section aria-label={t.as('price')`Plans`} className="bl-plans">
      {data.plans.map((plan, i) => (
        <PlanCard key={plan.id} plan={plan} lower={data.plans[i - 1]?.name} isLower={present !== undefined && plan.rank < present.rank} />
      ))}
    </section>
  );
}

function PlanCard({ plan, lower, isLower }: { plan: Plan; lower: string | undefined; isLower: boolean }) {
  const session = useSession();
  const call = definitions.calls['billing.request'];
  const may = call !== undefined && allowsCall(call, session).ok;
  const request = useCall('billing.request');
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const choose = (): void => {
    request.run({ planId: plan.id }).then(
      ({ data }) => navigate(`/settings/billing/${String((data as { id: number }).id)}`),
      (error: unknown) => notifyError(error),
    );
  };
  const share = plan.isCustom
    ? t`agreed with you`
    : Number(plan.transactionCharge) === 0
      ? t`nothing else about your orders`
      : t`and ${plan.transactionCharge}% of your orders`;
  const stops = plan.stops.map(({ title }) => featureTitle(title)).join(', ');
  const used = plan.stops.filter(one => one.count > 0);
  return (
    <article className="p-card p-card-body bl-plan" data-present={plan.isPresent || undefined} aria-label={t`${plan.name} plan`}>
      <h2>{plan.name}</h2>
      <p className="bl-price">
        {plan.isCustom ? (
          t`A price of your own`
        ) : (
          <>
            {dollars(plan.fixedCharge)} <small>{t`a month`}</small>
          </>
        )}
      </p>
      <p className="p-muted">{plan.limit === null ? share : t`${share}, up to ${count(plan.limit)} subscriptions`}</p>
      <ul className="bl-features">
        {lower && <li>{tx`Everything of ${lower}`}</li>}
        {plan.features.map(feature => (
          <li key={feature}>
            <Check aria-hidden="true" />
            {featureTitle(feature)}
          </li>
        ))}
      </ul>
      {plan.isPresent ? (
        <p className="p-strong">{t`Your plan`}</p>
      ) : plan.misfit ? (
        <p className="bl-misfit">{plan.misfit}</p>
      ) : !plan.canChoose ? (
        <Link className="p-btn" to="/help">
          {t`Write to us`}
        </Link>
      ) : isAsked ? (
        <div className="p-stack-s" role="group" aria-label={t`Change to ${plan.name}`}>
          <p>
            {isLower
              ? t`You keep your plan until the billing period ends. Then these stop: ${stops}.`
              : t`The plan counts as soon as you approve what it costs.`}
          </p>
          {used.length > 0 && <p className="p-strong">{tx`In use now: ${used.map(({ what }) => what).join(', ')}.`}</p>}
          <div className="bl-buttons">
            <button type="button" className="p-btn p-btn-primary" aria-busy={request.isPending} onClick={choose}>
              {t`Go on to approval`}
            </button>
            <button type="button" className="p-btn" onClick={() => setAsked(false)}>
              {t`Back`}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" className={isLower ? 'p-btn' : 'p-btn p-btn-primary'} disabled={!may} onClick={() => setAsked(true)}>
          {isLower ? t`Change to ${plan.name}` : t`Upgrade to ${plan.name}`}
        </button>
      )}
    </article>
  );
}

function Charges({ charges }: { charges: Charge[] }) {
  const hasCredit = charges.some(({ credit }) => Number(credit) > 0);
  return (
    <section className="p-card" aria-label={t`Usage by month`}>
      <div className="p-card-head">
        <h2>{t`Usage by month`}</h2>
      </div>
      <TableScroll label={t`Usage by month, as a table`}>
        <table className="p-table p-table-s">
          <thead>
            <tr>
              <th scope="col">{t`Month`}</th>
              <th scope="col">{t.as('price')`Plan`}</th>
              <th scope="col" className="p-num">
                {t`Orders`}
              </th>
              <th scope="col" className="p-num">
                {t`Order value`}
              </th>
              <th scope="col" className="p-num">
                {t`Plan fee`}
              </th>
              <th scope="col" className="p-num">
                {t`Share of orders`}
              </th>
              {hasCredit && (
                <th scope="col" className="p-num">
                  {t`Credit`}
                </th>
              )}
              <th scope="col" className="p-num">
                {t`Total`}
              </th>
            </tr>
          </thead>
          <tbody>
            {charges.map(one => (
              <tr key={one.month}>
                <td>{one.isOpen ? t`${monthName(one.month)} so far` : monthName(one.month)}</td>
                <td>{one.plan}</td>
                <td className="p-num">{count(one.orders)}</td>
                <td className="p-num">{dollars(one.value)}</td>
                <td className="p-num">{one.isCustom ? t`as agreed` : dollars(one.fixed)}</td>
                <td className="p-num">{one.isCustom ? t`as agreed` : dollars(one.fee)}</td>
                {hasCredit && <td className="p-num">{Number(one.credit) > 0 ? `−${dollars(one.credit)}` : '–'}</td>}
                <td className="p-num">{one.isCustom ? t`as agreed` : dollars(one.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

const monthName = (month: string): string =>
  new Date(`${month}-15T12:00:00Z`).toLocaleDateString(intlLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
