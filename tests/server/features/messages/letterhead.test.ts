// How a store's e-mails look and whom they come from: saved, seen while typing, uploaded, and obeyed by everything that is sent.
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { dateLabel } from '../../../../src/domain/calendar/calendar.ts';
import type { Letter } from '../../../../src/server/platform/mail/mail-transport.ts';
import { samplesOf } from '../../../../src/domain/messages/letter.ts';
import { letterFor } from '../../../../src/server/platform/mail/letter-for.ts';
import { bodyText, TEMPLATE } from '../../../../src/server/platform/mail/message-edits.ts';
import { textId } from '../../../../src/server/platform/texts/text-id.ts';
import { Words } from '../../../../src/server/platform/texts/words.ts';
import { enqueueMail, sendDueMail } from '../../../../src/server/platform/mail/outbox.ts';
import { sendReminders } from '../../../../src/server/engine/charging/reminders.ts';
import { transactIn } from '../../../../src/server/engine/runtime.ts';
import { Abandoned, Apart } from '../../../../src/server/platform/apart/apart.ts';
import type { PictureDone } from '../../../../src/server/features/messages/picture-process.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const LONG_PNG = 2_900_001;

describe('the letterhead of a store', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  let carried: Letter[];
  const query = (text: string, params: unknown[] = []) =>
    server.services.db.ownerQuery<Record<string, any>>(text, params).then(r => r.rows); // any: rows of the database
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres', config: { portalUrl: 'https://shop.example' } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    made = await makeContract(server, goods);
    carried = [];
    await query("delete from settings where name like 'notification-%'");
    await query("delete from setting_history where name like 'notification-%'");
    await query('delete from outbox');
  });

  const send = async (isTracked = false): Promise<Letter[]> => {
    const transport = { carry: async (letter: Letter) => void carried.push(letter), close: () => undefined };
    const { db, log, definitions, secrets } = server.services;
    await sendDueMail(db, transport, log, { definitions, secrets, base: server.url, isTracked });
    return carried;
  };
  const set = async (settingsPage: string, page: JsonObject): Promise<void> => {
    const saved = await server.call('settings.set', { settingsPage, ...page });
    expect([saved.status, saved.body.errors ?? []]).toEqual([200, []]);
  };
  const branding = (page: JsonObject) => set('notification-branding', page);
  const preferences = (page: JsonObject) => set('notification-preferences', page);
  const pause = () => server.call('subscription-contract.pause', { id: made.id });
  const upload = (name: string, content: Buffer | string) =>
    server.call('email-branding.image', { name, content: typeof content === 'string' ? content : content.toString('base64') });
  const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#1f5132' } });

  it('every message says the language of its words and their direction, in whatever language it is sent', async () => {
    const { messages, messageVariables } = server.services.definitions;
    for (const [locale, attributes] of [
      ['de', 'lang="de" dir="ltr"'],
      ['ar', 'lang="ar" dir="rtl"'],
      ['pt-BR', 'lang="pt-BR" dir="ltr"'],
    ] as const) {
      carried = [];
      const kinds = Object.values(messages);
      for (const kind of kinds) {
        const values = samplesOf({ ...messageVariables, ...kind.variables });
        const translated = new Map([[textId({ ownerKind: TEMPLATE, ownerId: kind.key, key: 'body' }), bodyText(kind)]]);
        const words = new Words('en', new Map([[locale, translated]]));
        const letter = letterFor(kind, undefined, { words, locale }, () => values);
        const mail = { ...letter, template: kind.key, to: 'a@mail.example' };
        await server.services.db.inStore(1, trx => enqueueMail(trx, 1, mail, new Date()));
      }
      const sent = await send();
      expect(sent).toHaveLength(kinds.length);
      for (const { html, subject } of sent) expect([subject, html?.includes(`<html ${attributes}>`)]).toEqual([subject, true]);
    }
    // Words that the store wrote in its own language, and a message without any.
    const [kind] = Object.values(messages).filter(one => one.audience === 'customer');
    const values = samplesOf({ ...messageVariables, ...kind!.variables });
    const edit = { body: bodyText(kind!), version: 1, updatedAt: '', updatedBy: '' };
    const words = new Words('de', new Map());
    expect(letterFor(kind!, edit, { words, locale: null }, () => values).language).toBe('de');
    expect(letterFor(kind!, undefined, { words, locale: null }, () => values).language).toBe('en');
  });

  it('C122 C123 D155 the branding is read and saved under its own address of the second API, as on its page', async () => {
    for (const name of ['get', 'set', 'image', 'viewCode', 'templateVariables'])
      expect(server.services.definitions.calls[`email-branding.${name}`]?.host).toBe('v2');
    const whole = {
      backgroundColor: '#f4f4f1',
      buttonTextColor: '#ffffff',
      primaryColor: '#aa3300',
      fontFamily: 'GEORGIA',
      footerText: 'Meadow Lane 1',
      logoWidth: 200,
    };
    const saved = await server.call('email-branding.set', whole);
    expect(saved.status).toBe(200);
    const read = await server.call('email-branding.get');
    expect(read.data).toMatchObject({ primaryColor: '#aa3300', footerText: 'Meadow Lane 1', logoWidth: 200, buttonTextColor: '#ffffff' });
    expect((await server.call('settings.get', { settingsPage: 'notification-branding' })).data).toMatchObject({ primaryColor: '#aa3300' });
    const refused = await server.call('email-branding.set', { ...whole, logoWidth: 301 });
    expect(refused.body.errors?.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/logoWidth', 'Choose between 50 and 300 px.'],
    ]);
  });

  it('C124 an image is redrawn, stored once, and served to all so that nothing in it can act', async () => {
    const png = await picture(2400, 800).png().toBuffer();
    const { data, status } = await upload('logo.png', png);
    expect([status, data.url]).toEqual([200, expect.stringMatching(/^\/media\/1\/[0-9a-f]{64}\.png$/)]);
    expect((await upload('again.png', png)).data.url).toBe(data.url);
    const served = await fetch(server.url + data.url);
    expect([served.status, served.headers.get('content-type'), served.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(served.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 1600, height: 533 });
    // Of another store, or a file that is not public.
    expect((await fetch(server.url + data.url.replace('/media/1/', '/media/2/'))).status).toBe(404);
    await query('update files set is_public = false');
    expect((await fetch(server.url + data.url)).status).toBe(404);
    await query('delete from files');
  });

  it('C124 an SVG becomes a picture, and what is none, too large or too many pixels is refused', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><script>alert(1)</script><rect width="80" height="20"/></svg>';
    const { data } = await upload('logo.svg', Buffer.from(svg));
    expect(data.url).toMatch(/\.png$/);
    expect((await upload('notes.txt', Buffer.from('hello'))).body.errors?.[0]?.message).toBe('Use a PNG, JPG, SVG, GIF or WebP image.');
    const broken = (await picture(300, 300).png().toBuffer()).subarray(0, 200);
    expect((await upload('broken.png', broken)).status).toBe(422);
    expect((await upload('large.png', Buffer.alloc(2 * 1024 * 1024 + 1))).body.errors?.[0]?.message).toBe('Use an image smaller than 2 MB');
    expect((await upload('larger.png', 'A'.repeat(LONG_PNG))).body.errors?.[0]?.message).toBe('Use an image smaller than 2 MB');
    const wide = await picture(8000, 8000).png({ compressionLevel: 9 }).toBuffer();
    expect((await upload('wide.png', wide)).status).toBe(422);
    expect((await server.call('email-branding.image', { name: 'a.png', content: 'AAAA' }, { as: 'readOnly' })).status).toBe(403);
  });

  it('D124 an SVG that asks for too much work or loads something is refused before it is drawn', async () => {
    const svg = (inner: string, size = 'width="100" height="100"'): Buffer =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inner}</svg>`);
    const refs = (name: string, n: number): string =>
      Array.from({ length: n }, (_, i) => `<g id="${name}${i + 1}">${`<use xlink:href="#${name}${i}"/>`.repeat(10)}</g>`).join('');
    const blur = '<feGaussianBlur stdDeviation="200"/>'.repeat(25);
    const refused = {
      'ten by ten': svg(`<rect id="a0" width="9" height="9"/>${refs('a', 9)}<use href="#a9"/>`),
      'by a style sheet': svg(
        `<style>rect{fill:url(#p)}</style><pattern id="p" width="1" height="1">${'<path d="M0 0h1"/>'.repeat(200)}</pattern>${'<rect/>'.repeat(100)}`,
      ),
      'a chain of blurs': svg(`<filter id="f">${blur}</filter><rect width="99" height="99" filter="url(#f)"/>`),
      'blurs as functions': svg('<rect width="99" height="99" style="filter:blur(90px)"/>'.repeat(25)),
      'a wide outline': svg('<filter id="f"><feMorphology operator="dilate" radius="400"/></filter><rect filter="url(#f)"/>'),
      'an outline of small units': svg('<filter id="f"><feMorphology radius="1"/></filter><rect filter="url(#f)"/>', 'viewBox="0 0 9 9"'),
      'an outline that is enlarged': svg(
        '<filter id="f"><feMorphology radius="1"/></filter><g transform="scale(90)"><rect filter="url(#f)"/></g>',
      ),
      'a wide matrix': svg('<filter id="f"><feConvolveMatrix order="99"/></filter><rect filter="url(#f)"/>'),
      'endless turbulence': svg('<filter id="f"><feTurbulence numOctaves="999999"/></filter><rect filter="url(#f)"/>'),
      'a circle': svg('<g id="a"><use href="#a"/></g>'),
      depth: svg('<g>'.repeat(200) + '</g>'.repeat(200)),
    };
    for (const [name, content] of Object.entries(refused)) {
      const { status, body } = await upload('logo.svg', content);
      expect([name, status, body.message]).toEqual([name, 422, 'This image takes too much work to draw. Save it as PNG and upload that.']);
    }
    const loading = {
      entities: Buffer.from('<!DOCTYPE svg [<!ENTITY a "aa">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>'),
      'another picture': svg('<image href="https://example.com/a.png"/>'),
      'an SVG inside': svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
      'a file': svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname"/>'),
      'a style sheet': svg('<style>@import "a.css";</style>'),
    };
    for (const [name, content] of Object.entries(loading)) {
      const { status, body } = await upload('logo.svg', content);
      expect([name, status, body.message]).toEqual([name, 422, expect.stringMatching(/^This SVG loads other files or declares entities/)]);
    }
    // What people draw with gradients, a clip, a shadow and a picture inside of it is drawn.
    const logo = svg(
      '<defs><linearGradient id="g"><stop/><stop offset="1"/></linearGradient><clipPath id="c"><circle r="9"/></clipPath>' +
        '<filter id="s"><feMorphology radius=".1"/><feDropShadow dx="1"/></filter><path id="leaf" d="M0 0h9v9z"/></defs><style>.a{fill:url(#g)}</style>' +
        '<g clip-path="url(#c)" filter="url(#s)"><use href="#leaf" class="a"/><use href="#leaf" x="4"/></g>',
      'viewBox="0 0 90 90" width="9000" height="9000"',
    );
    const { data, status } = await upload('logo.svg', logo);
    expect(status).toBe(200);
    const drawn = sharp(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 1600 });
  });

  it('D124 a drawing that takes longer than it may is ended with its process, and the next one is drawn', async () => {
    const from = new URL('../../../../src/server/features/messages/picture.ts', import.meta.url).href;
    const drawings = new Apart<Uint8Array, PictureDone>(from, 'picture-process', { timeoutMs: 1000, waitingOfOne: 4, waiting: 4 });
    // Few elements, so that it is not refused, and much work at each pixel.
    const slow = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><filter id="f" x="0" y="0" width="1" height="1">' +
        '<feTurbulence type="fractalNoise" baseFrequency=".05" numOctaves="9"/></filter>' +
        '<rect width="1600" height="1600" filter="url(#f)"/></svg>',
    );
    const plain = await picture(30, 30).png().toBuffer();
    const [ended, next] = await Promise.allSettled([drawings.run(slow, 1), drawings.run(plain, 2)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(Abandoned) });
    expect(next).toMatchObject({ status: 'fulfilled', value: { ending: 'png' } });
  });

  it('C124 every kind of picture that people have is taken, WebP too', async () => {
    const one = picture(1600, 600);
    for (const [ending, made] of [
      ['png', one.clone().png()],
      ['jpg', one.clone().jpeg()],
      ['gif', one.clone().gif()],
      ['png', one.clone().webp()],
    ] as const) {
      const { data, status } = await upload('wide', await made.toBuffer());
      expect([status, data?.url]).toEqual([200, expect.stringMatching(new RegExp(`\\.${ending}$`))]);
      expect(await sharp(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())).metadata()).toMatchObject({ width: 1600 });
    }
  });

  it('C125 the HTML follows what is typed, and is as saved without it', async () => {
    await branding({ primaryColor: '#aa3300' });
    expect((await server.call('email-branding.viewCode')).data.html).toContain('background-color:#aa3300');
    const typed = {
      primaryColor: '#0000cc',
      logoUrl: 'https://cdn.example/logo.png',
      logoWidth: 90,
      footerText: 'A <b>\nB',
      fontFamily: 'GEORGIA',
    };
    const { html } = (
      await server.call('email-branding.viewCode', { branding: { ...typed, socialLinks: [{ network: 'X', url: 'https://x.example/m' }] } })
    ).data;
    for (const part of [
      'background-color:#0000cc',
      'src="https://cdn.example/logo.png" width="90"',
      'A &#60;b&#62;<br>B',
      'Georgia',
      '>X</a>',
    ])
      expect(html).toContain(part);
    // While it is being typed, what is not valid yet is as usual.
    expect(
      (await server.call('email-branding.viewCode', { branding: { primaryColor: '#12', logoUrl: 'javascript:alert(1)' } })).data.html,
    ).not.toMatch(/javascript|#12;/);
  });

  it('every e-mail that is sent carries the branding, and shows with the one it was sent with', async () => {
    await branding({ primaryColor: '#aa3300', footerText: 'Meadow Lane 1' });
    await server.call('subscription-contract-app.editPaymentMethod', { id: made.id });
    await pause();
    const letters = await send();
    expect(letters.length).toBeGreaterThan(1);
    for (const { html } of letters) expect(html).toContain('Meadow Lane 1');
    const version = (await server.call('settings.get', { settingsPage: 'notification-branding' })).data.version;
    expect((await query('select distinct branding_version as v from outbox where sent_at is not null')).map(row => row.v)).toEqual([
      version,
    ]);
  });

  it('name, replies and hidden copies of the sender: for customers, and the name alone for the team', async () => {
    await preferences({ senderName: 'Meadow Coffee', replyTo: 'hello@meadow.example', bcc: ['archive@meadow.example'] });
    await pause();
    const letters = await send();
    const { customer_email: customer } = (
      await query('select customer_email from contracts where store_id = 1 and id = $1', [made.id])
    )[0]!;
    const ours = letters.find(({ recipient }) => recipient === customer);
    expect(ours).toMatchObject({ from: { name: 'Meadow Coffee' }, replyTo: 'hello@meadow.example', bcc: ['archive@meadow.example'] });
    const team = letters.find(({ recipient }) => recipient !== customer);
    expect(team).toMatchObject({ from: { name: 'Meadow Coffee' } });
    expect([team?.replyTo, team?.bcc]).toEqual([undefined, undefined]);
    // The team comes to the subscription by a press; the customer's letter leads to no page of the admin.
    const record = `${server.url}/subscriptions/${made.id}`;
    expect([team?.text, team?.html].map(part => part?.includes(record))).toEqual([true, true]);
    expect([ours?.text, ours?.html].map(part => part?.includes(record))).toEqual([false, false]);
    expect(await query("select copies from outbox where template = 'SUBSCRIPTION_PAUSED'")).toEqual([
      { copies: ['archive@meadow.example'] },
    ]);
  });

  it('e-mails to the team go to the addresses of this page, else to those of General, else to the store', async () => {
    await set('general', { storeEmail: ['general@meadow.example'] });
    const team = async () =>
      (await query("select recipient from outbox where template = 'ADMIN_SUBSCRIPTION_PAUSED' order by id desc limit 1"))[0]?.recipient;
    await pause();
    expect(await team()).toBe('general@meadow.example');
    await preferences({ adminEmails: ['team@meadow.example'] });
    made = await makeContract(server, goods);
    await pause();
    expect(await team()).toBe('team@meadow.example');
    const many = Array.from({ length: 11 }, (_, i) => `a${i}@meadow.example`);
    const refused = await server.call('settings.set', { settingsPage: 'notification-preferences', adminEmails: many });
    expect(refused.body.errors?.[0]?.message).toBe('Enter at most 10 addresses.');
  });

  it('days are written as the store writes them', async () => {
    await preferences({ dateFormat: 'NUMBERS', dateOrder: 'DD,MM,YYYY', dateSeparator: '.' });
    await server.call('subscription-contract.pause', { id: made.id });
    await server.call('subscription-contract.resume', { id: made.id });
    const [mail] = await query("select text from outbox where template = 'SUBSCRIPTION_RESUMED'");
    expect(mail?.text).toMatch(/\b\d\d\.\d\d\.\d{4}\b/);
    expect(mail?.text).not.toContain(dateLabel(Date.now(), 'UTC').slice(0, 3) + ',');
  });

  it('customers get nothing on weekends and quiet days, but for what they ask for; the team does', async () => {
    const zone = (await query('select timezone from stores where id = 1'))[0]!.timezone as string;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
    await preferences({ quietDays: [today] });
    await pause();
    await server.call('subscription-contract-app.editPaymentMethod', { id: made.id });
    const rows = await query('select template, send_after > now() + $1::interval as waits, send_after from outbox', ['1 minute']);
    const waits = Object.fromEntries(rows.map(({ template, waits: value }) => [template, value]));
    expect(waits).toMatchObject({ SUBSCRIPTION_PAUSED: true, ADMIN_SUBSCRIPTION_PAUSED: false, PAYMENT_METHOD_UPDATE: false });
    const waiting = rows.find(({ template }) => template === 'SUBSCRIPTION_PAUSED')!.send_after as Date;
    expect(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(waiting)).toBe('09:00');
  });

  it('an order is announced as many days ahead as the store says', async () => {
    const announced = async () =>
      (await query("select contract_id from outbox where template = 'UPCOMING_ORDER'")).map(row => row.contract_id);
    await query(
      "update contracts set next_billing_at = now() + interval '6 days', created_at = now() - interval '40 days' where store_id = 1 and id = $1",
      [made.id],
    );
    const run = () => transactIn(server.services, 1)(context => sendReminders(context, 100));
    await run();
    expect(await announced()).not.toContain(made.id);
    await preferences({ upcomingOrderDaysBefore: 10 });
    await run();
    expect(await announced()).toContain(made.id);
  });

  it('links to customers carry the campaign, in both parts, and keep what they had', async () => {
    await preferences({ utmSource: 'meadow', utmMedium: 'email', utmCampaign: 'late spring' });
    await server.call('subscription-contract-app.editPaymentMethod', { id: made.id });
    const [letter] = await send();
    const tail = /utm_source=meadow&(?:#38;)?utm_medium=email&(?:#38;)?utm_campaign=late\+spring/;
    expect(letter?.text).toMatch(new RegExp(`^https://shop\\.example\\S+${tail.source}$`, 'm'));
    expect(letter?.html).toMatch(new RegExp(`href="https://shop\\.example[^"]+${tail.source}"`));
    await pause();
    expect((await send()).filter(({ recipient }) => recipient.endsWith('team')).every(({ html }) => !html.includes('utm_'))).toBe(true);
  });

  it('an e-mail that can be followed says when it was opened, once, and tells a stranger nothing', async () => {
    await server.services.db.inStore(1, trx =>
      enqueueMail(
        trx,
        1,
        { template: 'SUBSCRIPTION_PAUSED', to: 'ann@example.com', subject: 'S', text: 'T', html: '<p>T</p>' },
        new Date(),
      ),
    );
    const [letter] = await send(true);
    const pixel = /src="([^"]*\/mail\/opened\/[^"]+)"/.exec(letter!.html)?.[1];
    expect((await fetch(pixel!)).headers.get('content-type')).toBe('image/gif');
    const opened = async () => (await query('select opened_at from outbox'))[0]!.opened_at as Date | null;
    const first = await opened();
    expect(first).toBeInstanceOf(Date);
    await fetch(pixel!);
    expect(await opened()).toEqual(first);
    expect((await fetch(`${server.url}/mail/opened/${'A'.repeat(43)}.gif`)).status).toBe(200);
  });
});
