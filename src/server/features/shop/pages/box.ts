// The page on which shoppers fill a box. Its form says what it costs, and puts it into the cart; a box that is there is changed here too.
import { t } from '../../../../domain/text/t.ts';
import type { PageRequest } from '../../../platform/http/page-request.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { piecesOf } from '../../../../domain/bundles/published-box.ts';
import { boxNamed, boxTitle, chosenBefore, fillingIn, ownNumbers, planIn, sizeIn, type Chosen, type OpenBox } from '../boxes.ts';
import { newTransaction } from '../bundles.ts';
import { keepCart, readCart, withBundles, type Cart, type CartBundle } from '../cart.ts';
import { boxFaultWords, boxHtml } from '../html/box.ts';
import { frame, notice, nothingSold } from '../html/layout.ts';
import { ASKS, CART_COOKIE, inShop, SHOP_PATH, type Shop } from '../shop.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

/** A field for each variant: a box holds so many at most. */
const FIELDS = 2100;

interface Shown {
  instead: string;
  isPressed?: boolean;
  status?: number;
  above?: string;
}

const show = (
  shop: Shop,
  open: OpenBox,
  chosen: Chosen,
  cart: Cart,
  { instead, isPressed = false, status = 200, above = '' }: Shown,
): PageAnswer =>
  frame(shop, {
    title: boxTitle(open),
    html: above + boxHtml(shop, { open, chosen, instead, isPressed }),
    status,
    cart: cart.data,
    isScripted: true,
    here: `/boxes/${open.box.id}`,
  });

const bundleIn = ({ data }: Cart, { bundle }: OpenBox, id: string | undefined): CartBundle | undefined =>
  data.bundles?.find(one => one.id === id && one.bundleId === bundle.id);

async function look(shop: Shop, { params, query }: PageRequest): Promise<PageAnswer> {
  const open = await boxNamed(shop, params.box ?? '');
  if (!open) return nothingSold(shop);
  const cart = await readCart(shop);
  const before = bundleIn(cart, open, query.instead);
  const chosen: Chosen = before
    ? await chosenBefore(shop, open, before)
    : {
        // "?selectedVariants=1,2,3": one piece of each.
        filling: new Map(
          (query.selectedVariants ?? '').split(',').flatMap(id => (/^\d{1,15}$/.test(id) ? [[Number(id), 1] as const] : [])),
        ),
        sizeId: sizeIn(open, undefined),
        plan: planIn(open, undefined),
      };
  return show(shop, open, chosen, cart, {
    instead: before?.id ?? '',
    above: query.notice === 'added' ? notice(t`It is in your cart.`) : '',
  });
}

async function press(shop: Shop, { params, form }: PageRequest): Promise<PageAnswer> {
  const open = await boxNamed(shop, params.box ?? '');
  if (!open) return { redirect: shop.to('/cart', { notice: 'gone' }) };
  const cart = await readCart(shop, true);
  const before = bundleIn(cart, open, form.instead);
  const chosen: Chosen = {
    filling: fillingIn(form),
    sizeId: sizeIn(open, form.size),
    // The platform's cart takes the plan with each product.
    plan: planIn(open, form.selling_plan ?? form['items[0][selling_plan]']),
  };
  const instead = before?.id ?? '';
  if (form.do === 'look') return show(shop, open, chosen, cart, { instead, isPressed: true });
  if (boxFaultWords(open, chosen).length) return show(shop, open, chosen, cart, { instead, isPressed: true, status: 422 });
  return add(shop, open, chosen, cart, before);
}

async function add(shop: Shop, open: OpenBox, chosen: Chosen, cart: Cart, before: CartBundle | undefined): Promise<PageAnswer> {
  const { box, bundle } = open;
  const pieces = piecesOf(box, chosen.filling);
  const own = await ownNumbers(
    shop,
    pieces.map(one => one.variantId),
  );
  const added: CartBundle = {
    id: before?.id ?? newTransaction(),
    bundleId: bundle.id,
    items: pieces.map(({ variantId, quantity }) => ({ variantId: own.get(variantId) ?? 0, quantity })),
    ...(chosen.sizeId === undefined ? {} : { boxSizeId: chosen.sizeId }),
    planId: chosen.plan?.plan.lspId ?? null,
    quantity: 1,
  };
  const bundles = before ? (cart.data.bundles ?? []).map(one => (one.id === before.id ? added : one)) : withBundles(cart.data, [added]);
  if (!bundles)
    return show(shop, open, chosen, cart, {
      instead: '',
      status: 409,
      above: alarm(t`The cart can't hold more of this: it takes 20 products, 99 pieces of each.`),
    });
  const cookie = await keepCart(shop, cart, { ...cart.data, bundles });
  return { redirect: before ? shop.to('/cart', { notice: 'changed' }) : goalOf(shop, open), ...(cookie ? { cookie } : {}) };
}

/** Where a page leads once the box is in the cart. Another page of the merchant's is one of a real shop: here the cart takes its place. */
function goalOf(shop: Shop, { box }: OpenBox): string {
  if (box.goal.to === 'CHECKOUT') return shop.to('/checkout');
  return box.goal.to === 'STAY' ? shop.to(`/boxes/${box.id}`, { notice: 'added' }) : shop.to('/cart', { notice: 'added' });
}

export const box: PublicPage = {
  path: `${SHOP_PATH}/boxes/:box`,
  secret: null,
  asks: [...ASKS, 'instead', 'selectedVariants', 'notice'],
  fields: FIELDS,
  cookie: CART_COOKIE,
  get: (services, request) => inShop(services, request, shop => look(shop, request)),
  post: (services, request) => inShop(services, request, shop => press(shop, request)),
};
