// A store in which everything that a right may hide is there, each under a mark of its own, and the inputs that the reading calls show it
// by.
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { expiredMethods } from '../../../../src/server/features/alerts/checks/payments.ts';
import { runCheck, scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { runBulk } from '../../../../src/server/features/bulk-actions/bulk-run.ts';
import type { TestServer } from '../../../support/server.ts';
import { bundlesScene } from './bundles-scene.ts';
import { cancellationScene } from './cancellation-scene.ts';
import { giftsScene } from './gifts-scene.ts';
import { offersScene } from './offers-scene.ts';
import { retentionScene } from './retention-scene.ts';
import { widgetsScene } from './widgets-scene.ts';

const never = new AbortController().signal;

/** Fills store 1; answers the input of each call that needs one, or that shows more with one. `reader`: the person who asks. */
export async function setScene(server: TestServer, reader = 1001): Promise<Record<string, JsonObject>> {
  const query = <R = Record<string, any>>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R & object>(text, params).then(({ rows }) => rows);
  const one = async (text: string, params: unknown[] = []): Promise<number> => Number((await query<{ id: number }>(text, params))[0]?.id);
  const must = async (name: string, input: JsonObject): Promise<any> => {
    const answer = await server.call(name, input);
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.data;
  };
  await query(
    `update stores set is_demo = true, billing_plan_id = 4, details = coalesce(details, '{}') || '{"zapiet": {"appInstalled": true, "isIntegrated": true}}' where id = 1`,
  );
  const contract = await one(
    "select id from contracts where store_id = 1 and status = 'ACTIVE' and payment_method_id is not null and exists (select 1 from orders o where o.store_id = 1 and o.contract_id = contracts.id and o.status = 'PAID') order by id limit 1",
  );
  const [about = {}] = await query('select customer_id, shopify_id, payment_method_id from contracts where id = $1', [contract]);
  const { customer_id: customer, shopify_id: shopifyId, payment_method_id: method } = about as Record<string, number>;
  const customerShopifyId = await one('select shopify_id as id from customers where id = $1', [customer]);
  const keptFile = await one(
    "insert into report_exports (store_id, report, status, file_name, requested_by, finished_at, kept_until) select 1, 'order', 'COMPLETED', 'orders.csv', email, now(), now() + interval '7 days' from users where store_id = 1 and id = $1 returning id",
    [reader],
  );
  await query('insert into report_export_pieces (store_id, export_id, no, content) values (1, $1, 0, $2)', [
    keptFile,
    gzipSync('\uFEFFOrder\n1\n'),
  ]);
  const connection = await one(
    "insert into store_connections (store_id, address, api_key, status, error, due_at) values (1, 'https://shop.example', '…abcd', 'NOT_CONNECTED', 'The key is no longer taken.', null) returning id",
  );
  // The customer, their cards, notes and attributes.
  await query(
    "update customers set first_name = 'Zzcustomer', email = 'zzcustomer@example.com', portal_token = 'aabbccddeeff00112233445566778899' where id = $1",
    [customer],
  );
  await query("update contracts set customer_name = 'Zzcustomer Lee', customer_email = 'zzcustomer@example.com' where customer_id = $1", [
    customer,
  ]);
  await query(
    "update payment_methods set last_digits = 'Q7R1', name = 'Zzholder', expiry_month = 4, expiry_year = 2041, brand = 'visa', type = 'CREDIT_CARD', revoked_at = null, inactive = false where customer_id = $1",
    [customer],
  );
  const backup = await one(
    "insert into payment_methods (store_id, shopify_id, customer_id, type, brand, paypal_account_email, gateway_token) values (1, 990001, $1, 'PAYPAL', 'paypal', 'zzpay@example.com', 'tok_success') returning id",
    [customer],
  );
  await query('update orders set note = \'zznote\', custom_attributes = \'[{"key": "a", "value": "zzattr"}]\' where contract_id = $1', [
    contract,
  ]);
  await must('subscription-contract.updateNote', { id: contract, note: 'zznote' });
  await must('subscription-contract.updateCustomAttributes', { id: contract, customAttributes: [{ key: 'a', value: 'zzattr' }] });
  await must('subscription-contract-app.updatePaymentMethod', { id: contract, customerPaymentMethodId: backup });
  await must('subscription-contract-app.updatePaymentMethod', { id: contract, customerPaymentMethodId: method ?? 0 });
  const flow = (
    await must('automations.create', {
      name: 'Zzflow',
      flowType: 'CUSTOM',
      triggers: ['ORDER_PLACED'],
      actions: [{ action: 'UPDATE_TAGS', input: { mode: 'ADD', tags: ['x'] } }],
    })
  ).id as number;
  const flowRun = await one(
    "insert into flow_runs (store_id, flow_id, flow_name, contract_id, event_id, trigger, status, started_at) values (1, $1, 'Zzflow', $2, 1, 'ORDER_PLACED', 'SUCCESS', now()) returning id",
    [flow, contract],
  );
  // A card that expired: an alert, an opportunity.
  const expired = await one(
    "select payment_method_id as id from contracts where store_id = 1 and status = 'ACTIVE' and payment_method_id is not null and customer_id <> $1 order by id desc limit 1",
    [customer],
  );
  await query("update payment_methods set last_digits = 'Q7R1', expiry_month = 3, expiry_year = 2013, name = 'Zzholder' where id = $1", [
    expired,
  ]);
  await server.services.db.inStore(1, async trx => {
    const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    await runCheck(scopeOf(trx, store, new Date(), server.services.definitions.plans), expiredMethods);
  });
  const alert = await one("select id from alerts where store_id = 1 and type_key = 'EXPIRED_METHODS' order by id desc limit 1");
  await query("update alerts set title = 'zzalert' where store_id = 1");
  // Bulk actions that write what is hidden.
  const bulk = async (actionKey: string, input: JsonObject): Promise<number> => {
    const draft = await must('bulk-actions.create', { actionKey, selection: { mode: 'IDS', ids: [contract] }, input });
    await must('bulk-actions.runBulkAction', {
      id: draft.id,
      ...(draft.confirmCount === null ? {} : { confirmCount: draft.confirmCount }),
    });
    await runBulk(server.services, { storeId: 1, bulkId: draft.id }, never);
    return draft.id;
  };
  const movedMethod = (
    await server.services.db.ownerQuery<{ id: number }>(
      `insert into payment_migrations (store_id, provider, customer_id, provider_payment_id, status, reason)
        select 1, 'STRIPE', id, 'pm_scene', 'FAILED', 'STRIPE_RETURNED_NO_PAYMENT_METHOD' from customers where store_id = 1 order by id limit 1 returning id`,
    )
  ).rows[0] as { id: number };
  const moved = await must('subscription-imports.create', { file: { name: 'scene.csv', content: 'external_id\none\n' } });
  await bulk('EXPORT_SUBSCRIPTION', {});
  const noted = await bulk('UPDATE_NOTE', { mode: 'ADD', note: 'zznote bulk' });
  const group = await one("select id from records where store_id = 1 and entity = 'selling-plan-group' order by id limit 1");
  const product = await one('select id from products where store_id = 1 order by id limit 1');
  const variant = await one('select id from variants where store_id = 1 and product_id = $1 order by id limit 1', [product]);
  const collection = await one('select id from collections where store_id = 1 order by id limit 1');
  const log = await one("select id from account_log where store_id = 1 and action = 'subscription.updateNote' order by id desc limit 1");
  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const compared = { startDate: day(30), endDate: day(1), comparisonStartDate: day(60), comparisonEndDate: day(31) };
  const savedView = await must('saved-views.create', { route: 'analytics/reports/order', name: 'Zzview', query: '', isShared: true });
  const ownChart = await must('custom-charts.create', { name: 'Zzchart', type: 'table', metrics: ['revenue'], by: 'plan', isShared: true });
  const id = { id: contract };
  await must('api-keys.generate', { name: 'Zztoken', type: 'ADMIN', scopes: { PRODUCTS: 'READ' } });
  const apiToken = await one("select id from api_tokens where name = 'Zztoken'");
  await must('webhooks.create', { address: 'http://127.0.0.1/zzhook', topics: ['order/placed'] });
  const hook = await one("select id from webhooks where address like '%zzhook'");
  await must('webhooks.sendSample', { id: hook, topic: 'order/placed' });
  const delivery = await one("select id from deliveries where sender = 'webhooks'");
  // An e-mail about it, and a domain to send from.
  const mail = await one(
    "insert into outbox (store_id, template, recipient, subject, text, html, contract_id, sent_at) values (1, 'SUBSCRIPTION_PAUSED', 'zzcustomer@example.com', 'Hi Zzcustomer', 'Hi Zzcustomer', '<p>Hi Zzcustomer</p>', $1, now()) returning id",
    [contract],
  );
  const domain = (await must('email-domains.create', { fromEmail: 'hello@meadow.example.com' })).id as number;
  const planGroup = await one(
    "select id from records where store_id = 1 and entity = 'selling-plan-group' and deleted_at is null order by id",
  );
  const language = await one("select id from records where store_id = 1 and entity = 'store-language'");
  const profile = (
    await must('rest-shipping-profile.create', {
      name: 'Zzprofile',
      isDefault: true,
      zones: [{ name: 'Home', countries: [{ code: 'US' }], rates: [{ name: 'Post', type: 'FLAT', price: '5.00' }] }],
    })
  ).id as number;
  const plan = (await must('billing.request', { planId: 3 })).id as number;
  const role = await one("select id from records where store_id = 1 and entity = 'role' and data->>'systemType' = 'MEMBER'");
  return {
    ...(await cancellationScene(must, one)),
    ...(await offersScene(must, one, contract)),
    ...(await bundlesScene(must, one, contract)),
    ...(await retentionScene(must, one, contract)),
    ...(await widgetsScene(must)),
    ...(await giftsScene(server, must, one)),
    'cancellation-attempts.flow': { subscriptionId: contract },
    'rest-shipping-profile.read': { id: profile },
    'billing.read': { id: plan },
    'email-domains.read': { id: domain },
    'email-templates.versions': { prefKey: 'SUBSCRIPTION_PAUSED' },
    'sent-mails.read': { id: mail },
    'sent-mails.letter': { id: mail },
    'sent-mails.ofSubscription': { subscriptionId: contract },
    'sent-mails.ofCustomer': { customerId: customer ?? 0 },
    'settings.versions': { settingsPage: 'notification-branding' },
    'api-keys.readOne': { id: apiToken },
    'webhooks.read': { id: hook },
    'webhooks.deliveries': { webhookId: hook },
    'webhooks.delivery': { id: delivery },
    'alerts.read': { id: alert },
    'alerts.data': { id: alert },
    'alerts.resolutionStatus': { id: alert },
    'backup-payment-method.paymentDetails': { subscriptionShopifyId: shopifyId ?? 0 },
    'backup-payment-method.available': { subscriptionShopifyId: shopifyId ?? 0 },
    'payment-migrations.read': { id: Number(movedMethod.id) },
    'subscription-imports.read': { id: moved.id },
    'subscription-imports.rows': { importId: moved.id },
    'subscription-imports.resultFile': { importId: moved.id },
    'bulk-actions.read': { id: noted },
    'bulk-actions.failureCounts': { id: noted },
    'bulk-actions.config': { key: 'UPDATE_NOTE' },
    'bulk-actions.getStatus': { id: noted },
    'bulk-actions.progress': { id: noted },
    'conditions.count': { conditions: { match: 'ALL', rows: [] } },
    'automations.read': { id: flow },
    'automations.run': { id: flowRun },
    'automations.dryRun': { subscriptionId: contract, flow: { flowType: 'CUSTOM', actions: [] } },
    'bulk-actions.entityCount': { selection: { mode: 'FILTER', filter: {} } },
    'bulk-actions.validateEntityIds': { ids: [contract] },
    'bulk-actions.preview': {
      actionKey: 'UPDATE_TAGS',
      selection: { mode: 'IDS', ids: [contract] },
      input: { mode: 'ADD', tags: ['new'] },
    },
    'bulk-actions.rows': { id: noted },
    'bulk-actions.events': { id: noted },
    'bulk-actions.resultFile': { id: noted },
    'clock.run': { id: 1 },
    'collections.read': { id: collection },
    'collections.products': { collectionId: collection },
    'collections.seedStatus': { collectionId: collection },
    'collections.syncStatus': { collectionId: collection },
    'customers-app.read': { id: customer ?? 0 },
    'customers-app.orders': { id: customer ?? 0 },
    'customers-app.activity': { id: customer ?? 0 },
    'integrations-texts.fetchGeneralTranslationsByCategory': { category: 'general' },
    'multilingual.fetch_translations': { categoryId: 'general', localeStoreId: 'en' },
    'multilingual.fetch_localized_entity_translations': {
      localeStoreId: 'en',
      localizedEntityType: 'SELLING_PLAN',
      localizedEntityId: String(planGroup),
    },
    'multilingual.recordLanguages': { localizedEntityType: 'SELLING_PLAN', localizedEntityId: String(planGroup) },
    'multilingual.recordVersions': { localeStoreId: 'en', localizedEntityType: 'SELLING_PLAN', localizedEntityId: String(planGroup) },
    'ai-translate.translationStatus': { targetLanguage: 'en' },
    'multilingual.exportFile': { localeStoreId: 'en', format: 'CSV' },
    'texts.exportFile': { format: 'XLIFF' },
    'multilingual.general': { category: 'general' },
    'multilingual.language': { id: language },
    'texts.list': { categoryId: 'general' },
    'translations.storeTranslationsByTranslationKeys': { translationKeys: ['title'] },
    'home.revenue': compared,
    'analytics.pageConfig': { page: 'orders' },
    'analytics.components': { keys: ['orders.earned'] },
    'store-connections.read': { id: connection },
    'widgets.preview': { record: { type: 'PRODUCT' } },
    'gift-widgets.preview': { record: {} },
    'storefront-banners.preview': { record: {} },
    'bundle-branding.preview': { record: {} },
    'bundles.previewPage': { record: {} },
    'analytics.chart': { path: 'orders.earned' },
    'analytics.rows': { path: 'orders.earned', metric: 'revenue' },
    'analytics.chartOf': { path: 'orders.counts' },
    'analytics.generic': { list: 'plans' },
    'custom-charts.read': { id: ownChart.id },
    'custom-charts.figures': { id: ownChart.id },
    'custom-charts.rows': { id: ownChart.id, metric: 'revenue' },
    'custom-charts.draw': { record: { type: 'metrics', metrics: ['revenue'] } },
    'custom-charts.people': { metrics: ['revenue'] },
    'reports.filters': { key: 'order' },
    'reports.read': { key: 'order' },
    'reports.view': { nanoId: savedView.nanoId },
    'reports.data': { key: 'order' },
    'reports.count': { key: 'order' },
    'reports.export': { key: 'order' },
    'reports.exportFile': { id: keptFile },
    'home.movement': compared,
    'logs.accountLog': { id: log },
    'order-tags.fetchByKey': { storeId: 1, entity: 'ORDER', tagKey: 'DELIVERY_DATE' },
    'payments-overview.paymentSummaryInfoForBanner': { ...compared, dataType: 'revenue' },
    'payments.details': { customerId: customer ?? 0 },
    'preferences-app.read': { category: 'DUNNING', type: 'RETRY' },
    'preferences.fetch': { category: 'DUNNING' },
    'preferences.details': { preferenceKey: 'retryAttempts', type: 'RETRY' },
    'selling-plan-groups.read': { lspgId: group },
    'selling-plan-groups.products': { lspgId: group },
    'selling-plan-groups.product': { lspgId: group, productId: product },
    'selling-plan-groups.mappedCollections': { lspgId: group },
    'selling-plan-groups.mappableCollections': { lspgId: group },
    'settings.get': { settingsPage: 'general' },
    'store-products.discount': { variantId: variant, lspgId: group },
    'store-products.status': { productIds: [product] },
    'store-products.read': { id: product },
    'store-products.readVariant': { id: variant },
    'start-up.reportError': { message: 'x' },
    'subscription-contract-app.lastBillingAttempt': id,
    'subscription-contract-app.fulfillments': id,
    'subscription-contract.read': id,
    'subscription-contract.readByShopifyId': { shopify_id: shopifyId ?? 0 },
    'subscription-contract.ordersSchedule': id,
    'subscription-contract.productChoices': id,
    'subscription-contract.ordersHistory': id,
    'subscription-contract.activity': id,
    'subscription-contract.deliveryMethod': { shopifyId: shopifyId ?? 0 },
    'subscription-contract.customerAddresses': { customerShopifyId },
    'subscription-contract.sellingPlans': { contractId: contract },
    'subscription-contract.customerDetails': id,
    'subscription-contract.creationChoices': { customerId: customer ?? 0, variantIds: [variant] },
    'subscription-contract.preview': { id: contract, action: 'updateNote', params: { note: 'new' } },
    'subscription-contract.credits': id,
    'subscription-contract.availableDeliveryOptions': id,
    'third-party-delivery.datesConfig': { contractId: contract, deliveryMethod: 'SHIPPING' },
    'third-party-delivery.timeSlots': { date: day(-3), deliveryMethod: 'SHIPPING' },
    'users.readPermissions': { id: 1003 },
    'roles.read': { id: role },
    'integrations.read': { identifier: 'klaviyo' },
    'integrations.statistics': { identifier: 'klaviyo' },
    'loyalty.account': { subscriptionId: contract },
    'helpdesk.lookUp': { email: 'zzcustomer@example.com' },
    'email-templates.read': { prefKey: 'SUBSCRIPTION_PAUSED' },
    'email-templates-v2.read': { prefKey: 'SUBSCRIPTION_PAUSED' },
    'email-templates.preview': { prefKey: 'SUBSCRIPTION_PAUSED', subscriptionId: contract },
    'bulk-actions.template': {},
  };
}

/** What stands in the scene, and the area without which it is hidden. */
export const MARKS: Record<string, string> = {
  zznote: 'orderNotesAndAttributes',
  zzattr: 'orderNotesAndAttributes',
  Q7R1: 'subscriptionPaymentDetails',
  '2041': 'subscriptionPaymentDetails',
  '2013': 'subscriptionPaymentDetails',
  Zzholder: 'subscriptionPaymentDetails',
  zzpay: 'subscriptionPaymentDetails',
  Zzcustomer: 'subscriptionDetails',
  zzalert: 'alertCentre',
  Zztoken: 'manageApiToken',
  zzhook: 'manageApiToken',
};
