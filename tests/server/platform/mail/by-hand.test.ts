// E-mails that a call sends: every such call is limited, by address and by store.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { mailLimit } from '../../../../src/server/platform/mail/by-hand.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { makeContract, stockGoods, type Goods } from '../../features/subscriptions/fixture.ts';

/** Files that put mail into the outbox themselves: what limits them instead. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'referrals/rules.ts': 'merchants who were invited within a day are counted',
  'help/rules.ts': 'questions within an hour are counted',
  'session/calls/sign-in.ts': 'attempts by address and by network are counted',
  'messages/consumers/messages.ts': 'follows an event',
  'webhooks/senders/webhooks.ts': 'follows an event',
  'quick-actions/campaign-letters.ts': 'a thousand wait at most, and who had one within some days gets none',
  'bulk-actions/finished-mail.ts': 'follows the end of a bulk action',
};

describe.each(oneEngine)('e-mails that a call sends (%s)', engine => {
  let server: TestServer;
  let goods: Goods;
  beforeAll(async () => {
    server = await startTestServer({ engine, seed: { contracts: 6, stores: 1 }, config: { portalUrl: 'https://portal.example.com' } });
    goods = await stockGoods(server);
  });
  afterAll(() => server?.close());

  it('go through the one way that counts them, but for those that are counted otherwise', () => {
    const features = new URL('../../../../src/server/features', import.meta.url).pathname;
    const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
    const uncounted = files.filter(file => /\b(?:enqueueMail|addMails)\(/.test(readFileSync(join(features, file), 'utf8')));
    const engines = uncounted.filter(file => !file.startsWith('subscriptions/engine/') && !file.startsWith('demo/'));
    expect(engines.sort()).toEqual(Object.keys(OTHERWISE).sort());
  });

  /** Presses until it is refused. @returns how often it was answered, and the refusal */
  async function pressed(call: string, input: JsonObject, most: number) {
    for (let n = 0; n <= most; n++) {
      const answer = await server.call(call, input);
      if (answer.status !== 200) return { n, answer };
    }
    throw new Error(`${call} was never refused.`);
  }

  it('reach one address a few times an hour; presses at once are counted one after the other; others get theirs', async () => {
    const { toOne } = mailLimit('CUSTOMER_PORTAL_LINK');
    const [made, other] = [await makeContract(server, goods), await makeContract(server, goods)];
    await server.call('customers-app.update', { id: other.customerId, email: 'another@letters.example' });
    const { n, answer } = await pressed('customers-app.sendPortalLink', { id: made.customerId }, toOne);
    expect([n, answer.status, answer.body.code]).toEqual([toOne, 429, 'TOO_MANY_REQUESTS']);
    expect(answer.body.message).toContain(`was sent this e-mail ${toOne} times within an hour.`);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3000);
    expect(seconds).toBeLessThanOrEqual(3600);
    const atOnce = await Promise.all(
      Array.from({ length: toOne + 3 }, () => server.call('customers-app.sendPortalLink', { id: other.customerId })),
    );
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(toOne);
  });

  it('are limited for invitations and letters that are sent again too', async () => {
    const invited = await server.call('users.invite', { email: 'new.colleague@team.example', firstName: 'New', lastName: 'Colleague' });
    const user = invited.data as JsonObject | undefined;
    expect(invited.status, JSON.stringify(invited.body)).toBe(200);
    const id = Number(user?.userId ?? user?.id);
    const { answer } = await pressed('users.inviteAgain', { id }, mailLimit('TEAM_INVITATION').toOne);
    expect(answer.status).toBe(429);
  });
});
