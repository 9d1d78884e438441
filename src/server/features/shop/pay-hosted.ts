// A purchase that is paid on the page of the store's payment provider: the way there, and what came of it. The purchase is written down
// before, and holds its stock while the page is open.
import { t } from '../../../domain/text/t.ts';
import type { PageState } from '../../platform/gateway/hosted-pages.ts';
import type { Services } from '../../platform/services.ts';
import { linkBase, type Transact, transactIn } from '../../engine/index.ts';
import { sql } from 'kysely';
import { finish, keyOf, OPEN_PURCHASE, type OpenPurchase, type Settled } from './pay.ts';

export type HostedServices = Pick<Services, 'db' | 'definitions' | 'config' | 'hostedPages'>;
type Outcome = Settled | { is: 'OPEN'; url: string };

/** A page is open for so long (minutes), the shortest that Stripe takes and a little more. */
const OPEN_MINUTES = 35;

/** The page of a try to pay, opened once however often this is called. @throws NoOutcome, OutgoingError */
async function openPage(services: HostedServices, storeId: number, open: OpenPurchase): Promise<string> {
  const transact = transactIn(services, storeId);
  const { buyer, name } = await transact(async ({ trx, store }) => {
    const { rows } = await sql<{ buyer: { email: string; firstName: string; lastName: string; locale: string | null } }>`
      select data -> 'buyer' as buyer from shop_purchases where store_id = ${storeId}::integer and id = ${open.id}::bigint`.execute(trx);
    return { buyer: rows[0]?.buyer, name: store.name };
  });
  const back = `${linkBase(services.config) ?? ''}/shop/${storeId}/pay?purchase=${open.id}`;
  const { reference } = await services.hostedPages.openPage({
    storeId,
    gateway: open.gateway,
    key: keyOf(storeId, open),
    // Who types the address of another person comes to none of their cards.
    customer: { reference: null, email: buyer?.email ?? '', name: [buyer?.firstName, buyer?.lastName].filter(Boolean).join(' ') },
    // What costs nothing at first is paid for by the card later.
    ...(open.total > 0 ? { payment: { amount: open.total, currency: open.currency, what: t`Order at ${name}` } } : {}),
    until: new Date(open.madeAt.getTime() + OPEN_MINUTES * 60_000),
    doneUrl: back,
    leftUrl: `${back}&left=1`,
    language: buyer?.locale ?? '',
  });
  await transact(({ trx }) =>
    trx
      .updateTable('shop_purchases')
      .set({ page: reference })
      .where('store_id', '=', storeId)
      .where('id', '=', open.id)
      .where('attempt', '=', open.attempt)
      .execute(),
  );
  return reference;
}

/**
 * How a try to pay stands, written down where it is over. `close`: nothing may come of the page any more, which ends it where it was not
 * paid before. @throws NoOutcome, OutgoingError where the provider does not say
 */
export async function settleHosted(services: HostedServices, storeId: number, open: OpenPurchase, close = false): Promise<Outcome> {
  const { gateway } = open;
  const reference = open.page ?? (await openPage(services, storeId, open));
  const known = { storeId, gateway, key: keyOf(storeId, open), reference };
  const state = await (close ? services.hostedPages.closePage(known) : services.hostedPages.pageState(known));
  return state.is === 'OPEN' ? state : written(transactIn(services, storeId), open, state);
}

const written = (transact: Transact, open: OpenPurchase, state: Exclude<PageState, { is: 'OPEN' }>): Promise<Settled> =>
  transact(context =>
    state.is === 'DONE'
      ? finish({ ...context, source: 'Shopify' }, open, { ok: true, reference: state.payment ?? '' }, state.card)
      : finish({ ...context, source: 'Shopify' }, open, { ok: false, code: 'CANCELLED_PAYMENT', message: '' }),
  );

/** A purchase whose page was never opened, as its process ended before: its customer was led nowhere, so nothing can be paid any more. */
export const giveUp = (services: HostedServices, storeId: number, open: OpenPurchase): Promise<Settled> =>
  written(transactIn(services, storeId), open, { is: 'ENDED' });

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
