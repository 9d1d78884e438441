// How a subscription is paid, as its customer reads it: the method, until when a card is good, and what to do after a payment that failed.
import { escapeHtml } from '../../platform/http/public-pages.ts';
import { confirmLink, methodById, nextPlanned, orderToConfirm, portalBase } from '../../engine/index.ts';
import type { Action } from './action.ts';
import { h2, link, offering, p } from './elements.ts';
import { cardOf, type Portal } from './portal.ts';
import { alarm } from '../../platform/http/form-fields.ts';

const OPEN = ['ACTIVE', 'FAILED', 'PAUSED'];

/** What is wrong with the card that pays, or will be by the next order. */
function expiry(portal: Portal): string {
  const { subscription, work, say } = portal;
  const method = methodById(subscription, subscription.contract.payment_method_id);
  if (!method?.expiry_month || !method.expiry_year || !OPEN.includes(subscription.contract.status)) return '';
  const next = nextPlanned(subscription, work.zone)?.billingAt ?? work.at.getTime();
  // A card is good until the end of its month.
  const endsAt = Date.UTC(method.expiry_year, method.expiry_month, 1);
  if (endsAt <= work.at.getTime()) return alarm(say('cardExpired'));
  return endsAt <= next ? alarm(say('cardExpiresSoon')) : p(say('cardExpires'), 'quiet');
}

/** The section of the payment method. */
export function paymentSection(portal: Portal, actions: readonly Action[]): string {
  const { subscription, say } = portal;
  const method = methodById(subscription, subscription.contract.payment_method_id);
  const ways = actions.filter(({ id }) => id === 'PAYMENT' || id === 'CARD');
  if (!method && !OPEN.includes(subscription.contract.status)) return '';
  const named = ways.map(one => (one.id === 'CARD' && !method ? { ...one, label: say('addPaymentMethod') } : one));
  const about = method ? p(cardOf(portal, method)) + expiry(portal) : alarm(say('noPaymentMethod'));
  return h2(say('portalPayment')) + about + offering(say('portalPayment'), named);
}

/** After a payment that failed: why, and what can be done about it, before all else. */
export function unpaidHtml(portal: Portal, actions: readonly Action[]): string {
  const { subscription, context, work, say, speech } = portal;
  const { contract } = subscription;
  if (!OPEN.includes(contract.status) || contract.last_payment_status !== 'FAILED') return '';
  const order = subscription.orders.find(one => one.status === 'FAILED');
  const toConfirm = order && orderToConfirm(subscription, order.id);
  const confirm = toConfirm ? confirmLink(portalBase(context.config), context.store, toConfirm, work.at) : null;
  const again = order?.next_retry_at;
  const values = {
    ...(order ? { order_total: speech.money(order.total, order.currency_code) } : {}),
    retry_date: again ? speech.day(again) : '',
  };
  const ways = actions.filter(({ id }) => id === 'NOW' || id === 'CARD' || id === 'PAYMENT');
  const what = say(again ? 'paymentFailedText' : 'paymentFailedLast', values);
  return (
    `<div class="refused" role="alert"><p><strong>${escapeHtml(say('paymentFailedTitle'))}</strong></p>` +
    `${p(confirm ? say('authenticationNeeded') : what)}</div>` +
    (confirm ? `<nav>${link(confirm, say('authenticate'))}</nav>` : '') +
    offering(say('portalPayment'), ways)
  );
}
