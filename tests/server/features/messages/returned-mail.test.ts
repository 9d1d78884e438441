// What follows from an e-mail that its reader does not want, or that could not be delivered: as mail programs and mail servers say it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { severityOf } from '../../../../src/domain/messages/mail-report.ts';
import { mailToken } from '../../../../src/server/platform/mail/mail-token.ts';
import { smtpTransport, type MailTransport } from '../../../../src/server/platform/mail/mail-transport.ts';
import { enqueueMail, sendDueMail } from '../../../../src/server/platform/mail/outbox.ts';
import { SOFT_IN_A_ROW } from '../../../../src/server/platform/mail/returned.ts';
import { UNSUBSCRIBE_WORDS } from '../../../../src/server/platform/mail/unsubscribe.ts';
import { mailServer } from '../../../support/mail-server.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const KEY = 'a key that is long enough'.replaceAll(' ', '-');
const REPORTS = ['exim-no-such-user', 'exim-mailbox-full', 'rfc3464-several', 'rfc3464-delayed', 'rfc5965-abuse'] as const;
/** Reports of real servers and of the standards, about an e-mail of ours. */
const report = (name: (typeof REPORTS)[number], token: string, recipient = ''): string =>
  readFileSync(new URL(`reports/${name}.eml`, import.meta.url), 'utf8')
    .replaceAll('TOKEN', token)
    .replaceAll('RECIPIENT', recipient);

