// What a person without READ of an area may get otherwise from calls of other areas, by area and call: the places in the body, or another status.
import { OF_REPORTS } from './shown-reports.ts';

const OWN: Record<string, Record<string, string[]>> = {
  subscriptionPaymentDetails: {
    'alerts.read': ['data.actions[]', 'data.refusals.startResolution'],
    'alerts.data': ['data[].at', 'data[].label'],
    'customers-app.read': [
      'data.paymentMethods[].expiryMonth',
      'data.paymentMethods[].expiryYear',
      'data.paymentMethods[].lastDigits',
      'data.paymentMethods[].maskedNumber',
      'data.paymentMethods[].name',
      'data.paymentMethods[].paypalAccountEmail',
    ],
    'customers-app.activity': [
      'data[].data.after.lastDigits',
      'data[].data.after.paypalAccountEmail',
      'data[].data.before.lastDigits',
      'data[].data.before.paypalAccountEmail',
    ],
    'logs.accountLog': [
      'data.after.events[]',
      'data.after.events[].data.after',
      'data.after.events[].data.before',
      'data.after.events[].key',
    ],
    'payment-recovery.list': [
      'data[].expiryMonth',
      'data[].expiryYear',
      'data[].lastDigits',
      'data[].paymentMethod.expiry',
      'data[].paymentMethod.lastDigits',
      'data[].paypalAccountEmail',
    ],
    'payment-recovery.export': ['[].Expiry month', '[].Expiry year', '[].Last digits'],
    'subscription-contract.read': [
      'data.paymentMethod.expiryMonth',
      'data.paymentMethod.expiryYear',
      'data.paymentMethod.lastDigits',
      'data.paymentMethod.maskedNumber',
      'data.paymentMethod.name',
      'data.paymentMethod.paypalAccountEmail',
    ],
    'subscription-contract.readByShopifyId': [
      'data.paymentMethod.expiryMonth',
      'data.paymentMethod.expiryYear',
      'data.paymentMethod.lastDigits',
      'data.paymentMethod.maskedNumber',
      'data.paymentMethod.name',
      'data.paymentMethod.paypalAccountEmail',
    ],
    'subscription-contract.activity': [
      'data[].data.after.lastDigits',
      'data[].data.after.paypalAccountEmail',
      'data[].data.before.lastDigits',
      'data[].data.before.paypalAccountEmail',
    ],
    'subscription-contract.creationChoices': ['data.paymentMethods[].detail', 'data.paymentMethods[].title'],
  },
  // What was done to a token names it.
  pricingSettings: { 'logs.accountLogs': ['data[].description'], 'logs.export': ['[].Description'] },
  subscriptionShippingRates: { 'logs.accountLogs': ['data[].description'], 'logs.export': ['[].Description'] },
  manageApiToken: { 'logs.accountLogs': ['data[].description'], 'logs.export': ['[].Description'] },
  // So it is with what was done to experiments, parts of the cancellation flow, profiles of offers, and files of reports.
  ...Object.fromEntries(
    [
      'abExperiment',
      'cancellationFlows',
      'giftProgram',
      'checkoutLinks',
      'growUpgradeProfile',
      'productSwap',
      'quickActionsCampaignActions',
      'quickActionsEventActions',
      'streaks',
      'upsellCheckout',
      'upsellCustomerPortal',
      'viewReports',
    ].map(area => [area, { 'logs.accountLogs': ['data[].description'], 'logs.export': ['[].Description'] }]),
  ),
  // What was done with an import names its file.
  migrateCustomerAndPaymentMethod: {
    'logs.accountLogs': ['data[].description'],
    'logs.export': ['[].Description'],
  },
  // A settings page asks for its own area; what was done to a domain names it.
  notificationSettings: {
    'logs.accountLogs': ['data[].description'],
    'logs.export': ['[].Description'],
    'settings.versions': ['403'],
  },
  orderNotesAndAttributes: {
    'bulk-actions.read': ['data.input.mode', 'data.input.note'],
    'bulk-actions.list': ['data[].input.mode', 'data[].input.note'],
    'bulk-actions.rows': ['data[].after', 'data[].before'],
    'bulk-actions.resultFile': ['[].after', '[].before'],
    'customers-app.orders': [
      'data[].customAttributes[]',
      'data[].customAttributes[].key',
      'data[].customAttributes[].value',
      'data[].note',
    ],
    'gift-subscriptions.ordersHistory': ['data[].customAttributes[]', 'data[].note'],
    'customers-app.activity': [
      'data[].data.after',
      'data[].data.after[]',
      'data[].data.after[].key',
      'data[].data.after[].value',
      'data[].data.before',
      'data[].data.before[]',
    ],
    'logs.accountLog': [
      'data.after.events[]',
      'data.after.events[].data.after',
      'data.after.events[].data.before',
      'data.after.events[].key',
      'data.after.note',
      'data.before.note',
    ],
    'subscription-contract.export': ['[].Note'],
    'subscription-contract.read': [
      'data.customAttributes[]',
      'data.customAttributes[].key',
      'data.customAttributes[].value',
      'data.nextOrderNote',
      'data.note',
    ],
    'subscription-contract.readByShopifyId': [
      'data.customAttributes[]',
      'data.customAttributes[].key',
      'data.customAttributes[].value',
      'data.nextOrderNote',
      'data.note',
    ],
    'subscription-contract.ordersHistory': [
      'data[].customAttributes[]',
      'data[].customAttributes[].key',
      'data[].customAttributes[].value',
      'data[].note',
    ],
    'subscription-contract.activity': [
      'data[].data.after',
      'data[].data.after[]',
      'data[].data.after[].key',
      'data[].data.after[].value',
      'data[].data.before',
      'data[].data.before[]',
    ],
    'subscription-contract.preview': ['403'],
  },
  accessCustomerPortal: {
    'subscription-contract.customerDetails': ['data.portalLink'],
  },
  flowManagement: {
    'logs.accountLogs': ['data[].description'],
    'logs.export': ['[].Description'],
  },
  subscriptionDetails: {
    'alerts.data': ['data[].customerEmail', 'data[].customerName', 'data[].label'],
    'bulk-actions.entityCount': ['403'],
    'email-templates.preview': ['403'],
    'bulk-actions.validateEntityIds': ['403'],
    'bulk-actions.preview': ['403'],
    'automations.dryRun': ['403'],
    'bulk-actions.rows': ['403'],
    'bulk-actions.resultFile': ['403'],
    'logs.accountLogs': ['data[].description'],
    'logs.accountLog': [
      'data.after.events[]',
      'data.after.events[].data.after',
      'data.after.events[].data.before',
      'data.after.events[].key',
      'data.after.note',
      'data.before.note',
      'data.description',
    ],
    'opportunities.expiredMethods': ['data.rows[].customerEmail', 'data.rows[].customerId', 'data.rows[].customerName'],
    'opportunities.longPauses': ['data.rows[].customerEmail', 'data.rows[].customerId', 'data.rows[].customerName'],
    'payment-recovery.list': [
      'data[].customerEmail',
      'data[].customerId',
      'data[].customerName',
      'data[].lastDigits',
      'data[].paymentMethod.lastDigits',
      'data[].paypalAccountEmail',
    ],
    'payment-recovery.export': ['[].Customer', '[].E-mail', '[].Last digits'],
    'logs.export': ['[].Description'],
  },
  bulkActions: {
    'alerts.read': ['data.actions[]', 'data.refusals.startResolution'],
    'logs.accountLogs': ['data[].description'],
    'logs.export': ['[].Description'],
  },
  dunningAnalytics: {
    'home.overview': ['data.inRecovery.count', 'data.inRecovery.value'],
  },
  generalSettings: {
    'settings.get': ['403'],
  },
  alertCentre: {
    'start-up.session': ['data.alertCount'],
  },
  paymentRecovery: {
    'preferences-app.read': ['403'],
    'preferences.fetch': ['403'],
    'preferences.details': ['403'],
  },
};

export const MAY_DIFFER: Record<string, Record<string, string[]>> = Object.fromEntries(
  [...new Set([...Object.keys(OWN), ...Object.keys(OF_REPORTS)])].map(area => [area, { ...OWN[area], ...OF_REPORTS[area] }]),
);
