// The banners above the page: not eligible, free plan exceeded, payments. Critical before the rest; two at once, more on request.
// The session says beforehand which will stand, so that they are in the first drawing and move nothing; then the calls decide.
import { CircleAlert, Clock, Plug, TriangleAlert } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { JsonValue } from '../../../../contract/types.ts';
import { useAsk } from '../../../platform/transport/calls.ts';
import { chunk, useChunk } from '../../../platform/chunk.ts';
import { definitions } from '../../../platform/definitions.ts';
import { count, storeZone } from '../../../platform/format.ts';
import { dayOf } from '../../../platform/time-zone.ts';
import { report } from '../../../platform/transport/error-report.ts';
import { useAllowed, useSession } from '../../../platform/session/session.tsx';
import { storeNow } from '../../../platform/store-clock.ts';
import { ErrorBoundary } from '../../../ui/pages/error-page.tsx';
import { useAfterFirstPage } from '../../../platform/start/after-first-page.ts';
import { isPaymentsDismissed } from './dismissed.ts';
import {
  bannerPeriods,
  isEligibleAnswer,
  isLimitExceeded,
  isPaypalPending,
  showsApps,
  showsEligibility,
  showsPayments,
  showsPaypal,
} from './rules.ts';
import { intlLocale, t } from '../../../../domain/text/t.ts';
import { tx } from '../../../ui/tx.ts';

const MAX = 2;
const paymentChunk = chunk(() => import('./payment-banner.tsx'));
const helpPath = (): string => definitions.navigation.lower.find(entry => entry.id === 'help')?.to ?? '/help';

export function Banners(): ReactElement | null {
  const { pathname } = useLocation();
  const { store, user, banners } = useSession();
  const isExceeded = useLimit(banners?.isFreePlanLimitExceeded ?? false);
  const { isEligible, isPending } = usePayments(banners?.isEligible ?? true, banners?.isPaypalPending ?? false);
  const rejected = useRejected(banners?.rejectedApps ?? []);
  const mayPayments = useAllowed('payments-overview.paymentSummaryInfoForBanner').ok;
  const [isAll, setAll] = useState(false);
  // Dismissed, it takes no room in the first drawing either.
  const [hasPayments, setPayments] = useState(() => !isPaymentsDismissed(user, bannerPeriods(dayOf(storeNow(), storeZone()))));
  const shown: { id: string; banner: ReactElement }[] = [];
  if (banners?.isQuiet) shown.push({ id: 'quiet', banner: <QuietBanner /> });
  if (showsEligibility(isEligible, store.plan_name, pathname)) shown.push({ id: 'eligibility', banner: <EligibilityBanner /> });
  if (showsApps(rejected, pathname)) shown.push({ id: 'apps', banner: <AppsBanner names={rejected} /> });
  if (showsPaypal(isPending, pathname)) shown.push({ id: 'paypal', banner: <PaypalBanner /> });
  if (isExceeded) shown.push({ id: 'limit', banner: <LimitBanner /> });
  // A store that never took an order has no payments to speak of.
  if (mayPayments && showsPayments(pathname) && store.order_count > 0 && hasPayments) {
    shown.push({
      id: 'payments',
      banner: (
        <ErrorBoundary place={pathname} what={t`The payments of the last 30 days`}>
          <Later onEmpty={() => setPayments(false)} />
        </ErrorBoundary>
      ),
    });
  }
  if (shown.length === 0) return null;
  const rest = isAll ? 0 : Math.max(0, shown.length - MAX);
  return (
    <section className="p-banners" aria-label={t`About your store`}>
      {shown.slice(0, shown.length - rest).map(one => (
        <div key={one.id} className="p-banners-one" data-banner={one.id}>
          {one.banner}
        </div>
      ))}
      {rest > 0 && (
        <button type="button" className="p-link" onClick={() => setAll(true)}>
          {rest === 1 ? t`Show 1 more notice` : t`Show ${count(rest)} more notices`}
        </button>
      )}
    </section>
  );
}

function Later({ onEmpty }: { onEmpty: () => void }): ReactElement {
  const payments = useChunk(paymentChunk);
  return payments ? <payments.PaymentBanner onEmpty={onEmpty} /> : <div className="p-pay" aria-hidden="true" />;
}

/** S263: whether the free plan's limit is exceeded; asked again whenever subscriptions change. */
function useLimit(expected: boolean): boolean {
  const isCalm = useAfterFirstPage();
  const query = useAsk<JsonValue>('start-up-app.isFreePlanLimitExceeded', isCalm ? {} : undefined);
  return query.data === undefined ? expected : isLimitExceeded(query.data);
}

