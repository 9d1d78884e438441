// The e-mail for a failed payment, written anew in German with a variable: previewed on a subscription whose payment failed, and sent when
// the clock moves past a charge that fails.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
const query = (text: string, params: unknown[] = []) =>
  server.services.db.ownerQuery<Record<string, any>>(text, params).then(({ rows }) => rows); // any: rows of the database
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 120, stores: 1 }, jobs: true });
});
afterAll(() => server?.close());

it('is previewed with the payment that failed, and sent in these words at the next failure', async () => {
  const prefKey = 'PAYMENT_FAILED_WITH_RETRIES';
  const { data: template } = await server.call('email-templates.read', { prefKey });
  expect(template.previewOf).toEqual({ lastPaymentStatus: ['FAILED'] });
  const [order] = await query(
    `select o.contract_id, o.total, c.customer_name from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
      where o.store_id = 1 and o.error_code is not null order by o.id desc limit 1`,
  );
  expect(order).toBeDefined();
  const words = {
    subject: 'Zahlung über {{ amount }} fehlgeschlagen',
    body: 'Guten Tag {{ customer.name }},\n\nwir konnten {{ amount }} nicht einziehen. {% if retryOn %}Nächster Versuch: {{ retryOn }}.{% endif %}\n\n{{ store.name }}',
  };
  const shown = await server.call('email-templates.preview', { prefKey, subscriptionId: order!.contract_id, ...words });
  const amount = (Number(order!.total) / 100).toFixed(2);
  expect(shown.data.problems).toEqual([]);
  expect(shown.data.subject).toContain(amount);
  expect(shown.data.html).toContain(String(order!.customer_name));
  expect((await server.call('email-templates.save', { prefKey, ...words })).status).toBe(200);

  // The clock moves past charges; the next ones to be declined are told in these words.
  const run = await server.call('clock.advance', { days: 45 });
  expect(run.status).toBe(200);
  await expect
    .poll(async () => (await query("select subject, text from outbox where template = $1 and text like 'Guten Tag%'", [prefKey])).length, {
      timeout: 90_000,
      interval: 500,
    })
    .toBeGreaterThan(0);
  const [mail] = await query("select subject, text from outbox where template = $1 and text like 'Guten Tag%' limit 1", [prefKey]);
  expect(mail!.subject).toMatch(/^Zahlung über \S+ fehlgeschlagen$/);
  expect(mail!.text).toMatch(/wir konnten \S+ nicht einziehen\./);
}, 120_000);
