// Dates of delivery instead of dates of charge, from the settings to a subscription: chosen, looked at, saved, brought to existing subscriptions, seen there.
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { apply, chooseDelivery, daysBetween, firstWait, orders, PATH, ready, save } from '../../support/browser/order-schedule.ts';

interface Row {
  id: number;
  status: string;
  isPrepaid: boolean;
}

describe('delivery dates', () => {
  const at = journeys({ size: 300 });
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (
      (await (
        await fetch(`${at.product.url}/host/main/api/merchant/${path}`, { headers: { authorization: await at.product.token() } })
      ).json()) as { data: Record<string, unknown> }
    ).data;
  /** Active subscriptions by the country they are sent to. */
  const shippedTo = async (country: string): Promise<Row | undefined> => {
    const filter = encodeURIComponent(JSON.stringify({ status: ['ACTIVE'], isPrepaid: false, deliveryType: ['SHIPPING'] }));
    const rows = (await get(`subscriptionContract/list?pageSize=100&filter=${filter}`)) as unknown as Row[];
    for (const row of rows) {
      const record = await get(`subscriptionContract/read?id=${row.id}`);
      if ((record.shippingAddress as { countryCode?: string } | null)?.countryCode === country) return row;
    }
    return undefined;
  };
  /** What a subscription says of its next order: charged and delivered. */
  const aheadOf = async (id: number): Promise<{ charged: string; delivered: string; problems: string[] }> => {
    const { page, problems } = await at.page(`/subscriptions/${id}`);
    const table = page.getByRole('table', { name: 'Upcoming orders' });
    await table.locator('tbody tr').first().waitFor();
    const heads = await table.getByRole('columnheader').allInnerTexts();
    const cells = await table.locator('tbody tr').first().locator('td').allInnerTexts();
    const cell = (title: string): string => cells[heads.indexOf(title)] ?? '';
    return { charged: cell('Charged'), delivered: cell('Delivered'), problems };
  };

  it('are chosen with the days before them, kept over a reload, brought to existing subscriptions, and stand there by the country of each', async () => {
    const [home, abroad] = [await shippedTo('US'), await shippedTo('CA')];
    expect(home, 'the demo store sends to its own country').toBeDefined();
    const { page, problems } = await at.page(PATH);
    await ready(page);
    await page.getByLabel('Charge on certain weekdays only').waitFor();
    await chooseDelivery(page, 4, 9);
    // What belongs to charge dates alone goes with them.
    await page.getByLabel('Charge on certain weekdays only').waitFor({ state: 'detached' });
    await eventually(() => firstWait(page)).toBe(4);
    await save(page);
    await apply(page, 'Apply to existing subscriptions?', 'Update schedules');

    await page.reload();
    await ready(page);
    expect(await page.getByLabel('Charge before delivery').inputValue()).toBe('4');
    await eventually(() => firstWait(page)).toBe(4);
    expect(await orders(page).locator('del').count()).toBe(0);

    const here = await aheadOf(home!.id);
    expect([here.charged, here.delivered, daysBetween(here.charged, here.delivered)]).toEqual([here.charged, here.delivered, 4]);
    if (abroad) {
      const there = await aheadOf(abroad.id);
      expect(daysBetween(there.charged, there.delivered)).toBe(9);
      expect(there.problems).toEqual([]);
    }
    expect([...here.problems, ...problems]).toEqual([]);
  });

  it('more days than an order can wait for are refused at their field, and nothing is saved', async () => {
    const { page, problems } = await at.page(PATH);
    await ready(page);
    await page.getByText('Delivery dates', { exact: true }).click();
    await page.getByLabel('Charge before delivery').fill('31');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose between 0 and 30 days.').first().waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(await page.getByText('Settings saved.').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
