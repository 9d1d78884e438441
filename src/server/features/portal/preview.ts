// The page of a subscription by a theme that may not be live. It is a subscription of the store with another customer in it, so that
// the designer sees no customer's data; nothing can be done there.
import { sql } from 'kysely';
import { escapeHtml, type PageAnswer } from '../../platform/http/public-pages.ts';
import { type Aggregate, GIFT, loadAggregates, type CustomerContext } from '../../engine/index.ts';
import { actionsOf } from './actions.ts';
import { page } from './html.ts';
import { portalFrom } from './portal.ts';
import { streakSection } from './streaks.ts';
import type { Theme } from '../../platform/portal-look/theme.ts';
import { upgradesFor } from './upgrades.ts';
import { upsellsFor } from './upsells.ts';
import { t } from '../../../domain/text/t.ts';

const SAMPLE_PERSON = {
  ...{ firstName: 'Anna', lastName: 'Miller', company: null, address1: '12 Orchard Lane', address2: null, zip: '05401' },
  ...{ city: 'Burlington', province: 'Vermont', country: 'United States', countryCode: 'US' },
};

/** The newest subscription of the store, an active one first; undefined where there is none. */
async function sample(context: CustomerContext): Promise<Aggregate | undefined> {
  const { rows } = await sql<{ id: number }>`select id from contracts where store_id = ${context.storeId}::integer and source <> ${GIFT}
    order by status <> 'ACTIVE', id desc limit 1`.execute(context.trx);
  const [subscription] = rows[0] ? await loadAggregates(context.trx, context.storeId, [rows[0].id], { lock: false }) : [];
  if (!subscription) return undefined;
  const who = { customer_name: 'Anna Miller', customer_first_name: 'Anna', customer_email: 'anna@mail.example' };
  const contract = { ...subscription.contract, ...who, shipping_address: SAMPLE_PERSON };
  return { ...subscription, contract, methods: subscription.methods.map(one => ({ ...one, brand: 'visa', last_digits: '4242' })) };
}

/** Nothing can be pressed in a preview. */
const withoutForms = (html: string): string => {
  const [before = '', ...forms] = html.split('<form');
  return before + forms.map(form => form.slice(form.indexOf(FORM_END) + FORM_END.length)).join('');
};
const FORM_END = '</form>';

/** The page as subscribers would see it. */
export async function previewPage(context: CustomerContext, theme: Theme): Promise<PageAnswer> {
  const subscription = await sample(context);
  const none = t`There is no subscription in the store yet that could be shown.`;
  if (!subscription) return { status: 200, title: theme.name, html: `<h1>${escapeHtml(theme.name)}</h1><p>${escapeHtml(none)}</p>` };
  const portal = await portalFrom(
    context,
    { ...subscription, contract: { ...subscription.contract, customer_locale: null } as typeof subscription.contract },
    theme,
  );
  const [actions, upsells] = [await actionsOf(portal), await upsellsFor(portal)];
  const paid = subscription.orders
    .filter(one => one.status === 'PAID')
    .map(one => ({ at: one.billing_at, total: one.total, currency: one.currency_code }));
  return page(portal, {
    actions,
    upsells,
    upgrades: withoutForms((await upgradesFor(portal)).html),
    others: [],
    past: { page: 1, pages: 1, orders: paid.slice(0, 5) },
    streak: await streakSection(portal),
    gifts: '',
    mystery: '',
    loyalty: '',
  });
}
