// The page where customers ask for the link to their portal: the link comes by e-mail, and the page says to no one who is a customer.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { merchantToken } from '../../../../src/server/engine/portal-link.ts';
import { MAX_PER_EMAIL } from '../../../../src/server/platform/auth/attempts.ts';
import { customerBrowser } from '../../../support/customer-browser.ts';
import { oneEngine } from '../../../support/database.ts';
import { serverWithGoods } from '../subscriptions/goods-server.ts';

const PAGE = '/portal/1';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(oneEngine)('signing in to the customer portal on %s', engine => {
  const at = serverWithGoods({ engine, seed: { contracts: 6, stores: 2 } });
  const { open } = customerBrowser(() => at.server.app);
  const ask = (email: string, page = PAGE, from = '203.0.113.1') =>
    at.server.app.inject({
      method: 'POST',
      url: page,
      headers: { ...FORM, 'accept-language': 'en' },
      remoteAddress: from,
      payload: new URLSearchParams({ email }).toString(),
    });
  const mailsTo = async (email: string): Promise<{ text: string; subject: string }[]> => {
    await at.server.services.idle();
    const { rows } = await at.server.services.db.ownerQuery<{ text: string; subject: string }>(
      `select text, subject from outbox where lower(recipient) = lower($1) and template = 'CUSTOMER_PORTAL_LINK' order by id`,
      [email],
    );
    return rows;
  };
  const emailOf = async (customerId: number): Promise<string> => {
    const { rows } = await at.server.services.db.ownerQuery<{ email: string }>('select email from customers where id = $1', [customerId]);
    return rows[0]?.email ?? '';
  };
  const set = async (settingsPage: string, over: JsonObject): Promise<void> => {
    await at.ok('settings.set', { ...(await at.ok('settings.get', { settingsPage })), ...over, settingsPage });
  };

  it('D225 who enters their address gets a link by e-mail, and it opens their subscription', async () => {
    const made = await at.make();
    const email = await emailOf(made.customerId);
    const page = await open(PAGE);
    expect([page.statusCode, page.headers['content-security-policy']]).toEqual([200, expect.stringMatching(/^default-src 'none'/)]);
    expect(page.body).toContain('autocomplete="email"');
    expect((await ask(`  ${email.toUpperCase()} `)).body).toContain('a link is on its way');
    const [mail] = await mailsTo(email);
    const link = new URL(/https?:\/\/\S+merchantToken=[0-9a-f]{32}/.exec(mail?.text ?? '')?.[0] ?? 'none:');
    expect((await open(link.pathname + link.search)).body).toContain('Goods plain');
  });

  it('answers the same for addresses that are known, unknown, erased and of another store, and writes to none of these', async () => {
    const made = await at.make();
    const known = await emailOf(made.customerId);
    const { rows } = await at.server.services.db.ownerQuery<{ email: string }>(`select c.email from customers c where c.store_id = 2
      and not exists (select from customers o where o.store_id = 1 and lower(o.email) = lower(c.email)) limit 1`);
    const elsewhere = rows[0]?.email ?? '';
    const answers = [];
    for (const email of [known, 'unknown@example.com', 'customer-1@erased.invalid', elsewhere]) {
      const { statusCode, body } = await ask(email, PAGE, '203.0.113.2');
      answers.push([statusCode, body.replaceAll(email, 'EMAIL')]);
    }
    expect(new Set(answers.map(one => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]?.[0]).toBe(200);
    for (const email of ['unknown@example.com', 'customer-1@erased.invalid', elsewhere]) expect(await mailsTo(email)).toEqual([]);
  });

  it('refuses what is no address, as it was typed', async () => {
    const { statusCode, body } = await ask('"><img src=x>', PAGE, '203.0.113.3');
    expect([statusCode, body.includes('<img')]).toEqual([422, false]);
    expect(body).toContain('aria-invalid="true"');
  });

  it('ends with a sentence after some tries for one address or from one network, whether it is known or not', async () => {
    for (let i = 0; i < MAX_PER_EMAIL; i++) expect((await ask('often@example.com', PAGE, `203.0.113.${20 + i}`)).statusCode).toBe(200);
    const refused = await ask('often@example.com', PAGE, '203.0.113.40');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(refused.headers['content-type']).toContain('text/html');
    const codes: number[] = [];
    for (let i = 0; i < 32; i++) codes.push((await ask(`person-${i}@example.com`, PAGE, '203.0.113.50')).statusCode);
    expect([codes.slice(0, 30).every(code => code === 200), codes.at(-1)]).toEqual([true, 429]);
    // The team's own door counts apart.
    expect((await at.server.call('sign-in.requestLink', { email: 'owner@example.com' })).status).not.toBe(429);
  });

  it('an old link leads to the page; a portal that is off, and a store that is not there, have none', async () => {
    const made = await at.make();
    const { rows } = await at.server.services.db.ownerQuery<any>('select id, portal_token from customers where id = $1', [made.customerId]);
    const old = merchantToken(rows[0], new Date(Date.now() - 30 * 86_400_000));
    const page = await open(`/a/loop_subscriptions/customer/${made.customerId}/subscription/${made.id}?merchantToken=${old}`);
    expect([page.statusCode, page.body.includes(`href="${PAGE}"`)]).toEqual([410, true]);
    for (const wrong of ['/portal/999', '/portal/01', '/portal/x']) expect((await open(wrong)).statusCode, wrong).toBe(404);
    await set('portal-accessibility', { isOn: false });
    expect([(await open(PAGE)).statusCode, (await ask('often2@example.com')).statusCode]).toEqual([404, 404]);
    expect((await open(PAGE)).body).toContain('This page is closed.');
  });
});
