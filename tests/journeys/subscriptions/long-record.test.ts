// A subscription with much to tell: two charges on one day, a long note, many tags, and answers that fail or stay out.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/types.ts';
import { eventually, journeys, provoked } from '../../support/browser/journey.ts';
import { ACTIVE, events, subscriptionPages } from '../../support/browser/subscription-page.ts';
import { violations } from '../../support/browser/browser.ts';

const at = journeys({ size: 300 });
const { another, open } = subscriptionPages(at);
const post = async (path: string, body: JsonObject): Promise<JsonObject> => {
  const answer = await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/${path}`, {
    method: 'POST',
    headers: { authorization: await at.product.token(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: JsonObject }).data;
};
const isCut = (page: Page, section: string): Promise<boolean> =>
  page.locator(`[data-section="${section}"] .r-only`).evaluate(element => element.scrollHeight > element.clientHeight + 1);

describe('a long record', () => {
  it('D054 says of two charges close together that they are different orders: number, amount, time, and who set them off', async () => {
    const charge = async (id: number): Promise<JsonObject> => {
      const { nextOrderId } = (
        (await (
          await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/read?id=${id}`, {
            headers: { authorization: await at.product.token() },
          })
        ).json()) as { data: { nextOrderId: number } }
      ).data;
      return post('chargeNow', { id, orderId: nextOrderId, keepSchedule: true });
    };
    const monthly = () => another({ ...ACTIVE, deliveryType: ['SHIPPING'] }, record => /month/i.test(String(record.frequency)));
    let found = await monthly();
    // Not every card of the demo pays.
    while ((await charge(found.id)).lastPaymentStatus !== 'SUCCESS') found = await monthly();
    await charge(found.id);
    const { page, problems } = await open(found);
    const history = page.locator('[data-section="history"]');
    const note = history.getByRole('note');
    await note.waitFor();
    const text = (await note.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(
      /Two orders were charged close together, \S+ in all\. They are different orders: Order (\d+) \(#\d+\), \S+ on \w+ \d+, \d+, [\d:]+ [AP]M, by hand by \S+@\S+\. Order (\d+) \(#\d+\), \S+ on \w+ \d+, \d+, [\d:]+ [AP]M, by hand by \S+@\S+\./,
    );
    const placed = events(page).filter({ hasText: /Charged by hand by \S+@\S+\./ });
    await eventually(() => placed.count()).toBe(2);
    // Narrowed to payments, the log has the charges and nothing else, from all of its length.
    await page.locator('[data-section="activity"]').getByRole('button', { name: 'Payments', exact: true }).click();
    await eventually(() => events(page).filter({ hasText: 'Subscription created' }).count()).toBe(0);
    await eventually(() => placed.count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('keeps a long note, many tags and many attributes short until all of them are wanted', async () => {
    const found = await another(ACTIVE);
    await post('updateNote', {
      id: found.id,
      note: 'Please ring twice, and leave it with the neighbour if the door stays shut. '.repeat(40),
    });
    await post('updateTags', { id: found.id, tags: Array.from({ length: 40 }, (_, i) => `tag-number-${i}-of-the-store`) });
    await post('update_custom_attributes', {
      id: found.id,
      customAttributes: Array.from({ length: 20 }, (_, i) => ({
        key: `attribute_${i}`,
        value: `A value that goes on without any break ${'x'.repeat(60)}`,
      })),
    });
    for (const width of [1440, 390] as const) {
      const { page, problems } = await open(found, { width });
      for (const [section, name] of [
        ['note', 'note'],
        ['tags', 'tags'],
        ['attributes', 'attributes'],
      ] as const) {
        expect(await isCut(page, section), section).toBe(true);
        await page.getByRole('button', { name: `Show all of ${name}` }).click();
        expect(await isCut(page, section), section).toBe(false);
        await page.getByRole('button', { name: `Show less of ${name}` }).click();
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
      expect(problems).toEqual([]);
    }
  });

  it('D235 a part that can not be loaded says so in its place and is asked for again; the rest of the page stands', async () => {
    const found = await another(ACTIVE);
    const { page, problems } = await at.tab();
    for (const path of ['ordersHistory', 'ordersSchedule', 'read_activity_logs', 'customerDetails'])
      await page.route(
        `**/${path}?*`,
        route =>
          route.fulfill({
            status: 500,
            contentType: 'application/json',
            body: JSON.stringify({ success: false, code: 'INTERNAL', message: 'The server could not do this.', requestId: 'r-1' }),
          }),
        { times: 4 },
      );
    await page.goto(`/subscriptions/${found.id}`);
    await page.locator('.r-lines > li').first().waitFor();
    for (const title of ['Upcoming orders', 'Order history', 'Activity', 'Customer'])
      await page.getByText(`${title} could not be loaded`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unrouteAll();
    for (const title of ['Upcoming orders', 'Order history', 'Activity', 'Customer']) {
      const part = page.getByRole('region', { name: title });
      await part.getByRole('button', { name: 'Try again' }).click();
      await part.getByText('could not be loaded').waitFor({ state: 'detached' });
    }
    await events(page).first().waitFor();
    expect(problems.filter(problem => provoked(500)(problem) && !problem.startsWith('500 '))).toEqual([]);
  });
});
