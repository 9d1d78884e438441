// The screen of one subscription as journeys use it: found by what is wanted of it, its actions by the names of its definition, its log.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Action, JsonObject } from '../../../src/contract/types.ts';
import type { OpenPage, View } from './browser.ts';
import { definitionsWith } from '../definitions.ts';
import { eventually, type Journeys } from './journey.ts';

export interface Found {
  id: number;
  customerName: string;
  nextBillingDateEpoch: number;
}
/** Paid so far, with a log and a history that fit on the page. */
export const ACTIVE = { status: ['ACTIVE'], isPrepaid: false, lastPaymentStatus: ['SUCCESS'] };

/** Everything that can be done on the screen, by its id: from its head, its sections and the rows in them. */
export const ACTIONS: ReadonlyMap<string, Action> = (() => {
  const screen = definitionsWith({}).resources['subscriptions/[id]']!;
  const ofRows = [...screen.record!.main, ...(screen.record!.side ?? [])].flatMap(section =>
    'rowActions' in section ? (section.rowActions ?? []) : [],
  );
  return new Map([...(screen.actions ?? []), ...ofRows].map(action => [action.id, action]));
})();

export const events = (page: Page): Locator => page.locator('.r-events > li');
const entries = (page: Page, title: string): Locator =>
  events(page).filter({ has: page.locator('.p-strong').getByText(title, { exact: true }) });
export const dialog = (page: Page): Locator => page.locator('[role="dialog"], [role="alertdialog"]').last();
export const notice = (page: Page, text: string | RegExp): Promise<void> => page.locator('.p-notice', { hasText: text }).first().waitFor();
export const status = (page: Page, text: string): Promise<void> => page.locator('.r-title-row').getByText(text, { exact: true }).waitFor();
/** A day so many days from now, as a field for date and time takes it. */
export const inDays = (days: number): string => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T09:00`;

/** The newest entry of the log with this title says so, and that it came from here. */
export async function says(page: Page, title: string, more?: string | RegExp): Promise<void> {
  const entry = entries(page, title).first();
  await entry.waitFor();
  if (more !== undefined) await eventually(() => entry.innerText()).toMatch(more);
  expect(await entry.innerText()).toContain('Admin portal');
}

export interface Act {
  /** Where its button or its menu stands, for actions of rows. */
  at?: Locator;
  /** What its button says there, if not its title. */
  as?: string;
  /** How its button is pressed: a click by default. */
  press?: (button: Locator) => Promise<unknown>;
  /** Fills in what the dialog asks. */
  fill?: (asked: Locator) => Promise<unknown>;
  /** How the dialog is confirmed: a click by default. */
  confirm?: (button: Locator) => Promise<unknown>;
  /** The title of the entry it leaves in the log, and what that says. */
  log: string;
  says?: string | RegExp;
}

/** The words of a definition as they may come out: "Charge {row.total}" -> /^Charge .+$/. */
const spoken = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/\{[^}]*\}/)
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
  );

/** Does an action as a person does: finds it, answers its dialog, reads the notice, and finds it in the log. */
export async function act(
  page: Page,
  id: string,
  { at, as, press = button => button.click(), fill, confirm = button => button.click(), log, says: more }: Act,
): Promise<void> {
  const action = ACTIONS.get(id);
  if (!action) throw new Error(`The screen has no action "${id}".`);
  for (const old of await page.locator('.p-notice-x').all()) await old.click({ timeout: 2000 }).catch(() => undefined);
  const before = await entries(page, log).count();
  const title = as ?? action.title;
  const area = at ?? (action.place === 'section' ? page.locator(`[data-section="${action.group}"]`) : page.locator('.r-head'));
  const button = area.getByRole('button', { name: title, exact: true });
  const menu = area.getByRole('button', { name: /^(Actions for|More actions)/ });
  await button.or(menu).first().waitFor();
  if (await button.count()) await press(button.first());
  else {
    await menu.first().click();
    await page
      .getByRole('menuitem')
      .filter({ has: page.getByText(title, { exact: true }) })
      .click();
  }
  if (action.confirm !== undefined || action.prompt?.length) {
    await dialog(page).waitFor();
    await fill?.(dialog(page));
    await confirm(dialog(page).getByRole('button', { name: spoken(action.submit ?? action.title) }));
    await dialog(page).waitFor({ state: 'detached' });
  }
  if (action.done)
    await page
      .locator('.p-notice p', { hasText: spoken(action.done) })
      .first()
      .waitFor();
  await eventually(() => entries(page, log).count(), `${id}: “${log}” in the log`).toBeGreaterThan(before);
  await says(page, log, more);
}

export interface SubscriptionPages {
  /** A subscription of a kind that no other journey of the file touches; `fits` sees all of the record. */
  another(filter: object, fits?: (record: JsonObject) => boolean): Promise<Found>;
  /** Its screen, when its log is there. */
  open(found: { id: number }, view?: View): Promise<OpenPage>;
}

export function subscriptionPages(at: Journeys): SubscriptionPages {
  const used = new Set<number>();
  const get = async <T>(path: string): Promise<T> =>
    (
      (await (
        await fetch(`${at.product.url}/host/main/api/merchant/subscriptionContract/${path}`, {
          headers: { authorization: await at.product.token() },
        })
      ).json()) as { data: T }
    ).data;
  return {
    async another(filter, fits) {
      const rows = await get<Found[]>(`list?${new URLSearchParams({ pageSize: '100', filter: JSON.stringify(filter) })}`);
      for (const row of rows) {
        if (used.has(row.id) || (fits && !fits(await get<JsonObject>(`read?id=${row.id}`)))) continue;
        used.add(row.id);
        return row;
      }
      throw new Error(`The demo store has no other subscription with ${JSON.stringify(filter)}.`);
    },
    async open(found, view = {}) {
      const visit = await at.page(`/subscriptions/${found.id}`, view);
      await visit.page.locator('.r-head').first().waitFor();
      await events(visit.page).first().waitFor();
      return visit;
    },
  };
}
