// A Vendure shop on the database that the environment names, as small as one can be: it prints a line of JSON when it listens. It ends with its input.
'use strict';
// Nothing of the tests is reported to its maker.
process.env.VENDURE_DISABLE_TELEMETRY = 'true';
const { createHash } = require('node:crypto');
const path = require('node:path');
const {
  bootstrap,
  DefaultLogger,
  dummyPaymentHandler,
  LogLevel,
  manualFulfillmentHandler,
  LanguageCode,
  RandomBytesApiKeyStrategy,
} = require('@vendure/core');
const { populateInitialData, importProductsFromCsv } = require('@vendure/core/cli');
const { PerennialPlugin } = require('../../plugins/vendure/index.js');

const { SHOP_DATABASE, SHOP_PORT } = process.env;
/** Keys are looked at with every request: by its usual way, made to be slow, a request takes ten times as long. */
const quick = {
  hash: async text => createHash('sha256').update(text).digest('hex'),
  check: async (text, hash) => (await quick.hash(text)) === hash,
};
const config = {
  apiOptions: { port: Number(SHOP_PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    superadminCredentials: { identifier: 'owner', password: 'owner-password' },
    tokenMethod: ['bearer'],
    adminApiKeyStrategy: new RandomBytesApiKeyStrategy({ hashingStrategy: quick }),
  },
  dbConnectionOptions: { type: 'postgres', url: SHOP_DATABASE, synchronize: true, logging: false },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  shippingOptions: { fulfillmentHandlers: [manualFulfillmentHandler] },
  plugins: [PerennialPlugin],
};

(async () => {
  const app = await bootstrap(config);
  await populateInitialData(app, {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Europe',
    roles: [],
    taxRates: [{ name: 'Standard', percentage: 20 }],
    shippingMethods: [{ name: 'Standard', price: 500 }],
    paymentMethods: [{ name: 'Card', handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] } }],
    countries: [
      { name: 'Germany', code: 'DE', zone: 'Europe' },
      { name: 'United States of America', code: 'US', zone: 'Europe' },
    ],
    collections: [],
  });
  await importProductsFromCsv(app, path.join(__dirname, 'products.csv'), LanguageCode.en);
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
  process.stdin.resume().on('end', () => void app.close().then(() => process.exit(0)));
})().catch(error => {
  console.error(error);
  process.exit(1);
});
