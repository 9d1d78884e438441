// Flows to begin with: complete, off, and to be changed by the person who made one of them.
import type { JsonObject } from '../../../contract/types.ts';

export type TemplateKey = 'GIFT_THIRD_ORDER' | 'LOYALTY_DISCOUNT' | 'FAILED_PAYMENT_TAG' | 'PAUSE_AFTER_SKIPS';

const condition = (conditionKey: string, operator: string, value: number): JsonObject => ({
  match: 'ALL',
  rows: [{ conditionKey, operator, value }],
});

const does = (action: string, input: JsonObject): JsonObject => ({ action, input });

/** A template as a flow; `variantId` is the gift where it has one. Order 2 was placed: what is added is in order 3. */
export const TEMPLATES: Record<TemplateKey, (variantId: number) => JsonObject> = {
  GIFT_THIRD_ORDER: variantId => ({
    name: 'Gift with the third order',
    flowType: 'CUSTOM',
    triggers: ['ORDER_PLACED'],
    conditions: condition('ORDER_NUMBER', 'EQ', 2),
    actions: [
      does('ADD_PRODUCT', { variantId, quantity: 1, type: 'ONE_TIME', discountType: 'PERCENTAGE', discountValue: '100' }),
      does('UPDATE_NOTE', { mode: 'ADD', note: 'Third order: put in a card that says thank you.' }),
      does('UPDATE_TAGS', { mode: 'ADD', tags: ['third-order-gift'] }),
    ],
    runOncePerSubscription: true,
  }),
  LOYALTY_DISCOUNT: () => ({
    name: 'Discount after six orders',
    flowType: 'CUSTOM',
    triggers: ['ORDER_PLACED'],
    conditions: condition('ORDER_NUMBER', 'EQ', 6),
    actions: [
      does('ADD_DISCOUNT', {
        kind: 'MANUAL',
        title: 'Thank you for six orders',
        type: 'PERCENTAGE',
        value: '10',
        targetType: 'LINE_ITEM',
        orderLimit: 3,
      }),
    ],
    runOncePerSubscription: true,
  }),
  FAILED_PAYMENT_TAG: () => ({
    name: 'Mark failed payments',
    flowType: 'CUSTOM',
    triggers: ['PAYMENT_FAILED'],
    actions: [does('UPDATE_TAGS', { mode: 'ADD', tags: ['payment-failed'] })],
    runOncePerSubscription: false,
  }),
  PAUSE_AFTER_SKIPS: () => ({
    name: 'Pause customers who always skip',
    flowType: 'CUSTOM',
    triggers: ['ORDER_PLACED', 'PRODUCTS_MODIFIED'],
    conditions: condition('SKIP_COUNT', 'GTE', 3),
    actions: [does('PAUSE_SUBSCRIPTION', { until: 'DURATION', intervalCount: 2, intervalType: 'MONTH', notify: true })],
    runOncePerSubscription: false,
  }),
};
