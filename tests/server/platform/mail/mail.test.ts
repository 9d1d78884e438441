import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { productDefinitions } from '../../../support/definitions.ts';
import { PermanentFailure, ServerAway, smtpTransport, type Letter } from '../../../../src/server/platform/mail/mail-transport.ts';
import { outboxPath } from '../../../../src/server/platform/mail/outbox-page.ts';
import { enqueueMail, sendDueMail, TOO_LATE } from '../../../../src/server/platform/mail/outbox.ts';
import { SecretBox } from '../../../../src/server/platform/outgoing/secret-box.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { mailServer } from '../../../support/mail-server.ts';
import { startTestServer } from '../../../support/server.ts';

const definitions = productDefinitions();
const secrets = new SecretBox(() => ['a secret of tests that is long enough']);
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.each(oneEngine)('the outbox (%s)', engine => {
  let made: TestDatabase;
  let sent: Letter[];
  let failure: Error | undefined;
  let carried = 0;
  const transport = {
    carry: async (letter: Letter) => {
      carried++;
      if (failure) throw failure;
      sent.push(letter);
    },
    close: () => undefined,
  };
  const put = (storeId: number, subject: string, more: { dedupeKey?: string; sendAfter?: Date; sendBefore?: Date } = {}) =>
    made.db.inStore(storeId, trx =>
      enqueueMail(trx, storeId, { template: 'T', to: 'ann@example.com', subject, text: 'Hello', ...more }, new Date()),
    );
  const send = () => sendDueMail(made.db, transport, quiet, { definitions, secrets, base: 'https://admin.example', isTracked: false });
  const rows = async () =>
    (
      await made.db.ownerQuery<{ subject: string; sent_at: Date | null; failed_reason: string | null; attempts: number }>(
        'select * from outbox order by store_id, id',
      )
    ).rows;
  beforeAll(async () => {
    made = await openTestDatabase(engine);
    await made.db.ownerQuery(
      "insert into stores (id, myshopify_domain, name, email) values (1, 'a.myshopify.com', 'A', 'a@a.example'), (2, 'b.myshopify.com', 'B', 'b@b.example')",
    );
  });
  beforeEach(async () => {
    sent = [];
    failure = undefined;
    await made.db.ownerQuery('delete from outbox');
    await made.db.ownerQuery('update stores set clock_offset_ms = 0');
  });
  afterAll(() => made?.remove());

  it('sends each message once, of every store, however many send at once', async () => {
    for (let i = 0; i < 60; i++) await put(1 + (i % 2), `Letter ${i}`);
    await Promise.all([send(), send(), send()]);
    expect(sent.map(letter => letter.subject).sort()).toEqual(Array.from({ length: 60 }, (_, i) => `Letter ${i}`).sort());
    expect(await send()).toBe(0);
    expect(new Set(sent.map(letter => letter.messageId)).size).toBe(60);
  });

  it('takes a message with the same key once per store', async () => {
    for (const store of [1, 1, 2]) await put(store, 'Once', { dedupeKey: 'charge-1' });
    await send();
    expect(sent).toHaveLength(2);
  });

  it("waits for a later time, by the store's own clock", async () => {
    await put(1, 'Tomorrow', { sendAfter: new Date(Date.now() + 86_400_000) });
    expect(await send()).toBe(0);
    await made.db.ownerQuery('update stores set clock_offset_ms = 90000000 where id = 1');
    expect(await send()).toBe(1);
  });

  it('tries again after a pause that grows, gives up after eight times, at once when the server says never', async () => {
    failure = new Error("The mail server can't be reached.");
    await put(1, 'Later');
    for (let attempt = 1; attempt <= 8; attempt++) {
      await send();
      expect((await rows())[0]).toMatchObject({
        attempts: attempt,
        sent_at: null,
        failed_reason: attempt === 8 ? "The mail server can't be reached." : null,
      });
      await send(); // too early for another try
      expect((await rows())[0]?.attempts).toBe(attempt);
      await made.db.ownerQuery("update outbox set claimed_at = claimed_at - interval '1 hour 1 minute'");
    }
    failure = new PermanentFailure('The mail server refused the message (550).');
    await put(1, 'Never');
    await send();
    expect((await rows())[1]).toMatchObject({ attempts: 1, failed_reason: 'The mail server refused the message (550).' });
    failure = undefined;
    expect(await send()).toBe(0);
  });

  it('keeps letters for as long as the server is away, and sends none whose link has ended', async () => {
    failure = new ServerAway("The mail server can't be reached.", { server: 'mail.example', code: 'ECONNREFUSED' });
    for (const store of [1, 1, 2]) await put(store, 'Kept');
    await put(1, 'Link', { sendBefore: new Date(Date.now() + 3_600_000) });
    for (let i = 0; i < 10; i++) {
      carried = 0;
      await send();
      // One letter asks for all.
      expect(carried).toBe(1);
      await made.db.ownerQuery("update outbox set claimed_at = claimed_at - interval '31 seconds'");
    }
    await made.db.ownerQuery("update outbox set send_before = now() where subject = 'Link'");
    failure = undefined;
    expect(await send()).toBe(3);
    expect((await rows()).map(({ subject, failed_reason }) => [subject, failed_reason])).toEqual([
      ['Kept', null],
      ['Kept', null],
      ['Link', TOO_LATE],
      ['Kept', null],
    ]);
  });
});

