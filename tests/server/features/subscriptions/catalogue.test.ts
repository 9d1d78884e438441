// The lines of the wire for subscriptions, customers and backup methods, as the specification lists them.
import { describe, expect, it } from 'vitest';
import { productDefinitions } from '../../../support/definitions.ts';
import entity from '../../../../schemas/entities/subscription.json' with { type: 'json' };
import order from '../../../../schemas/entities/order.json' with { type: 'json' };

const { calls } = productDefinitions();
const CONTRACT = '/api/merchant/subscriptionContract';
const lineOf = (host: string, method: string, path: string) =>
  Object.values(calls).find(call => call.host === host && call.method === method && call.path === path);

describe('the catalogue', () => {
  it('D054 D081 D082 D083 D298 has every contract call of the main API, with its method', () => {
    const get = [
      'read_by_shopify_id',
      'ordersSchedule',
      'ordersHistory',
      'read_activity_logs',
      'deliveryMethod',
      'availableCustomerAddresses',
      'availablePickupAddresses',
      'available_selling_plans_v2',
      'customerDetails',
      'paymentErrorMessages',
      'prepaidCreditTransactions',
    ];
    const post = [
      'update_billing_details',
      'skipLineItem',
      'prepaidCreditTransactions',
      'chargeNow',
      'skipOrder',
      'unSkipOrder',
      'pauseContract',
      'pause/v2',
      'rescheduleContract',
      'rescheduleOneOrder',
      'resumeContract',
      'cancel',
      'add_line',
      'removeLine',
      'update_custom_attributes',
      'update_shipping',
      'create',
      'updateShippingDetails',
      'updateLocalDeliveryDetails',
      'updateLocalDeliveryAddress',
      'updatePickupDetails',
      'availableDeliveryOptions',
      'updateToShipping',
      'updateToPickup',
      'updateToLocalDelivery',
      'reactivateContract',
      'addDiscount',
    ];
    const missing = [...get.map(path => ['GET', path]), ...post.map(path => ['POST', path])].filter(
      ([method, path]) => !lineOf('main', method as string, `${CONTRACT}/${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('D149 updateLineItemAttributes is a PUT', () => {
    expect(lineOf('main', 'PUT', `${CONTRACT}/updateLineItemAttributes`)).toBeDefined();
  });

  it('D150 the other contract calls go to the app server', () => {
    for (const path of [
      'last_billing_attempt',
      'update_pm',
      'edit_pm',
      'undo_remove_onetime',
      'remove_discount_code',
      'fulfillment_reschedule',
    ])
      expect(lineOf('app', 'POST', `/subscription_contract/${path}`), path).toBeDefined();
    expect(lineOf('app', 'GET', '/subscription_contract/orders_fulfillments')).toBeDefined();
  });

  it('D144 D145 D146 D147 D148 D151 D170 D171 D172 D210 each takes the parameters that are named', () => {
    const takes = (host: string, method: string, path: string) => lineOf(host, method, path)?.in.map(param => param.name) ?? [];
    expect(takes('main', 'GET', `${CONTRACT}/read_by_shopify_id`)).toContain('shopify_id');
    expect(takes('main', 'GET', `${CONTRACT}/deliveryMethod`)).toContain('shopifyId');
    expect(takes('main', 'GET', `${CONTRACT}/availableCustomerAddresses`)).toContain('customerShopifyId');
    expect(takes('main', 'GET', `${CONTRACT}/available_selling_plans_v2`)).toContain('contractId');
    expect(takes('app', 'POST', '/subscription_contract/update_pm')).toContain('customerPaymentMethodId');
    expect(takes('main', 'GET', '/api/merchant/backupPaymentMethod/availablePaymentMethods')).toContain('subscriptionShopifyId');
    expect(takes('app', 'GET', '/customers/read_all')).toContain('query');
    expect(takes('app', 'GET', '/customers/read_by_id')).toContain('id');
    for (const path of ['/customers/update', '/customers/create']) expect(lineOf('app', 'POST', path)?.wrap).toBe('variables');
    for (const path of ['paymentDetails', 'availablePaymentMethods'])
      expect(lineOf('main', 'GET', `/api/merchant/backupPaymentMethod/${path}`)).toBeDefined();
    for (const path of ['switchBackupPaymentMethod', 'removeBackupPaymentMethod'])
      expect(lineOf('main', 'POST', `/api/merchant/backupPaymentMethod/${path}`)).toBeDefined();
    expect(lineOf('main', 'GET', '/api/merchant/customers/all')).toBeDefined();
  });

  it('D053 the states of a subscription, D020 those of an order', () => {
    expect(entity.properties.status.oneOf.map(one => one.title).sort()).toEqual(['Active', 'Cancelled', 'Expired', 'Failed', 'Paused']);
    expect(order.properties.status.oneOf.map(one => one.title).sort()).toEqual(['Failed', 'Paid', 'Processing', 'Scheduled', 'Skipped']);
  });
});