/**
 * S269, S270: whether the store may sell subscriptions. When that can't be found out it is reported, and the
 * store counts as not eligible (S296, S297). The same answer says whether PayPal's approval is awaited.
 */
function usePayments(expected: boolean, expectedPending: boolean): { isEligible: boolean; isPending: boolean } {
  const isCalm = useAfterFirstPage();
  const query = useAsk<JsonValue>('preferences-app.eligibility', isCalm ? {} : undefined);
  useEffect(() => {
    if (query.isError) report(query.error, { source: 'useEligible', file: 'src/admin/features/notices/banners/banners.tsx' });
  }, [query.isError, query.error]);
  return query.data === undefined
    ? { isEligible: expected && !query.isError, isPending: expectedPending }
    : { isEligible: isEligibleAnswer(query.data), isPending: isPaypalPending(query.data) };
}

function Banner({ tone, icon, children }: { tone: 'critical' | 'warning'; icon: ReactNode; children: ReactNode }): ReactElement {
  return (
    <div className="p-banner" data-tone={tone}>
      {icon}
      <div className="p-grow">{children}</div>
    </div>
  );
}

/** What is done here reaches no customer and no other service. */
function QuietBanner(): ReactElement {
  return (
    <Banner tone="warning" icon={<TriangleAlert aria-hidden="true" />}>
      <p className="p-strong">{t`This is a trial with a copy of your store.`}</p>
      <p>{t`Nothing is charged, no e-mails are sent and no other service hears of anything. What is changed here is lost.`}</p>
    </Banner>
  );
}

/** S302 to S306. */
function EligibilityBanner(): ReactElement {
  return (
    <Banner tone="critical" icon={<CircleAlert aria-hidden="true" />}>
      <p className="p-strong">{t`Your store is not eligible for selling subscriptions.`}</p>
      <p>
        {tx`You must set up Shopify Payments, PayPal Express, Stripe or Adyen. With PayPal Express active, you can create one selling plan
          to start the approval. ${<Link to="/settings/paypal">{t`Go to PayPal settings`}</Link>}`}
        {' · '}
        <Link to="/settings/customer-migration/providers">{t`Charge through your own Stripe account`}</Link>
      </p>
    </Banner>
  );
}

/** The names of apps whose vendor rejects our access; asked again whenever an app changes. */
function useRejected(expected: string[]): string[] {
  const isCalm = useAfterFirstPage();
  const may = useAllowed('integrations.list').ok;
  const query = useAsk<{ name: string }[]>(
    'integrations.list',
    isCalm && may ? { filter: { status: ['ERROR'] }, pageSize: 100 } : undefined,
  );
  return query.data === undefined ? expected : query.data.map(({ name }) => name);
}

/** Nothing reaches these apps until they are connected again. */
function AppsBanner({ names }: { names: string[] }): ReactElement {
  return (
    <Banner tone="critical" icon={<Plug aria-hidden="true" />}>
      <p>
        {tx`${(
          <span className="p-strong">
            {names.length === 1 ? t`${listed(names)} rejects our access.` : t`${listed(names)} reject our access.`}
          </span>
        )} What happens is not told there until you reconnect; it waits for up to two days.
          ${<Link to="/integrations?tab=connected">{t`Reconnect`}</Link>}`}
      </p>
    </Banner>
  );
}

const listed = (names: string[]): string => new Intl.ListFormat(intlLocale()).format(names);

/** What a store without another way to charge waits for. */
function PaypalBanner(): ReactElement {
  return (
    <Banner tone="warning" icon={<Clock aria-hidden="true" />}>
      <p>
        {tx`PayPal has not approved recurring charges yet, so renewals can't be charged.
          ${<Link to="/settings/paypal">{t`See how far it is`}</Link>}`}
      </p>
    </Banner>
  );
}

/** S301, word for word. */
function LimitBanner(): ReactElement {
  return (
    <Banner tone="warning" icon={<TriangleAlert aria-hidden="true" />}>
      <p>
        {tx`You have exceeded the free plan limit of 50 subscriptions. To continue accepting new subscriptions, please upgrade your plan
          from the ${<Link to="/settings/billing">{t`pricing plan page`}</Link>}. Please ${<Link to={helpPath()}>{t`contact us`}</Link>}
            if you need any help.`}
      </p>
    </Banner>
  );
}
