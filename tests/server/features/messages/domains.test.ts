// Own domains to send from: added with the records that prove them, looked for in DNS, and the sender of every e-mail once they are there.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ownDomain } from '../../../../src/domain/messages/sender-domain.ts';
import { CHECKS } from '../../../../src/server/features/alerts/catalogue.ts';
import { scopeOf } from '../../../../src/server/features/alerts/raise.ts';
import { checkDomains } from '../../../../src/server/features/messages/jobs/check-domains.ts';
import { smtpTransport, type Letter, type MailTransport } from '../../../../src/server/platform/mail/mail-transport.ts';
import { enqueueMail, sendDueMail } from '../../../../src/server/platform/mail/outbox.ts';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { mailServer, type TakenLetter } from '../../../support/mail-server.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe('own domains', () => {
  let server: TestServer;
  /** What stands in DNS by "TYPE host"; null: no server answers. */
  let dns: Map<string, string[]> | null;
  const query = (text: string, params: unknown[] = []) =>
    server.services.db.ownerQuery<Record<string, any>>(text, params).then(({ rows }) => rows); // any: rows of the database
  const call = (name: string, input: JsonObject = {}, options = {}) => server.call(`email-domains.${name}`, input, options);
  const add = async (fromEmail = 'hello@meadow.example.com') => (await call('create', { fromEmail })).data;
  const publish = (records: JsonObject[]) =>
    records.forEach(({ type, host, value }) => dns!.set(`${String(type)} ${String(host)}`, [String(value).replaceAll('; ', ';')]));
  const aged = () => query("update email_domains set last_checked_at = last_checked_at - interval '2 days'");
  const sendOne = async (transport: MailTransport): Promise<void> => {
    await query('delete from outbox');
    await server.services.db.inStore(1, trx =>
      enqueueMail(trx, 1, { template: 'REWARD_ADDED', to: 'a@b.example', subject: 'S', text: 'T' }, new Date()),
    );
    const { db, log, definitions, secrets } = server.services;
    await sendDueMail(db, transport, log, {
      definitions,
      secrets,
      base: 'https://admin.example',
      isTracked: false,
      returnAddress: 'bounces@mail.perennial.example',
    });
  };
  const sender = async (): Promise<Letter> => {
    const carried: Letter[] = [];
    await sendOne({ carry: async letter => void carried.push(letter), close: () => undefined });
    return carried[0]!;
  };
  beforeAll(async () => {
    const domainRecords = {
      async find(type: string, host: string) {
        if (!dns) throw new Error('timeout');
        return dns.get(`${type} ${host}`) ?? [];
      },
    };
    server = await startTestServer({ engine: 'postgres', services: { domainRecords } });
    await query('update stores set billing_plan_id = 4 where id = 1');
    server.services.sessions.forget();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    dns = new Map();
    await query('delete from email_domains');
    await query("delete from secrets where table_name = 'email_domains'");
  });

  it('free-mail addresses, suffixes and numbers are no store’s own domain', async () => {
    expect(['a@shop.example.com', 'a@bücher.de', 'a@MAIL.shop.co.uk'].map(ownDomain)).toEqual([
      'shop.example.com',
      expect.any(String),
      'mail.shop.co.uk',
    ]);
    expect(['a@gmail.com', 'a@mail.gmx.de', 'a@co.uk', 'a@127.0.0.1', 'a@localhost'].map(ownDomain)).toEqual(Array(5).fill(undefined));
    const refused = await call('create', { fromEmail: 'meadow@gmail.com' });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/fromEmail', message: 'Use an address on your own domain' }] },
    });
    expect((await call('create', { fromEmail: 'a@b.example.com', status: 'VERIFIED' })).status).toBe(422);
  });

  it('is added with two records, the first one as the default, each address once', async () => {
    const domain = await add();
    expect(domain).toMatchObject({ domainName: 'meadow.example.com', status: 'NOT_VERIFIED', isDefault: true, lastCheckedAtEpoch: null });
    expect(domain.records.map(({ type, verified }: JsonObject) => [type, verified])).toEqual([
      ['TXT', false],
      ['TXT', false],
    ]);
    expect((await add('post@other.example.com')).isDefault).toBe(false);
    expect((await call('create', { fromEmail: 'HELLO@meadow.example.com' })).body.errors?.[0]?.message).toBe(
      'This address is already in the list.',
    );
  });

  it('is verified only when all records match, and then e-mails come from it; until then they come from the shared address with it for replies', async () => {
    const { id, records } = await add();
    publish(records.slice(0, 1));
    expect((await call('check', { id })).data).toMatchObject({ status: 'PENDING' });
    expect(await sender()).toMatchObject({ replyTo: 'hello@meadow.example.com' });
    expect((await sender()).from?.address).toBeUndefined();
    publish(records);
    await aged();
    expect((await call('check', { id })).data).toMatchObject({ status: 'VERIFIED' });
    const sent = await sender();
    expect([sent.from, sent.replyTo]).toEqual([{ address: 'hello@meadow.example.com' }, undefined]);
    expect(sent.signature?.domainName).toBe('meadow.example.com');
    expect((await query('select sent_from from outbox'))[0]).toEqual({ sent_from: 'hello@meadow.example.com' });
    dns = new Map();
    await aged();
    expect((await call('check', { id })).data).toMatchObject({ status: 'FAILED' });
    expect((await sender()).from).toBeUndefined();
  });

  it('its e-mails pass the strictest rules of the domain (DMARC p=reject), as a mail server judges them; unsigned ones would not', async () => {
    const { authenticate } = createRequire(join(ensureJudges(), 'package.json'))('mailauth');
    const post = await mailServer();
    const shared = smtpTransport(post.url, 'Perennial <no-reply@mail.perennial.example>');
    try {
      const { id, records } = await add();
      publish(records);
      await call('check', { id });
      dns!.set('TXT mail.perennial.example', ['v=spf1 ip4:192.0.2.7 -all']);
      dns!.set('TXT _dmarc.meadow.example.com', ['v=DMARC1; p=reject; adkim=s; aspf=s']);
      const judge = async (raw: string, from: string) => {
        const judged = await authenticate(raw, {
          ip: '192.0.2.7',
          helo: 'mail.perennial.example',
          sender: from,
          mta: 'mx.customer.example',
          resolver: async (host: string, type: string) => {
            const found = dns!.get(`${type} ${host}`);
            if (!found) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
            // In parts of at most 255 characters, as DNS carries them.
            return found.map(text => text.match(/.{1,255}/g));
          },
        });
        return { spf: judged.spf.status.result, dmarc: judged.dmarc.status.result, dkim: judged.dkim.results[0]?.status.result };
      };
      await sendOne(shared);
      await sendOne({ ...shared, carry: letter => shared.carry({ ...letter, signature: undefined }) });
      const [signed, unsigned] = post.letters as [TakenLetter, TakenLetter];
      expect(signed.text).toContain('hello@meadow.example.com');
      expect(signed.from).toMatch(/^bounces\+1-\d+\.[0-9a-f]{20}@mail\.perennial\.example$/);
      // What mail programs offer "Unsubscribe" by is signed too (RFC 8058).
      const list = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
      expect(signed.raw).toContain(list);
      expect(await judge(signed.raw.replace(list, 'List-Unsubscribe-Post: no'), signed.from)).toMatchObject({ dkim: 'fail' });
      expect(await judge(signed.raw.replace('/mail/unsubscribe/', '/mail/other/'), signed.from)).toMatchObject({ dkim: 'fail' });
      expect(await judge(signed.raw, signed.from)).toEqual({ spf: 'pass', dmarc: 'pass', dkim: 'pass' });
      expect(await judge(signed.raw.replace('Subject: S', 'Subject: Z'), signed.from)).toMatchObject({ dmarc: 'fail' });
      expect(await judge(unsigned.raw, unsigned.from)).toMatchObject({ dmarc: 'fail' });
      // What a letter carries is signed with it, and read as it was by a reader of others.
      const csv = '\uFEFFReason,Subscriptions\r\nZu teuer,12\r\n';
      const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
      const attachments = [
        { name: 'chart.png', contentType: 'image/png', cid: 'chart', content: png },
        { name: 'gründe.csv', contentType: 'text/csv; charset=utf-8', content: Buffer.from(csv) },
      ];
      await sendOne({ ...shared, carry: letter => shared.carry({ ...letter, attachments }) });
      const carrying = post.letters[2] as TakenLetter;
      expect(await judge(carrying.raw, carrying.from)).toEqual({ spf: 'pass', dmarc: 'pass', dkim: 'pass' });
      const [line = ''] =
        Buffer.from(csv)
          .toString('base64')
          .match(/.{1,40}/) ?? [];
      expect(carrying.raw).toContain(line);
      expect(await judge(carrying.raw.replace(line, `A${line.slice(1)}`), carrying.from)).toMatchObject({ dmarc: 'fail' });
      const read = await PostalMime.parse(carrying.raw);
      const [picture, file] = read.attachments.map(({ content, ...one }) => ({ ...one, content: Buffer.from(content as ArrayBuffer) }));
      expect(picture).toMatchObject({ mimeType: 'image/png', contentId: '<chart>', disposition: 'inline', content: png });
      expect(file).toMatchObject({ filename: 'gründe.csv', mimeType: 'text/csv', disposition: 'attachment' });
      expect(file?.content.toString()).toBe(csv);
      expect(read.text?.trim()).toMatch(/^T/);
    } finally {
      shared.close();
      await post.close();
    }
  });

  it('the key of a domain is one for all its addresses, is sealed, and goes with the last of them', async () => {
    const keyOf = ({ records }: JsonObject) => (records as JsonObject[])[1]?.value;
    const [first, second] = await Promise.all([add(), add('post@meadow.example.com')]);
    expect(keyOf(first)).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{380,}={0,2}$/);
    expect(keyOf(second)).toBe(keyOf(first));
    const sealed = () => query("select * from secrets where table_name = 'email_domains' and record_id = 'meadow.example.com'");
    expect(JSON.stringify(await sealed())).not.toContain('PRIVATE KEY');
    await call('delete', { id: first.id });
    expect(await sealed()).toHaveLength(1);
    await call('delete', { id: second.id });
    expect(await sealed()).toEqual([]);
  });

  it('one that was verified before there were keys is given its record at the next look, and is the sender once that is found', async () => {
    const { id, records } = await add();
    publish(records.slice(0, 1));
    await query("delete from secrets where table_name = 'email_domains'");
    await query("update email_domains set status = 'VERIFIED', records = jsonb_build_array(records -> 0)");
    expect((await sender()).from).toBeUndefined();
    const looked = await call('check', { id });
    expect(looked.data).toMatchObject({ status: 'FAILED', records: [{ verified: true }, { verified: false }] });
    publish(looked.data.records);
    await aged();
    expect((await call('check', { id })).data.status).toBe('VERIFIED');
    expect(await sender()).toMatchObject({ from: { address: 'hello@meadow.example.com' } });
  });

  it('is checked at most every minute; where no server answers the state stays', async () => {
    const { id, records } = await add();
    publish(records);
    await call('check', { id });
    const again = await call('check', { id });
    expect([again.status, Number(again.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    await aged();
    dns = null;
    const unheard = await call('check', { id });
    expect([unheard.data.status, unheard.body.message]).toEqual(['VERIFIED', expect.stringMatching(/Try again in a few minutes/)]);
    expect((await call('check', { id: 999_999 })).status).toBe(404);
  });

  it('another one becomes the default; removing the default falls back to the shared address', async () => {
    const first = await add();
    const second = await add('post@other.example.com');
    publish([...first.records, ...second.records]);
    await call('check', { id: first.id });
    await call('check', { id: second.id });
    expect((await call('makeDefault', { id: second.id, isDefault: true })).status).toBe(200);
    expect((await query('select id from email_domains where is_default')).map(({ id }) => id)).toEqual([second.id]);
    expect((await sender()).from?.address).toBe('post@other.example.com');
    expect((await call('delete', { id: second.id })).status).toBe(200);
    expect((await sender()).from).toBeUndefined();
  });

  it('the hourly look finds what was published, and an alert tells of what is missing after two days or was lost', async () => {
    const { id, records } = await add();
    const state = async () => (await query('select status from email_domains where id = $1', [id]))[0]!.status;
    const look = () =>
      checkDomains.run(server.services, {}, { signal: new AbortController().signal } as Parameters<typeof checkDomains.run>[2]);
    const found = () =>
      server.services.db.inStore(1, async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
        const scope = scopeOf(trx, store, new Date(), server.services.definitions.plans);
        const check = CHECKS.find(({ key }) => key === 'DOMAIN_UNVERIFIED')!;
        return { ...(await check.find(scope)), rows: (await check.rows(scope, { limit: 10, offset: 0 })).rows };
      });
    await look();
    expect([await state(), (await found()).count]).toEqual(['PENDING', 0]);
    await query("update email_domains set created_at = created_at - interval '3 days'");
    expect(await found()).toMatchObject({ count: 1, rows: [{ label: 'hello@meadow.example.com' }] });
    publish(records);
    await aged();
    await look();
    expect([await state(), (await found()).count]).toEqual(['VERIFIED', 0]);
    dns = new Map();
    await aged();
    await look();
    expect([await state(), (await found()).count]).toEqual(['FAILED', 1]);
  });

  it('belongs to a plan, and to who may change notifications', async () => {
    expect((await call('create', { fromEmail: 'a@b.example.com' }, { as: 'readOnly' })).status).toBe(403);
    await query('update stores set billing_plan_id = 2 where id = 1');
    server.services.sessions.forget();
    expect((await call('list')).body).toMatchObject({ code: 'FEATURE_NOT_IN_PLAN' });
    await query('update stores set billing_plan_id = 4 where id = 1');
    server.services.sessions.forget();
  });
});