describe('e-mails that are unwanted or come back', () => {
  let server: TestServer;
  let goods: Goods;
  let post: Awaited<ReturnType<typeof mailServer>>;
  let transport: MailTransport;
  let made: Made;
  let customer: { id: number; email: string };
  const query = (text: string, params: unknown[] = []) =>
    server.services.db.ownerQuery<Record<string, any>>(text, params).then(({ rows }) => rows); // any: rows of the database
  const put = async (template: string, to = customer.email, more: { language?: string; contractId?: number } = {}): Promise<number> => {
    await server.services.db.inStore(1, trx =>
      enqueueMail(trx, 1, { template, to, subject: template, text: 'Hello', html: '<p>Hello</p>', ...more }, new Date()),
    );
    return (await query('select max(id) as id from outbox'))[0]!.id as number;
  };
  const leave = (): Promise<number> => {
    const { db, log, definitions, secrets } = server.services;
    const returnAddress = 'bounces@mail.perennial.example';
    return sendDueMail(db, transport, log, { definitions, secrets, base: 'https://admin.example', isTracked: false, returnAddress });
  };
  const tokenOf = async (id: number, purpose: 'return' | 'choice' = 'return'): Promise<string> =>
    mailToken((await query('select link_secret from stores where id = 1'))[0]!.link_secret, purpose, { storeId: 1, id });
  const hand = (body: string, { key = KEY, to = '', type = 'message/rfc822' } = {}) =>
    fetch(`${server.url}/in/mail?to=${encodeURIComponent(to)}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${key}` },
      body,
    });
  const outcome = async (answer: Promise<Response>): Promise<unknown> => ((await (await answer).json()) as JsonObject).outcome;
  const press = (path: string, body: BodyInit = 'List-Unsubscribe=One-Click', type?: string) =>
    fetch(server.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: body instanceof FormData ? {} : { 'content-type': type ?? 'application/x-www-form-urlencoded' },
      body,
    });
  const mail = async (id: number) => (await server.call('sent-mails.read', { id })).data as JsonObject;
  const blocks = async () => query('select address, reason, detail from mail_blocks order by id');
  const activity = async () =>
    (await query('select key from events where contract_id = $1 order by id', [made.id])).map(({ key }) => key as string);
  beforeAll(async () => {
    server = await startTestServer({
      engine: 'postgres',
      config: { bounceKey: KEY, bounceAddress: 'bounces@mail.perennial.example', publicUrl: 'https://admin.example' },
    });
    goods = await stockGoods(server);
    post = await mailServer();
    transport = smtpTransport(post.url, 'Perennial <no-reply@mail.perennial.example>');
  });
  afterAll(async () => {
    transport?.close();
    await post?.close();
    await server?.close();
  });
  beforeEach(async () => {
    await query('delete from mail_blocks');
    made = await makeContract(server, goods);
    await query('delete from outbox');
    post.letters.length = 0;
    const [row] = await query(
      'select k.id, k.email from contracts c join customers k on k.store_id = 1 and k.id = c.customer_id where c.id = $1',
      [made.id],
    );
    customer = row as typeof customer;
  });

  it('of all messages those that their reader can end, and no others, carry the link that ends them; all come back to an address of their own', async () => {
    const kinds = Object.values(server.services.definitions.messages);
    for (const { key } of kinds) await put(key, `${key.toLowerCase()}@mail.example`);
    await leave();
    expect(post.letters).toHaveLength(kinds.length);
    const ids = new Set<string>();
    for (const { key, purpose, audience, ends } of kinds) {
      const letter = post.letters.find(({ to }) => to === `${key.toLowerCase()}@mail.example`)!;
      const text = letter.text.replace(/=\n/g, '').replace(/\n[ \t]+/g, ' ');
      const path = purpose === 'advertising' ? '/mail/unsubscribe/' : ends === 'chart' ? '/mail/end-chart/' : undefined;
      const link = /^List-Unsubscribe: <https:\/\/admin\.example(\/mail\/[a-z-]+\/)[\w.-]+>$/m.exec(text)?.[1];
      const isPressed = text.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
      expect([key, link, isPressed]).toEqual([key, path, path !== undefined]);
      // Twice in the letter itself, once in each part.
      const links = text.split(/\/mail\/(?:unsubscribe|end-chart)\//).length - 1;
      expect([key, links]).toEqual([key, path ? 3 : 0]);
      // Who gives or gets a gift has no page of subscriptions; everybody else is led to theirs, in each part.
      const hasPage = audience === 'customer' && purpose === 'contract' && !key.startsWith('GIFT_');
      expect([key, text.split('https://admin.example/portal/1').length - 1]).toEqual([key, hasPage ? 2 : 0]);
      ids.add(letter.from);
      expect(letter.from).toMatch(/^bounces\+1-\d+\.[0-9a-f]{20}@mail\.perennial\.example$/);
    }
    expect(ids.size).toBe(kinds.length);
  });

  it('D225 no letter leads to the pages of customers while they are off', async () => {
    await server.call('settings.set', { settingsPage: 'portal-accessibility', isOn: false });
    await put('ORDER_SKIPPED');
    await leave();
    await server.call('settings.set', { settingsPage: 'portal-accessibility', isOn: true });
    await put('ORDER_SKIPPED');
    await leave();
    expect(post.letters.map(({ text }) => text.includes('/portal/1'))).toEqual([false, true]);
  });

  it('one press of a mail program ends advertising, without a question, however often; messages about the contract still arrive', async () => {
    const id = await put('REWARD_ADDED', customer.email, { language: 'de' });
    const path = `/mail/unsubscribe/${await tokenOf(id, 'choice')}`;
    const first = await fetch(server.url + path, { redirect: 'manual' });
    const looked = await fetch(server.url + first.headers.get('location')!, {
      headers: { cookie: first.headers.get('set-cookie')!.split(';')[0]! },
    });
    const page = await looked.text();
    expect([looked.status, await blocks()]).toEqual([200, []]);
    expect(page).toMatch(
      /<html lang="de"[\s\S]*<h1>Keine Werbung mehr erhalten\?<\/h1>[\s\S]*<button type="submit">Werbung per E-Mail beenden</,
    );
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of [form, 'List-Unsubscribe=One-Click', '']) {
      const answer = await press(path, body);
      expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([200, null, null]);
      expect(await answer.text()).toContain('Sie erhalten keine Werbung mehr');
    }
    expect(await blocks()).toEqual([{ address: customer.email, reason: 'UNSUBSCRIBED', detail: '' }]);
    expect((await activity()).filter(key => key === 'advertising_ended')).toHaveLength(1);
    const contract = await put('SUBSCRIPTION_PAUSED');
    await leave();
    expect(post.letters.map(({ to, text }) => [to, /^Subject: (.*)$/m.exec(text)?.[1]])).toEqual([[customer.email, 'SUBSCRIPTION_PAUSED']]);
    expect(await mail(id)).toMatchObject({ status: 'FAILED', failedReason: 'Not sent: the reader wants no advertising.' });
    expect(await mail(contract)).toMatchObject({ status: 'SENT' });
    await press(`${path}?again=1`);
    expect([await blocks(), (await activity()).at(-1)]).toEqual([[], 'advertising_resumed']);
    const of = (token: string) => press(`/mail/unsubscribe/${token}`).then(({ status }) => status);
    // The mark of returned mail is no key to the choice.
    expect([await of(await tokenOf(id)), await of(`1-${id}.${'0'.repeat(20)}`), await of('x')]).toEqual([404, 404, 404]);
  });

  it('its page and link have words in German, and the texts of the store say the same', () => {
    const texts = server.services.definitions.texts.emails!.texts;
    for (const [key, words] of Object.entries(UNSUBSCRIBE_WORDS)) expect([key, texts[key]?.default]).toEqual([key, words]);
  });

  it('the store sees and changes the choice on the customer’s record; it goes along to another address', async () => {
    const read = async () => (await server.call('customers-app.read', { id: customer.id })).data as JsonObject;
    const choose = (getsAdvertising: boolean, options = {}) =>
      server.call('customers-app.setAdvertising', { id: customer.id, getsAdvertising }, options);
    expect(await read()).toMatchObject({ getsAdvertising: true, emailBlock: null });
    expect((await choose(false, { as: 'readOnly' })).status).toBe(403);
    for (let i = 0; i < 2; i++) expect((await choose(false)).status).toBe(200);
    expect(await read()).toMatchObject({ getsAdvertising: false, emailBlock: null });
    expect((await activity()).filter(key => key === 'advertising_ended')).toHaveLength(1);
    const logged = await query("select description from account_log where action = 'customer.advertisingChosen' and entity_id = $1", [
      String(customer.id),
    ]);
    expect(logged).toEqual([{ description: `Customer #${customer.id} gets no more advertising` }]);
    const { version } = await read();
    const moved = `moved-${customer.email}`;
    await server.call('customers-app.update', { id: customer.id, email: moved, version: version as number });
    expect(await read()).toMatchObject({ email: moved, getsAdvertising: false });
  });

  it('an address that a mail server refuses, or that a report says does not exist, gets nothing more; the store sees why and may remove it', async () => {
    const refused = await put('SUBSCRIPTION_PAUSED', 'unknown@mail.example');
    await leave();
    expect(await mail(refused)).toMatchObject({ status: 'FAILED', failedReason: 'It came back: this address does not exist.' });
    const id = await put('SUBSCRIPTION_PAUSED', customer.email, { contractId: made.id });
    await leave();
    const dsn = report('exim-no-such-user', await tokenOf(id), customer.email);
    expect(await outcome(hand(dsn))).toBe('NOTED');
    expect(await outcome(hand(dsn))).toBe('KNOWN');
    expect(await blocks()).toEqual([
      { address: 'unknown@mail.example', reason: 'HARD_BOUNCE', detail: '550 no such user' },
      {
        address: customer.email,
        reason: 'HARD_BOUNCE',
        detail: `550 5.1.1 <${customer.email}>: Recipient address rejected: User unknown in virtual mailbox table`,
      },
    ]);
    expect((await activity()).filter(key => key === 'email_returned')).toHaveLength(1);
    const next = await put('NEW_SUBSCRIPTION');
    const advertising = await put('REWARD_ADDED');
    post.letters.length = 0;
    await leave();
    expect(post.letters).toEqual([]);
    for (const one of [next, advertising])
      expect((await mail(one)).failedReason).toBe('Not sent: this address does not exist, an earlier e-mail to it came back.');
    // Who sends one by hand reads at once that it would not leave.
    expect(await server.call('sent-mails.resend', { id: next })).toMatchObject({
      status: 409,
      body: { message: 'Not sent: this address does not exist, an earlier e-mail to it came back.' },
    });
    const { emailBlock, emailBlockId } = (await server.call('customers-app.read', { id: customer.id })).data as JsonObject;
    expect(emailBlock).toBe('HARD_BOUNCE');
    expect((await server.call('mail-blocks.counts')).data).toMatchObject({ all: 2, undeliverable: 2, complaints: 0, advertising: 0 });
    const list = (await server.call('mail-blocks.list', { q: 'person' })).data as JsonObject[];
    expect(list).toMatchObject([{ id: emailBlockId, address: customer.email, reason: 'HARD_BOUNCE', mailId: id }]);
    expect((await server.call('mail-blocks.delete', { id: emailBlockId as number }, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('mail-blocks.delete', { id: emailBlockId as number })).status).toBe(200);
    await put('NEW_SUBSCRIPTION');
    await leave();
    expect(post.letters.map(({ to }) => to)).toEqual([customer.email]);
    // The same report once more is no news.
    expect([await outcome(hand(dsn)), (await blocks()).length]).toEqual(['KNOWN', 1]);
  });

  it('a refusal of the relay itself, or of what an e-mail says, is not the address’s fault', () => {
    const hard = ['550 5.1.1 unknown', '5.1.10', '550 5.2.1 disabled', '5.4.4', '550 No such user here', '550 mailbox unavailable'];
    const soft = [
      '552 5.2.2 full',
      '550 5.7.1 relaying denied',
      '550 relay not permitted for this user',
      '554 5.7.26 DMARC',
      '5.1.8',
      '4.4.7',
      '554',
    ];
    for (const answer of hard) expect([answer, severityOf('5.0.0', answer)]).toEqual([answer, 'HARD']);
    for (const answer of soft) expect([answer, severityOf('5.0.0', answer)]).toEqual([answer, 'SOFT']);
    expect(severityOf('5.1.1 (bad address)', '')).toBe('HARD');
  });

  it(`mailboxes that can't take an e-mail for now are blocked after ${SOFT_IN_A_ROW} in a row, in whatever order the reports come`, async () => {
    const ids: number[] = [];
    for (let i = 0; i < SOFT_IN_A_ROW + 1; i++) ids.push(await put('SUBSCRIPTION_PAUSED'));
    await leave();
    const soft = async (id: number) => outcome(hand(report('exim-mailbox-full', await tokenOf(id), customer.email)));
    for (const id of [...ids.slice(0, SOFT_IN_A_ROW - 1), ids.at(-1)!]) expect(await soft(id)).toBe('NOTED');
    expect(await blocks()).toEqual([]);
    expect((await mail(ids[0]!)).failedReason).toBe('It came back: the mailbox could not take it this time.');
    expect(await soft(ids[SOFT_IN_A_ROW - 1]!)).toBe('NOTED');
    expect(await blocks()).toMatchObject([{ address: customer.email, reason: 'SOFT_BOUNCES', detail: '552 5.2.2 Mailbox full' }]);
  });

  it('who reports an e-mail as spam gets nothing more; it is known by its message id where the report hides the rest', async () => {
    const id = await put('REWARD_ADDED', customer.email, { contractId: made.id });
    await leave();
    expect(await outcome(hand(report('rfc5965-abuse', await tokenOf(id))))).toBe('NOTED');
    expect(await blocks()).toMatchObject([{ address: customer.email, reason: 'COMPLAINT' }]);
    expect(await mail(id)).toMatchObject({ failedReason: 'The reader reported it as spam.' });
  });

  it('what is forged, unreadable, about something else or too much is refused or says nothing', async () => {
    const id = await put('SUBSCRIPTION_PAUSED');
    await leave();
    const token = await tokenOf(id);
    const forged = await hand(report('exim-no-such-user', `1-${id}.${'0'.repeat(20)}`, customer.email));
    expect([forged.status, ((await forged.json()) as JsonObject).code]).toEqual([422, 'UNKNOWN_MAIL']);
    expect((await hand(report('exim-no-such-user', await tokenOf(id, 'choice'), customer.email))).status).toBe(422);
    expect(await outcome(hand(report('rfc3464-delayed', token)))).toBe('NO_REPORT');
    expect(await outcome(hand(`To: <bounces+${token}@mail.perennial.example>\nSubject: Away until Monday\n\nI am away.\n`))).toBe(
      'NO_REPORT',
    );
    expect((await hand('{}', { type: 'application/json' })).status).toBe(415);
    expect((await hand(`To: x\n\n${'x'.repeat(1_100_000)}`)).status).toBe(413);
    expect(await blocks()).toEqual([]);
    // The mail server may say itself whom it was for, and a report about several names only those of this e-mail.
    const several = report('rfc3464-several', 'nothing');
    expect(await outcome(hand(several, { to: `bounces+${token.toUpperCase()}@mail.perennial.example` }))).toBe('NOTED');
    for (let i = 0; i < 20; i++) expect((await hand(several, { key: 'a wrong one' })).status).toBe(401);
    expect((await hand(several, { key: 'a wrong one' })).status).toBe(429);
    expect((await server.services.db.ownerQuery('select 1 from mail_blocks')).rows).toHaveLength(1);
  });

  it('a report about a hidden copy says nothing of the customer, and a link to sign in leaves in any case', async () => {
    const id = await put('SUBSCRIPTION_PAUSED');
    await query("update outbox set copies = '{books@store.example}', sent_at = now()");
    expect(await outcome(hand(report('exim-no-such-user', await tokenOf(id), 'books@store.example')))).toBe('KNOWN');
    expect(await blocks()).toEqual([]);
    await query(`insert into mail_blocks (store_id, address, reason, created_at) values (1, 'kim@store.example', 'HARD_BOUNCE', now())`);
    for (const template of ['SIGN_IN_LINK', 'TEAM_INVITATION', 'ADMIN_NEW_SUBSCRIPTION']) await put(template, 'Kim@store.example');
    post.letters.length = 0;
    await leave();
    expect(post.letters.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual(['SIGN_IN_LINK']);
  });
});
