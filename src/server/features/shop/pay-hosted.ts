// A purchase that is paid on the page of the store's payment provider: the way there, and what came of it. The purchase is written down
// before, and holds its stock while the page is open.
import { t } from '../../../domain/text/t.ts';
import type { PageState } from '../../platform/gateway/hosted-pages.ts';
import { takesCardsBy } from '../../platform/gateway/gateway.ts';
import type { Services } from '../../platform/services.ts';
import { linkBase, transactIn } from '../../engine/index.ts';
import { sql } from 'kysely';
import { finish, keyOf, lockCartOf, OPEN_PURCHASE, type OpenPurchase, type Settled } from './pay.ts';
import type { Quote } from './quote.ts';
import type { Shop } from './shop.ts';

export type HostedServices = Pick<Services, 'db' | 'definitions' | 'config' | 'hostedPages' | 'gateway' | 'log'>;
type Outcome = Settled | { is: 'OPEN'; url: string };

/** A page is open for so long (minutes), the shortest that Stripe takes and a little more. */
const OPEN_MINUTES = 35;

/**
 * Why a cart can't be paid on a provider's page, for its customer: what is bought once beside no subscription makes no order yet, so its
 * money would be taken for nothing. Undefined where it can, and where no such page is led to.
 */
export function hostedRefusal({ context: { store } }: Pick<Shop, 'context'>, { shipments }: Quote): string | undefined {
  if (takesCardsBy(store) === 'TEST') return undefined;
  const once = shipments.filter(({ planId }) => planId === null);
  const names = once.flatMap(one => [...one.lines.map(({ name }) => name), ...one.bundles.map(({ name }) => name)]);
  const products = names.join(', ');
  if (once.length === 0) return undefined;
  return t`Without a subscription this can’t be paid here at the moment: ${products}. Subscribe to it, or take it out of the cart.`;
}

/**
 * The page of a try to pay, opened once however often this is called. `isOver`: the try ended meanwhile, so no customer may be led there;
 * undefined: it had ended before. @throws NoOutcome, OutgoingError
 */
async function openPage(
  services: HostedServices,
  storeId: number,
  open: OpenPurchase,
): Promise<{ reference: string; isOver: boolean } | undefined> {
  const transact = transactIn(services, storeId);
  const found = await transact(async ({ trx, store }) => {
    const { rows } = await sql<{ buyer: { email: string; firstName: string; lastName: string; locale: string | null } }>`
      select data -> 'buyer' as buyer from shop_purchases where store_id = ${storeId}::integer and id = ${open.id}::bigint
        and attempt = ${open.attempt}::integer and status = 'CHARGING'`.execute(trx);
    return rows[0] && { buyer: rows[0].buyer, name: store.name };
  });
  if (!found) return undefined;
  const { buyer, name } = found;
  const back = `${linkBase(services.config) ?? ''}/shop/${storeId}/pay?purchase=${open.id}`;
  const { reference } = await services.hostedPages.openPage({
    storeId,
    gateway: open.gateway,
    key: keyOf(storeId, open),
    // Who types the address of another person comes to none of their cards.
    customer: { reference: null, email: buyer.email, name: [buyer.firstName, buyer.lastName].filter(Boolean).join(' ') },
    // What costs nothing at first is paid for by the card later.
    ...(open.total > 0 ? { payment: { amount: open.total, currency: open.currency, what: t`Order at ${name}` } } : {}),
    until: new Date(open.madeAt.getTime() + OPEN_MINUTES * 60_000),
    doneUrl: back,
    leftUrl: `${back}&left=1`,
    language: buyer.locale ?? '',
  });
  const { numUpdatedRows } = await transact(({ trx }) =>
    trx
      .updateTable('shop_purchases')
      .set({ page: reference })
      .where('store_id', '=', storeId)
      .where('id', '=', open.id)
      .where('attempt', '=', open.attempt)
      .where('status', '=', 'CHARGING')
      .executeTakeFirst(),
  );
  return { reference, isOver: numUpdatedRows === 0n };
}

