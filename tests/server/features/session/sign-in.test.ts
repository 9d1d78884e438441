import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteUnentered } from '../../../../src/server/features/session/opened.ts';
import { newToken } from '../../../../src/server/platform/auth/tokens.ts';
import { outboxPath } from '../../../../src/server/platform/mail/outbox-page.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('signing in (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    // However slow the machine: no call is refused for the load.
    const limits = { maxWaitMs: 600_000 };
    server = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 2 },
      tables: ['sign-in', 'start-up', 'users'],
      app: { limits },
    });
  });
  beforeEach(async () => {
    await server.services.db.ownerQuery('delete from login_attempts; delete from outbox');
  });
  afterAll(() => server?.close());
  const outbox = async () =>
    (await server.services.db.ownerQuery<{ recipient: string; text: string; store_id: number }>('select * from outbox order by id')).rows;
  const linkFor = async (email: string) => {
    expect((await server.call('sign-in.requestLink', { email }, { as: null })).data).toEqual({ sent: true });
    await server.settled();
    const [letter] = await outbox();
    return /link=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? '';
  };
  const session = (as: string | null, headers?: Record<string, string>) => server.call('start-up.session', {}, { as, headers });

  it('sends a one-time link by e-mail, whose token becomes a session of that user and store', async () => {
    const link = await linkFor('JONAH@fernandember.example');
    expect((await outbox()).map(letter => letter.recipient)).toEqual(['jonah@fernandember.example']);
    const { data } = await server.call('sign-in.redeemLink', { token: link }, { as: null });
    const { data: who } = await session(data.token as string);
    expect(who.user).toMatchObject({ email: 'jonah@fernandember.example', loopUserType: 'ADMIN', storeId: 1 });
    const again = await server.call('sign-in.redeemLink', { token: link }, { as: null });
    expect([again.status, again.body.code]).toEqual([400, 'LINK_EXPIRED']);
  });

  describe('opening a store', () => {
    const given = {
      storeName: ' Marrow & Mint ',
      firstName: 'Robin',
      lastName: 'Hale',
      email: 'Robin@marrow.example',
      countryCode: 'AT',
      currencyCode: 'EUR',
      timezone: 'Europe/Vienna',
    };
    const open = (more: object = {}) => server.call('sign-in.signUp', { ...given, ...more }, { as: null });
    const stores = async () =>
      (
        await server.services.db.ownerQuery<{ id: number; entered: boolean }>(
          "select id, details ->> 'enteredAt' is not null as entered from stores where details ->> 'openedBy' = 'SIGN_UP' order by id",
        )
      ).rows;
    beforeAll(() => {
      server.services.config.signUp = true;
    });
    afterAll(() => {
      server.services.config.signUp = false;
    });

    it('makes the store and its owner, who comes in by the link alone; a second press sends the link again', async () => {
      server.services.config.signUp = false;
      expect((await open()).status).toBe(404);
      server.services.config.signUp = true;
      for (let n = 0; n < 2; n++) expect((await open()).data).toEqual({ sent: true });
      await server.settled();
      expect(await stores()).toEqual([{ id: expect.any(Number), entered: false }]);
      const letters = await outbox();
      expect(letters.map(({ recipient }) => recipient)).toEqual(['Robin@marrow.example', 'Robin@marrow.example']);
      const { data } = await server.call('sign-in.redeemLink', { token: /link=([\w-]+)/.exec(letters[0]!.text)?.[1] ?? '' }, { as: null });
      const { data: who } = await session(data.token as string);
      expect(who.user).toMatchObject({ email: 'Robin@marrow.example', firstName: 'Robin', loopUserType: 'OWNER' });
      expect(who.store).toMatchObject({ name: 'Marrow & Mint', currency_code: 'EUR', country_code: 'AT', isDemo: false });
      expect(await stores()).toEqual([{ id: who.user.storeId, entered: true }]);
      // Nothing charges for it until an account of its own does.
      expect(who.banners.isEligible).toBe(false);
      await server.services.db.ownerQuery("update stores set charges_through = '{STRIPE}' where id = $1", [who.user.storeId]);
      server.services.sessions.forget(who.user.storeId as number);
      expect((await session(data.token as string)).data.banners.isEligible).toBe(true);
      // The same name again is another store, now that the first one was entered.
      expect((await open()).status).toBe(200);
      expect(await stores()).toHaveLength(2);
    });

    it('names what is wrong, and puts no address into a letter', async () => {
      for (const [field, value] of [
        ['countryCode', 'QQ'],
        ['currencyCode', 'QQQ'],
        // In lists of currencies, but nothing is counted in it.
        ['currencyCode', 'XDR'],
        ['timezone', 'Mars/Olympus'],
        ['storeName', 'win at evil.example'],
        ['firstName', 'https://evil'],
        ['email', 'robin'],
      ] as const) {
        await server.services.db.ownerQuery('delete from login_attempts');
        const { status, body } = await open({ [field]: value });
        expect([status, body.errors?.map(({ pointer }) => pointer)], field).toEqual([422, [`/${field}`]]);
      }
    });

    it('leaves nothing of a store that no one entered within a week', async () => {
      const { db } = server.services;
      await open({ email: 'never@marrow.example', storeName: 'Never' });
      await server.settled();
      await db.ownerQuery("update stores set created_at = now() - interval '8 days' where details ->> 'openedBy' = 'SIGN_UP'");
      const before = await stores();
      const gone = before.filter(({ entered }) => !entered).map(({ id }) => id);
      expect(await deleteUnentered(db)).toBe(gone.length);
      expect(await stores()).toEqual(before.filter(({ entered }) => entered));
      const { rows: tables } = await db.ownerQuery<{ name: string }>(
        "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'store_id'",
      );
      for (const { name } of tables)
        expect((await db.ownerQuery(`select from ${name} where store_id = any($1::integer[])`, [gone])).rows, name).toEqual([]);
    });
  });

  it('lets exactly one of many redeem a link at once', async () => {
    const link = await linkFor('amira@fernandember.example');
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.call('sign-in.redeemLink', { token: link }, { as: null })));
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1);
  });

  it('refuses an expired link', async () => {
    const link = await linkFor('amira@fernandember.example');
    await server.services.db.ownerQuery("update login_links set expires_at = now() - interval '1 second'");
    expect((await server.call('sign-in.redeemLink', { token: link }, { as: null })).status).toBe(400);
  });

  it('says the same about unknown addresses, and sends nothing', async () => {
    const known = await server.call('sign-in.requestLink', { email: 'amira@fernandember.example' }, { as: null });
    await server.settled();
    await server.services.db.ownerQuery('delete from outbox');
    const unknown = await server.call('sign-in.requestLink', { email: 'unknown@nowhere.example' }, { as: null });
    await server.settled();
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await outbox()).toEqual([]);
    expect((await server.call('sign-in.requestLink', { email: 'not an address' }, { as: null })).body.errors?.[0]).toEqual({
      pointer: '/email',
      rule: 'format',
      message: 'Enter a full e-mail address, such as name@example.com.',
    });
  });

  it('limits attempts for each address, known or not, and for each network address, and says when to come back', async () => {
    for (const email of ['amira@fernandember.example', 'unknown@nowhere.example']) {
      for (let i = 0; i < 5; i++) expect((await server.call('sign-in.requestLink', { email }, { as: null })).status).toBe(200);
      const { status, headers, body } = await server.call('sign-in.requestLink', { email: email.toUpperCase() }, { as: null });
      expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
    }
    for (let i = 0; i < 20; i++) await server.call('sign-in.redeemLink', { token: 'x'.repeat(43) }, { as: null });
    expect((await server.call('sign-in.redeemLink', { token: 'x'.repeat(43) }, { as: null })).status).toBe(429);
    await server.services.db.ownerQuery("update login_attempts set at = at - interval '16 minutes'");
    expect((await server.call('sign-in.requestLink', { email: 'amira@fernandember.example' }, { as: null })).status).toBe(200);
  });

  it('lets no more in than the limit when all come at once', async () => {
    await server.settled();
    await server.services.db.ownerQuery('delete from outbox');
    const asked = await Promise.all(
      Array.from({ length: 60 }, () => server.call('sign-in.requestLink', { email: 'amira@fernandember.example' }, { as: null })),
    );
    await server.settled();
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(55);
    expect(await outbox()).toHaveLength(5);
    await server.services.db.ownerQuery('delete from login_attempts');
    const redeemed = await Promise.all(
      Array.from({ length: 200 }, (_, i) => server.call('sign-in.redeemLink', { token: String(i).padStart(43, 'x') }, { as: null })),
    );
    expect(redeemed.filter(({ status }) => status === 400)).toHaveLength(30);
    expect(redeemed.filter(({ status }) => status === 429)).toHaveLength(170);
  });

  it('tells strangers behind one address apart where the proxy is trusted, and believes no other', async () => {
    const behind = (one: TestServer, chain: string) =>
      one.call('sign-in.redeemLink', { token: 'x'.repeat(43) }, { as: null, headers: { 'x-forwarded-for': chain } });
    const statuses = async (one: TestServer, chain: (i: number) => string) =>
      (await Promise.all(Array.from({ length: 40 }, (_, i) => behind(one, chain(i))))).map(({ status }) => status);
    const open = (config: object) => startTestServer({ engine, seed: { contracts: 4, stores: 1 }, tables: ['sign-in'], config });
    // An address of its own says nothing about a proxy.
    const plain = await open({ publicUrl: 'https://admin.example.com' });
    const proxied = await open({ publicUrl: 'https://admin.example.com', trustedProxies: ['127.0.0.1'] });
    try {
      expect((await statuses(plain, i => `203.0.113.${i}`)).filter(status => status === 400)).toHaveLength(30);
      expect((await statuses(proxied, i => `203.0.113.${i}`)).filter(status => status === 400)).toHaveLength(40);
      // The last one is whom the proxy saw; what stands before is what they say of themselves.
      expect((await statuses(proxied, i => `198.51.100.${i}, 192.0.2.1`)).filter(status => status === 400)).toHaveLength(30);
      // A port that the proxy adds makes no other address; nor does another way to write it.
      expect((await statuses(proxied, i => `192.0.2.2:${5000 + i}`)).filter(status => status === 400)).toHaveLength(30);
      const ways = ['192.0.2.3', '::ffff:192.0.2.3', '::ffff:c000:203', '0:0:0:0:0:FFFF:192.0.2.3'];
      expect((await statuses(proxied, i => ways[i % ways.length]!)).filter(status => status === 400)).toHaveLength(30);
    } finally {
      await plain.close();
      await proxied.close();
    }
  });

  it('counts everybody with IPv6 by their network: one has all addresses of a /64', async () => {
    const proxied = await startTestServer({
      engine,
      seed: { contracts: 4, stores: 1 },
      tables: ['sign-in'],
      config: { trustedProxies: ['127.0.0.1'] },
    });
    const letIn = async (chain: (i: number) => string) => {
      const all = Array.from({ length: 40 }, (_, i) =>
        proxied.call('sign-in.redeemLink', { token: 'x'.repeat(43) }, { as: null, headers: { 'x-forwarded-for': chain(i) } }),
      );
      return (await Promise.all(all)).filter(({ status }) => status === 400).length;
    };
    try {
      const ways = ['2001:db8:0:2::1', '2001:0DB8::2:a:b:c:d', '[2001:db8:0:2::5]:443', '2001:db8:0:2:1:2:192.0.2.1'];
      expect(await letIn(i => (i < ways.length ? ways[i]! : `2001:db8:0:2::${i}`))).toBe(30);
      expect(await letIn(i => `2001:db8:0:1${i}::1`)).toBe(40);
      const wrong = (i: number) =>
        proxied.call(
          'sign-in.logout',
          {},
          { as: randomBytes(32).toString('base64url'), headers: { 'x-forwarded-for': `2001:db8:5::${i}` } },
        );
      let last = 401;
      for (let i = 0; i < 40 && last === 401; i++) last = (await wrong(i)).status;
      expect(last).toBe(429);
    } finally {
      await proxied.close();
    }
  });

  it('offers demo users in demo mode only', async () => {
    const { data } = await server.call('sign-in.demoUsers', {}, { as: null });
    expect(data.isDemo).toBe(true);
    expect(
      (data.users as { loopUserType: string; canWrite: boolean }[]).slice(0, 4).map(user => [user.loopUserType, user.canWrite]),
    ).toEqual([
      ['OWNER', true],
      ['ADMIN', true],
      ['MEMBER', true],
      ['MEMBER', false],
    ]);
    const { data: signed } = await server.call('sign-in.demoSignIn', { userId: data.users[3].userId }, { as: null });
    expect((await session(signed.token as string)).data.user.email).toBe('nadia@fernandember.example');
    expect((await server.call('sign-in.demoSignIn', { userId: 424242 }, { as: null })).status).toBe(404);
    const plain = await startTestServer({ engine, seed: { contracts: 4, stores: 1 }, tables: ['sign-in'], config: { demo: false } });
    try {
      expect((await plain.call('sign-in.demoUsers', {}, { as: null })).data).toEqual({
        isDemo: false,
        users: [],
        canSignUp: false,
        hasSso: false,
      });
      expect((await plain.call('sign-in.demoSignIn', { userId: 1001 }, { as: null })).status).toBe(404);
      expect((await plain.request('GET', outboxPath(plain.services))).status).toBe(404);
    } finally {
      await plain.close();
    }
    // Not even here for stores that are no demo.
    await server.services.db.ownerQuery('update stores set is_demo = false where id = 2');
    const { data: fewer } = await server.call('sign-in.demoUsers', {}, { as: null });
    expect((fewer.users as { userId: number }[]).every(user => user.userId < 2000)).toBe(true);
    expect((await server.call('sign-in.demoSignIn', { userId: 2001 }, { as: null })).status).toBe(404);
  });

  it('S251 takes the token from the authorization header, and nothing that merely looks like one', async () => {
    const token = await server.signIn('owner');
    expect((await session(token)).status).toBe(200);
    expect((await server.request('GET', '/host/user/session', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const wrong = [
      '',
      'x',
      randomBytes(32).toString('base64url'),
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      createHash('sha256').update(token).digest('base64url'),
      `${none}.${Buffer.from('{"userId":1001}').toString('base64url')}.`,
    ];
    for (const header of wrong) {
      const { status, json } = await server.request('GET', '/host/user/session', { headers: { authorization: header } });
      expect([header, status, json.code]).toEqual([header, 401, 'UNAUTHORIZED']);
    }
    expect((await server.request('GET', `/host/user/session?authorization=${token}&token=${token}`)).status).toBe(401);
    expect(
      (await server.request('GET', '/host/user/session', { headers: { cookie: `token=${token}; authorization=${token}` } })).status,
    ).toBe(401);
  });

  it('keeps no token in clear', async () => {
    const token = await server.signIn('owner');
    const { rows } = await server.services.db.ownerQuery<{ t: string }>(
      "select encode(token_hash, 'base64') || token_hash::text as t from sessions",
    );
    expect(rows.some(row => row.t.includes(token))).toBe(false);
    expect(
      (
        await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from sessions where token_hash = $1', [
          createHash('sha256').update(token).digest(),
        ])
      ).rows[0]?.n,
    ).toBe(1);
  });

  it('ends sessions by time, by signing out on the server, and by removing the user, all at once', async () => {
    const expired = await server.signIn('owner');
    await server.services.db.ownerQuery("update sessions set expires_at = now() - interval '1 second' where token_hash = $1", [
      createHash('sha256').update(expired).digest(),
    ]);
    expect((await session(expired)).status).toBe(401);
    const out = await server.signIn('owner');
    expect((await session(out)).status).toBe(200);
    expect((await server.call('sign-in.logout', {}, { as: out })).data).toEqual({ signedOut: true });
    expect((await session(out)).status).toBe(401);
    const removed = await server.signIn('readOnly', 2);
    expect((await session(removed)).status).toBe(200);
    expect((await server.call('users.delete', { id: 2004 }, { as: await server.signIn('owner', 2) })).status).toBe(200);
    expect((await session(removed)).status).toBe(401);
    expect(
      (await server.services.db.ownerQuery<{ n: number }>('select count(*) as n from sessions where user_id = 2004 and revoked_at is null'))
        .rows[0]?.n,
    ).toBe(0);
  });

  it('lets a session that is used live on, but not for ever', async () => {
    const token = await server.signIn('owner');
    const hash = createHash('sha256').update(token).digest();
    const left = async () =>
      (
        await server.services.db.ownerQuery<{ hours: string }>(
          'select extract(epoch from expires_at - now()) / 3600 as hours from sessions where token_hash = $1',
          [hash],
        )
      ).rows.map(row => Math.round(Number(row.hours)))[0];
    await server.services.db.ownerQuery(
      "update sessions set expires_at = now() + interval '1 hour', last_seen_at = now() - interval '2 hours' where token_hash = $1",
      [hash],
    );
    await session(token);
    await server.settled();
    expect(await left()).toBe(168);
    const old = await server.signIn('owner');
    const oldHash = createHash('sha256').update(old).digest();
    await server.services.db.ownerQuery(
      "update sessions set created_at = now() - interval '1675 hours', last_seen_at = now() - interval '2 hours' where token_hash = $1",
      [oldHash],
    );
    await session(old);
    await server.settled();
    const { rows } = await server.services.db.ownerQuery<{ hours: string }>(
      'select extract(epoch from expires_at - now()) / 3600 as hours from sessions where token_hash = $1',
      [oldHash],
    );
    expect(Math.round(Number(rows[0]?.hours))).toBe(5);
  });

  it('makes an address wait that sends many wrong tokens, without locking out those who are signed in', async () => {
    const token = await server.signIn('owner');
    const wrong = () => session(randomBytes(32).toString('base64url'));
    let last = await wrong();
    for (let i = 0; i < 40 && last.status === 401; i++) last = await wrong();
    expect([last.status, last.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await session(token)).status).toBe(200);
  });

  it('shows a sign-in link in the outbox page, which can be read only by its secret address, on this machine', async () => {
    const link = await linkFor('amira@fernandember.example');
    const path = outboxPath(server.services);
    const { status, text, headers } = await server.request('GET', path, { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(text).toContain(`/login?link=${link}"`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await server.request('GET', path, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404); // it came through a proxy, from anywhere
    // A proxy of this machine may rewrite the host and leave nothing of itself: its callers don't know the key.
    for (const other of ['/dev/outbox', '/dev/outbox?key=', `/dev/outbox?key=${newToken()}`, `${path}&key=${newToken()}`])
      expect([other, (await server.request('GET', other)).status]).toEqual([other, 404]);
    await server.services.db.inStore(1, trx => sql`update outbox set subject = '<script>alert(1)</script>'`.execute(trx));
    const escaped = await server.request('GET', path);
    expect([escaped.status, escaped.text.includes('<script>alert')]).toEqual([200, false]);
  });
});
