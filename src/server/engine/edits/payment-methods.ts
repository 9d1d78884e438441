// Payment methods of a contract: switching, the backup, asking the customer for a new one, and what the
// admin may see of them (never card data).
import { invalid, invalidState } from '../../platform/context.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { isUsable, methodById, methodStatus, orderById, plannedFrom, type Aggregate, type Moment } from '../aggregate.ts';
import { mailPortalLink, mailUpdateMethod } from '../mails.ts';
import { placeOrder, type PendingCharge } from '../charging/place-order.ts';
import { isGift } from '../gifts/gift.ts';
import { mustHavePortal, portalLink, validFor } from '../portal-link.ts';
import type { ContractRow, MethodRow } from '../rows.ts';
import { dunningOf } from '../status.ts';
import { type UnitOfWork } from '../unit-of-work.ts';
import { loadCustomer } from '../customer.ts';
import { t } from '../../../domain/text/t.ts';

const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);

/** A saved method of the contract's own customer that can be charged. */
function own(work: UnitOfWork, subscription: Aggregate, id: number, pointer: string): MethodRow {
  const method = methodById(subscription, id);
  if (!method) throw refuse(pointer, 'CUSTOMER_MISMATCH', t`This payment method belongs to another customer.`);
  if (!isUsable(method, work))
    throw refuse(
      pointer,
      'INVALID_PAYMENT_METHOD',
      methodStatus(method, work) === 'EXPIRED' ? t`This payment method has expired.` : t`This payment method was revoked.`,
    );
  return method;
}

/**
 * Switches the contract to another saved method (D151). An order in recovery is tried again at once if the store wants that: the answer is
 * then the charge to take through the gateway.
 */
export function updateMethod(
  work: UnitOfWork,
  subscription: Aggregate,
  { customerPaymentMethodId }: { customerPaymentMethodId: number },
): PendingCharge | null {
  const method = own(work, subscription, customerPaymentMethodId, '/customerPaymentMethodId');
  const { contract } = subscription;
  if (contract.payment_method_id === method.id) throw invalidState(t`This subscription is paid with that method already.`);
  const before = methodById(subscription, contract.payment_method_id);
  contract.payment_method_id = method.id;
  if (contract.backup_payment_method_id === method.id) {
    contract.backup_payment_method_id = null;
    work.note(subscription, 'backup_payment_method_removed', { paymentMethodId: method.id, because: 'NOW_PRIMARY' });
  }
  work.note(subscription, 'payment_method_changed', { before: before ? brief(before) : null, after: brief(method) });
  return retryWithNewMethod(work, subscription);
}

/** An order in recovery is tried again at once with the contract's new method, if the store wants that. */
export function retryWithNewMethod(work: UnitOfWork, subscription: Aggregate): PendingCharge | null {
  const open = dunningOf(subscription);
  const order = open?.state === 'IN_RECOVERY' ? orderById(subscription, open.orderId) : undefined;
  // While another order of it is being charged, this one keeps the retry that is planned.
  if (subscription.orders.some(other => other.status === 'PROCESSING')) return null;
  if (!work.settings.dunning.retryOnCardUpdate || !order || order.status !== 'FAILED' || subscription.contract.status !== 'ACTIVE')
    return null;
  return placeOrder(work, subscription, plannedFrom(order), 'CARD_UPDATE');
}

/**
 * Asks the customer by e-mail for a new method: by the link to a portal of the installation's own, which takes cards, or to write to the
 * store. Card data never come here.
 */
export async function requestUpdate(work: UnitOfWork, subscription: Aggregate): Promise<void> {
  if (!subscription.contract.customer_email) throw invalidState(t`The customer has no e-mail address.`);
  const customer = await loadCustomer(work, subscription.contract.customer_id);
  const { portalUrl } = work.context.config;
  const link = customer && portalUrl !== undefined ? portalLink(work.context.config, customer, subscription.contract.id, work.at) : null;
  work.note(subscription, 'payment_method_update_requested', {
    email: subscription.contract.customer_email,
    paymentMethodId: subscription.contract.payment_method_id,
  });
  mailUpdateMethod(work, subscription, link, await validFor(work.context));
}

