// The session as the admin starts with it: who is here, in which store, with which rights, and what counts at this moment.
import { sql } from 'kysely';
import { accessOf } from '../../../contract/access.ts';
import type { Session } from '../../../contract/types.ts';
import { eligibilityOf } from '../../../domain/payments/eligibility.ts';
import type { Context } from '../context.ts';
import { storefrontOf } from '../storefront-url.ts';
import { standardsIn } from '../texts/standard-words.ts';
import { isOverLimit } from './store-plan.ts';

/**
 * How many alerts are open. When that can't be counted it is only noted, and signing in goes on (S298): the session then says none.
 */
async function openAlerts({ trx, storeId, report }: Pick<Context, 'trx' | 'storeId' | 'report'>): Promise<number> {
  try {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from alerts where store_id = ${storeId} and status <> 'RESOLVED'`.execute(trx);
    return rows[0]?.n ?? 0;
  } catch (error) {
    report({
      message: error instanceof Error ? error.message : String(error),
      sourceFunction: 'openAlerts',
      file: 'src/server/platform/auth/session-now.ts',
      origin: 'server',
    });
    return 0;
  }
}

/** The session with everything that counts at this moment. */
export async function sessionNow(
  context: Pick<Context, 'trx' | 'storeId' | 'store' | 'session' | 'now' | 'definitions' | 'report' | 'config'>,
): Promise<Session> {
  // Who may not look at alerts hears of none, not even how many there are.
  const alertCount = accessOf(context.session).can('alertCentre', 'READ') ? await openAlerts(context) : 0;
  const { rows } = await sql<{
    gift_widget: boolean;
    customers: number;
    orders: number;
    running: number;
    languages: number;
    language: string | null;
    primary: string | null;
  }>`select
    exists (select 1 from records where store_id = ${context.storeId} and entity = 'gift-widget' and deleted_at is null) as gift_widget,
    (select coalesce(sum(n), 0)::bigint from counters where store_id = ${context.storeId} and name = 'customers') as customers,
    (select coalesce(sum(n), 0)::bigint from counters where store_id = ${context.storeId} and name = 'orders') as orders,
    (select coalesce(sum(n), 0)::bigint from counters where store_id = ${context.storeId} and name = 'contracts'
        and key in ('ACTIVE', 'PAUSED')) as running,
    (select count(*)::integer from records where store_id = ${context.storeId} and entity = 'store-language'
        and deleted_at is null) as languages,
    (select data ->> 'locale' from records where store_id = ${context.storeId} and entity = 'store-language'
        and deleted_at is null and data ->> 'isPrimary' = 'true' limit 1) as primary,
    (select language from users where store_id = ${context.storeId} and id = ${context.session.user.userId}) as language`.execute(
    context.trx,
  );
  const now = rows[0];
  const standards = standardsIn(now?.primary ?? 'en');
  const apps = await appsOf(context);
  const rejected = accessOf(context.session).can('integrations', 'READ') ? apps.filter(app => app.isRejected).map(app => app.name) : [];
  const payments = eligibilityOf(context.store);
  const storefrontUrl = storefrontOf(context.config, context.store);
  return {
    ...context.session,
    store: {
      ...context.session.store,
      customer_count: now?.customers ?? 0,
      order_count: now?.orders ?? 0,
      ...(storefrontUrl === undefined ? {} : { storefrontUrl }),
      now: context.now().toISOString(),
    },
    alertCount,
    hasGiftWidget: now?.gift_widget ?? false,
    ...(apps.some(app => app.hasPoints) ? { hasLoyaltyApp: true } : {}),
    ...((now?.languages ?? 0) > 1 ? { hasLanguages: true } : {}),
    ...(Object.keys(standards).length ? { standardTexts: standards } : {}),
    ...(now?.language ? { language: now.language } : {}),
    banners: {
      isFreePlanLimitExceeded: isOverLimit(context, now?.running ?? 0),
      isEligible: payments.isEligible,
      ...(context.config.quiet ? { isQuiet: true } : {}),
      ...(payments.isPaypalOnly && payments.paypalStatus === 'APPROVAL_REQUESTED' ? { isPaypalPending: true } : {}),
      ...(rejected.length ? { rejectedApps: rejected } : {}),
    },
  };
}

/** The apps that are connected: what they are called, whether the vendor rejects our access, whether they keep points of customers. */
async function appsOf({ trx, storeId, definitions }: Pick<Context, 'trx' | 'storeId' | 'definitions'>) {
  const { rows } = await sql<{ key: string; status: string }>`select key, status from integrations where store_id = ${storeId}
    and status in ('CONNECTED', 'ERROR') order by key`.execute(trx);
  return rows.map(({ key, status }) => {
    const kind = definitions.integrations[key];
    return { name: kind?.name ?? key, isRejected: status === 'ERROR', hasPoints: kind?.loyalty !== undefined };
  });
}