describe('mail by SMTP', () => {
  it('hands a sign-in link to the configured server, with sender, recipient and one message id', async () => {
    const post = await mailServer();
    const transport = smtpTransport(post.url, 'Perennial <no-reply@perennial.example>');
    const server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['sign-in'],
      services: { transport },
      jobs: true,
      config: { smtpUrl: post.url, workers: 1 },
    });
    try {
      await server.call('sign-in.requestLink', { email: 'amira@fernandember.example' }, { as: null });
      await expect.poll(() => post.letters.length).toBe(1);
      expect(post.letters[0]?.to).toBe('amira@fernandember.example');
      expect(post.letters[0]?.text).toMatch(/From: Perennial <no-reply@perennial\.example>/);
      expect(post.letters[0]?.text).toMatch(/Message-ID: <perennial-1-\d+\.[0-9a-f]{20}@perennial\.example>/);
      expect(post.letters[0]?.text.replace(/=\n/g, '').replace(/=3D/g, '=')).toMatch(/\/login\?link=[\w-]{43}/);
      expect((await server.request('GET', outboxPath(server.services))).status).toBe(404); // real mail is not shown
      expect(JSON.stringify(server.logged)).not.toMatch(/@fernandember|link=/);
    } finally {
      await server.close();
      await post.close();
    }
  });

  it('tells a refusal for ever from one for now', async () => {
    const post = await mailServer();
    const transport = smtpTransport(post.url, 'no-reply@perennial.example');
    const letter = { subject: 'S', text: 'T', html: '<p>T</p>', messageId: 'x' };
    await expect(transport.carry({ ...letter, recipient: 'unknown@example.com' })).rejects.toThrow(PermanentFailure);
    await expect(transport.carry({ ...letter, recipient: 'busy@example.com' })).rejects.toThrow('The mail server answered 451.');
    await expect(transport.carry({ ...letter, recipient: 'busy@example.com' })).rejects.not.toThrow(PermanentFailure);
    // No server listens there.
    const nowhere = smtpTransport('smtp://user:password@127.0.0.1:9', 'no-reply@perennial.example');
    await expect(nowhere.carry({ ...letter, recipient: 'ann@example.com' })).rejects.toMatchObject({
      name: 'ServerAway',
      server: '127.0.0.1:9',
      code: 'ECONNREFUSED',
    });
    // A line break in a subject adds no header.
    await transport.carry({ ...letter, recipient: 'ann@example.com', subject: 'Hi\r\nBcc: all@example.com' });
    expect(post.letters.at(-1)?.text.split('\n\n')[0]).not.toMatch(/^Bcc:/m);
    transport.close();
    await post.close();
    await expect(smtpTransport(post.url, 'a@b.example').carry({ ...letter, recipient: 'ann@example.com' })).rejects.toThrow(
      "The mail server can't be reached.",
    );
  });
});