/** Sends the customer the link to their own page. @throws Refusal 409 where there is none */
export async function sendPortalLink(work: UnitOfWork, subscription: Aggregate): Promise<void> {
  await mustHavePortal(work.context);
  if (isGift(subscription.contract)) throw invalidState(t`This is a gift, which is not on the customer's own page.`);
  if (!subscription.contract.customer_email) throw invalidState(t`The customer has no e-mail address.`);
  const customer = await loadCustomer(work, subscription.contract.customer_id);
  const link = customer && portalLink(work.context.config, customer, subscription.contract.id, work.at);
  if (!link) throw invalidState(t`The customer has no portal access yet, so there is no link to send.`);
  work.note(subscription, 'customer_portal_link_created', { email: subscription.contract.customer_email });
  mailPortalLink(work, subscription, link, await validFor(work.context));
}

/** Sets or changes the backup; it differs from the primary method. */
export function switchBackup(work: UnitOfWork, subscription: Aggregate, { paymentMethodId }: { paymentMethodId: number }): void {
  const method = own(work, subscription, paymentMethodId, '/paymentMethodId');
  if (method.id === subscription.contract.payment_method_id)
    throw refuse('/paymentMethodId', 'same', t`Choose another method than the primary one.`);
  const before = methodById(subscription, subscription.contract.backup_payment_method_id);
  if (before?.id === method.id) return;
  subscription.contract.backup_payment_method_id = method.id;
  work.note(subscription, before ? 'backup_payment_method_changed' : 'backup_payment_method_created', {
    before: before ? brief(before) : null,
    after: brief(method),
  });
}

export function removeBackup(work: UnitOfWork, subscription: Aggregate): void {
  const before = methodById(subscription, subscription.contract.backup_payment_method_id);
  if (subscription.contract.backup_payment_method_id === null) throw invalidState(t`This subscription has no backup payment method.`);
  subscription.contract.backup_payment_method_id = null;
  work.note(subscription, 'backup_payment_method_removed', { before: before ? brief(before) : null });
}

/** A method as entries of the log name it. */
export const brief = (method: MethodRow): JsonObject => ({
  paymentMethodId: method.id,
  brand: method.brand,
  lastDigits: method.last_digits,
  ...(method.paypal_account_email ? { paypalAccountEmail: method.paypal_account_email } : {}),
});

/** A method as the admin sees it. `usedByActive`: ids of methods that an active contract uses. */
export function wireMethod(
  method: MethodRow,
  moment: Moment,
  contract?: Pick<ContractRow, 'payment_method_id' | 'backup_payment_method_id'>,
  usedByActive?: ReadonlySet<number>,
): JsonObject {
  const status = methodStatus(method, moment);
  return {
    id: method.id,
    shopifyId: method.shopify_id,
    customerId: method.customer_id,
    type: method.type,
    brand: method.brand,
    lastDigits: method.last_digits,
    maskedNumber: method.last_digits ? `•••• ${method.last_digits}` : method.paypal_account_email,
    name: method.name,
    expiryMonth: method.expiry_month,
    expiryYear: method.expiry_year,
    expiresSoon: status === 'EXPIRING',
    paypalAccountEmail: method.paypal_account_email,
    inactive: method.inactive,
    status,
    role: contract?.payment_method_id === method.id ? 'PRIMARY' : contract?.backup_payment_method_id === method.id ? 'BACKUP' : 'OTHER',
    isRevocable: !method.revoked_at && !(usedByActive?.has(method.id) ?? false),
    revokedAt: method.revoked_at?.toISOString() ?? null,
    revokedReason: method.revoked_reason,
    createdAt: method.created_at.toISOString(),
  };
}
