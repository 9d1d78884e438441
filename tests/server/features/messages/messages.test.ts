// Messages that follow an event: one file, sent once, after their delay and not at night, to whom the change lets hear of it.
import { sql } from 'kysely';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverEvents } from '../../../../src/server/platform/events/deliver.ts';
import { sendDueMail } from '../../../../src/server/platform/mail/outbox.ts';
import type { Letter } from '../../../../src/server/platform/mail/mail-transport.ts';
import { outboxPath } from '../../../../src/server/platform/mail/outbox-page.ts';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { ADDRESS, makeContract, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';

const MESSAGE = {
  $schema: '../meta/message.json',
  title: 'Address changed',
  description: 'Two hours after the address of a subscription was changed, not at night.',
  audience: 'customer',
  purpose: 'contract',
  when: { event: 'shipping_address_updated', delay: '2 hours', quiet: { from: '21:00', to: '08:00' } },
  subject: 'Your address was changed',
  body: ['Hi {{ customer.firstName }},', 'Your orders go to {{ event.after.shippingAddress.city }} from now on.', '{{ store.name }}'],
};
const FOR_ADMINS = {
  ...MESSAGE,
  audience: 'admins',
  when: { event: 'shipping_address_updated' },
  subject: 'Address of #{{ subscription.id }} changed',
  body: ['It goes to {{ event.after.shippingAddress.city }}.'],
};

describe('messages that follow an event', () => {
  let server: TestServer;
  let goods: Goods;
  let made: Made;
  beforeAll(async () => {
    server = await startTestServer({
      engine: 'postgres',
      services: {
        definitions: definitionsWith({
          'schemas/messages/ADDRESS_CHANGED.json': MESSAGE,
          'schemas/messages/ADMIN_ADDRESS_CHANGED.json': FOR_ADMINS,
        }),
      },
    });
    goods = await stockGoods(server);
    made = await makeContract(server, goods);
  });
  afterAll(() => server?.close());

  /** Moves the store's clock to this time of its day, a week on. */
  async function setTime(hour: number): Promise<void> {
    const { rows } = await server.services.db.ownerQuery<{ timezone: string }>('select timezone from stores where id = 1');
    const at = DateTime.now().setZone(rows[0]?.timezone).plus({ days: 7 }).set({ hour, minute: 30, second: 0, millisecond: 0 });
    await server.services.db.ownerQuery('update stores set clock_offset_ms = $1 where id = 1', [Math.round(at.toMillis() - Date.now())]);
    server.services.sessions.forget(1);
  }
  const move = async (city: string): Promise<void> => {
    const answer = await server.call('subscription-contract.updateShippingDetails', {
      id: made.id,
      address: { ...ADDRESS, city },
      keepShippingPrice: true,
    });
    expect([answer.status, answer.body.message]).toEqual([200, answer.body.message]);
    // Delivered only below the oldest transaction under way, which may be another test's.
    await expect
      .poll(
        async () => {
          await deliverEvents(server.services, 1);
          return (await server.services.db.ownerQuery('select 1 from event_queue where store_id = 1')).rows.length;
        },
        { timeout: 90_000 },
      )
      .toBe(0);
  };
  const letters = async (template: string) =>
    (
      await server.services.db.ownerQuery<{ recipient: string; subject: string; text: string; html: string; send_after: Date }>(
        'select recipient, subject, text, html, send_after from outbox where store_id = 1 and template = $1 order by id',
        [template],
      )
    ).rows;
  const localTime = async (at: Date): Promise<string> => {
    const { rows } = await server.services.db.ownerQuery<{ timezone: string }>('select timezone from stores where id = 1');
    return DateTime.fromJSDate(at, { zone: rows[0]?.timezone ?? 'UTC' }).toFormat('HH:mm');
  };

  it('writes one letter for each event, to be sent after the delay', async () => {
    await setTime(10);
    await move('Albany');
    const [letter, ...others] = await letters('ADDRESS_CHANGED');
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      recipient: expect.stringContaining('@mail.example'),
      subject: 'Your address was changed',
      text: expect.stringContaining('Your orders go to Albany from now on.'),
      html: expect.stringContaining('<p style="margin:0 0 16px">Your orders go to Albany from now on.</p>'),
    });
    expect(await localTime(letter!.send_after)).toBe('12:30');
  });

  it('waits for the morning in quiet hours, on either side of midnight', async () => {
    await setTime(20);
    await move('Buffalo');
    await setTime(3);
    await move('Cortland');
    const times = await Promise.all((await letters('ADDRESS_CHANGED')).slice(1).map(letter => localTime(letter.send_after)));
    expect(times).toEqual(['08:00', '08:00']);
  });

  it('leaves when its time has come and not before, as HTML with a text part', async () => {
    const sent: Letter[] = [];
    const transport = {
      carry: async (mail: Letter) => {
        sent.push(mail);
      },
      close: () => undefined,
    };
    await setTime(10);
    await move('Delhi');
    const send = () =>
      sendDueMail(server.services.db, transport, server.services.log, {
        definitions: server.services.definitions,
        secrets: server.services.secrets,
        base: server.url,
        isTracked: false,
      });
    await send();
    const arrived = () => sent.filter(mail => mail.subject === 'Your address was changed' && mail.text.includes('Delhi'));
    expect(arrived()).toEqual([]);
    await server.services.db.ownerQuery('update stores set clock_offset_ms = clock_offset_ms + 7300000 where id = 1');
    await send();
    await send();
    expect(arrived()).toHaveLength(1);
    expect(arrived()[0]?.html).toMatch(/^<!doctype html>[\s\S]*<title>Your address was changed<\/title>[\s\S]*Delhi from now on/);
  });

  it('tells the people of the store, unless a bulk change is made without e-mails', async () => {
    const before = (await letters('ADMIN_ADDRESS_CHANGED')).length;
    expect(before).toBeGreaterThan(0);
    for (const [messages, customer, admins] of [
      ['CUSTOMER', 1, 0],
      ['NONE', 0, 0],
      ['ALL', 1, 1],
    ] as const) {
      const counts = async () => [(await letters('ADDRESS_CHANGED')).length, (await letters('ADMIN_ADDRESS_CHANGED')).length];
      const [customers = 0, people = 0] = await counts();
      await server.services.db.inStore(1, trx =>
        sql`with added as (insert into events (store_id, contract_id, key, source, data, messages) values (1, ${made.id}, 'shipping_address_updated',
            'System', '{"after":{"shippingAddress":{"city":"Elmira"}}}', ${messages}) returning id)
          insert into event_queue (store_id, event_id) select 1, id from added`.execute(trx),
      );
      // Delivered only below the oldest transaction under way, which may be another test's.
      await expect
        .poll(async () => {
          await deliverEvents(server.services, 1);
          return [messages, ...(await counts())];
        })
        .toEqual([messages, customers + customer, people + admins]);
    }
  });

  it('are shown in the outbox with both parts and why they were sent, the HTML as a page that can only be looked at', async () => {
    const page = outboxPath(server.services);
    const { text } = await server.request('GET', page, { headers: { accept: 'text/html' } });
    expect(text).toContain(`Two hours after the address of a subscription was changed, not at night. Subscription #${made.id}.`);
    expect(text).toContain('Your orders go to Delhi from now on.');
    const [src = ''] = [...text.matchAll(/src="([^"]+)"/g)].map(match => match[1]!.replaceAll('&#38;', '&'));
    const shown = await server.request('GET', src);
    expect(shown.text).toMatch(/^<!doctype html>[\s\S]*role="presentation"/);
    expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    for (const other of [src.replace(/key=[^&]+/, 'key=x'), src.replace(/store=\d+/, 'store=2'), src.replace(/id=\d+/, "id=1'")])
      expect([other, (await server.request('GET', other)).status]).toEqual([other, 404]);
    expect((await server.request('GET', src, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
  });
});
