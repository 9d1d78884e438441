// Every kind of alert. The rows of the specification's list whose matter the product does not keep yet (flows, widgets,
// cancellation reasons) come with that matter.
import type { Check } from './alert-check.ts';
import { integrationDisconnected } from './checks/apps.ts';
import { domainUnverified } from './checks/mail-domains.ts';
import { emailInvalid } from './checks/mail.ts';
import { disputedPayments, overdueOrders, unclearCharges } from './checks/orders.ts';
import { flowFailures } from './checks/flows.ts';
import { expiredMethods, gatewayDisabled, paymentFailureSpike, retriesExhausted } from './checks/payments.ts';
import { inactiveProducts, outOfStock } from './checks/products.ts';
import { plansNoShipping, profileWithoutPlan } from './checks/shipping.ts';
import { collectionSync, planLimit, unmappedPlan } from './checks/set-up.ts';
import { shopNotConnected } from './checks/shop.ts';
import { webhookFailures } from './checks/webhooks.ts';

export const CHECKS: readonly Check[] = [
  overdueOrders,
  unclearCharges,
  disputedPayments,
  gatewayDisabled,
  inactiveProducts,
  expiredMethods,
  paymentFailureSpike,
  planLimit,
  retriesExhausted,
  outOfStock,
  plansNoShipping,
  profileWithoutPlan,
  collectionSync,
  emailInvalid,
  webhookFailures,
  domainUnverified,
  integrationDisconnected,
  shopNotConnected,
  unmappedPlan,
  flowFailures,
];
const BY_KEY = new Map(CHECKS.map(check => [check.key, check]));
export const checkOf = (key: string): Check | undefined => BY_KEY.get(key);