/**
 * How a try to pay stands, written down where it is over. `close`: nothing may come of the page any more, which ends it where it was not
 * paid before. @throws NoOutcome, OutgoingError where the provider does not say
 */
export async function settleHosted(services: HostedServices, storeId: number, open: OpenPurchase, close = false): Promise<Outcome> {
  const { gateway } = open;
  const page = open.page === null ? await openPage(services, storeId, open) : { reference: open.page, isOver: false };
  if (!page) return written(services, storeId, open, { is: 'ENDED' });
  const { reference, isOver } = page;
  const known = { storeId, gateway, key: keyOf(storeId, open), reference };
  const state = await (close || isOver ? services.hostedPages.closePage(known) : services.hostedPages.pageState(known));
  return state.is === 'OPEN' ? state : written(services, storeId, open, state);
}

async function written(
  services: HostedServices,
  storeId: number,
  open: OpenPurchase,
  state: Exclude<PageState, { is: 'OPEN' }>,
): Promise<Settled> {
  const settled = await transactIn(
    services,
    storeId,
  )(context =>
    state.is === 'DONE'
      ? finish({ ...context, source: 'Shopify' }, open, { ok: true, reference: state.payment ?? '' }, state.card)
      : finish({ ...context, source: 'Shopify' }, open, NOT_PAID),
  );
  if (settled.stray) await giveBackStray(services, storeId, open, settled.stray);
  return settled;
}
const NOT_PAID = { ok: false, code: 'CANCELLED_PAYMENT', message: '' } as const;

/** Gives back what was paid for a try that was over. Where the provider does not say that it did, the log is what tells of the money. */
async function giveBackStray({ gateway, log }: HostedServices, storeId: number, open: OpenPurchase, reference: string): Promise<void> {
  const about = { storeId, purchaseId: open.id, attempt: open.attempt, payment: reference };
  log.error(about, 'A payment came in for a purchase that was over; it is given back.');
  const { gateway: by, total: amount, currency } = open;
  const refund = { storeId, key: `${keyOf(storeId, open)}-back`, gateway: by, reference, amount, currency, at: new Date() };
  try {
    const answer = await gateway.refund(refund);
    if (answer !== 'PENDING' && !answer.ok) log.error({ ...about, answer }, 'It could not be given back: do that at the provider.');
  } catch (error) {
    log.error({ ...about, err: error }, 'It is not known whether it was given back: look at the provider.');
  }
}

/**
 * A purchase whose page was never opened, as its process ended before: its customer was led nowhere, so nothing can be paid any more. One
 * whose page was opened meanwhile stays as it is.
 */
export const giveUp = (services: HostedServices, storeId: number, open: OpenPurchase): Promise<unknown> =>
  transactIn(
    services,
    storeId,
  )(async context => {
    await lockCartOf(context, open.id);
    const { rows } = await sql`select 1 from shop_purchases where store_id = ${storeId}::integer and id = ${open.id}::bigint
      and status = 'CHARGING' and attempt = ${open.attempt}::integer and page is null for update`.execute(context.trx);
    return rows.length ? finish({ ...context, source: 'Shopify' }, open, NOT_PAID) : undefined;
  });

/** A purchase that is open, by its number and the try; undefined where it is none. */
export async function openPurchaseOf(
  services: Pick<Services, 'db'>,
  storeId: number,
  { id, attempt, cartId }: { id: number; attempt?: number; cartId?: string | null },
): Promise<OpenPurchase | undefined> {
  const { rows } = await services.db.ownerQuery<OpenPurchase>(
    `select ${OPEN_PURCHASE} from shop_purchases where store_id = $1 and id = $2 and status = 'CHARGING' and gateway <> 'TEST'
      and attempt = coalesce($3, attempt) and cart_id = coalesce($4, cart_id)`,
    [storeId, id, attempt ?? null, cartId ?? null],
  );
  return rows[0];
}
