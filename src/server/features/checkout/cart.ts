// Where a checkout link leads: the cart of the store, filled. The platform's own address can hold one selling plan; more go through a page
// of ours that hands them to the cart.
import type { JsonObject } from '../../../contract/types.ts';

export type CheckoutLink = {
  id: number;
  name: string;
  code: string;
  items: { variantId: number; quantity?: number; sellingPlanId?: number | null }[];
  discountCode?: string;
  redirect?: 'CHECKOUT' | 'CART';
  note?: string;
  utmSource?: string;
  utmMedium?: string;
  utmCampaign?: string;
};
/** What is put into the cart, by the platform's own numbers. */
export interface CartItem {
  name: string;
  variantShopifyId: number;
  quantity: number;
  planShopifyId: number | null;
}

const utmOf = ({ utmSource, utmMedium, utmCampaign }: CheckoutLink): [string, string][] =>
  (
    [
      ['utm_source', utmSource],
      ['utm_medium', utmMedium],
      ['utm_campaign', utmCampaign],
    ] as const
  ).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));

/** The address that fills the cart by itself; undefined where products have different plans, or some have one and some have none. */
export function permalink(domain: string, link: CheckoutLink, items: readonly CartItem[]): string | undefined {
  const plans = new Set(items.map(item => item.planShopifyId));
  const [plan = null] = plans;
  if (plans.size > 1) return undefined;
  const url = new URL(`https://${domain}/cart/${items.map(item => `${item.variantShopifyId}:${item.quantity}`).join(',')}`);
  if (plan !== null) url.searchParams.set('selling_plan', String(plan));
  if (link.discountCode) url.searchParams.set('discount', link.discountCode);
  if (link.note) url.searchParams.set('note', link.note);
  if (link.redirect === 'CART') url.searchParams.set('storefront', 'true');
  for (const [name, value] of utmOf(link)) url.searchParams.set(name, value);
  return url.href;
}

/** What the page sends to the cart of the store: names of fields and their values. */
export function cartForm(domain: string, link: CheckoutLink, items: readonly CartItem[]): { action: string; fields: JsonObject } {
  const goal = new URL(`https://${domain}/${link.redirect === 'CART' ? 'cart' : 'checkout'}`);
  for (const [name, value] of utmOf(link)) goal.searchParams.set(name, value);
  const then = `${goal.pathname}${goal.search}`;
  return {
    action: `https://${domain}/cart/add`,
    fields: {
      ...Object.fromEntries(
        items.flatMap((item, i): [string, string][] => [
          [`items[${i}][id]`, String(item.variantShopifyId)],
          [`items[${i}][quantity]`, String(item.quantity)],
          ...(item.planShopifyId === null ? [] : ([[`items[${i}][selling_plan]`, String(item.planShopifyId)]] as [string, string][])),
        ]),
      ),
      ...(link.note ? { note: link.note } : {}),
      return_to: link.discountCode ? `/discount/${encodeURIComponent(link.discountCode)}?redirect=${encodeURIComponent(then)}` : then,
    },
  };
}
