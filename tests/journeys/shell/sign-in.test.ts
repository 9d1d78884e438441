// Signing in and out as people do: by the printed link, as a demo user, by a link from the inbox; and what happens when a session ends.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/browser.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const at = journeys({ engine: 'embedded', size: 300 });
const token = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('perennial.token'));
const signedIn = (page: Page): Promise<void> => page.locator('.p-shell main h1').first().waitFor();
const askForLink = async (page: Page, email: string): Promise<string> => {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await page.getByRole('heading', { name: 'Look into your inbox' }).waitFor();
  return (await page.locator('main .p-empty').innerText()).replaceAll(email, '<address>');
};

/** Opens a link that works once, and uses it. */
const follow = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

describe('signing in', () => {
  it('S158 the printed link signs in once, and its token leaves the address', async () => {
    const link = /http\S+\/login\?link=\S+/.exec(at.product.output())?.[0];
    expect(link, at.product.output()).toBeDefined();
    const { page, problems } = await at.visit({ as: null });
    await follow(page, link!);
    await signedIn(page);
    expect(page.url()).not.toContain('link=');
    expect(await token(page)).not.toBe(new URL(link!).searchParams.get('link'));
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('link=');
    expect(problems).toEqual([]);
    const second = await at.visit({ as: null });
    await follow(second.page, link!);
    await second.page.getByText('has expired or was used already').waitFor();
  });

  it('S158 a token in the address replaces the stored one, and S251 goes bare in the authorization header', async () => {
    const { page, problems } = await at.visit({ as: 'readOnly' });
    const other = await at.product.token('owner');
    const sent = new Set<string | undefined>();
    page.on('request', request => {
      if (/\/host\//.test(request.url())) sent.add(request.headers()['authorization']);
    });
    await page.goto(`/subscriptions?tab=paused&loop_token=${other}`);
    await signedIn(page);
    await page.locator('tbody tr, .p-empty').first().waitFor();
    expect(await token(page)).toBe(other);
    expect([...sent]).toEqual([other]);
    await atPath(page, '/subscriptions?tab=paused');
    expect(problems).toEqual([]);
  });

  it('S159 an address without a token leaves the stored one alone', async () => {
    const { page, problems } = await at.page('/subscriptions');
    const before = await token(page);
    await page.goto('/selling-plans?token=abc&other=1');
    await signedIn(page);
    expect(await token(page)).toBe(before);
    expect(problems).toEqual([]);
  });

  it('S018 S020 without a session every page leads to sign-in, which keeps the query', async () => {
    const { page, problems } = await at.visit({ as: null });
    await page.goto('/settings/general?from=mail');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await atPath(page, '/login?from=mail');
    expect(problems).toEqual([]);
  });

  it('S024 S025 reloading twice within two seconds leads to /404, and from there back', async () => {
    const { page, problems } = await at.page('/selling-plans');
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => sessionStorage.getItem('perennial.lastReload') !== null);
    await page.reload();
    await atPath(page, '/404');
    await page.getByRole('button', { name: 'Try again' }).click();
    await signedIn(page);
    await atPath(page, '/selling-plans');
    expect(problems).toEqual([]);
  });

  it('S019 /login stands without navigation, names itself and has no accessibility violation', async () => {
    const { page, problems } = await at.page('/login', { as: null });
    await page.getByRole('heading', { name: 'Look around the demo store' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.title()).toBe('Sign in - Perennial');
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('S021 a demo user comes in by one click, to the page that was asked for', async () => {
    const { page, problems } = await at.visit({ as: null });
    await page.goto('/selling-plans');
    const people = page.locator('.p-demo-user');
    await people.first().waitFor();
    expect(await people.locator('.p-tag').allInnerTexts()).toEqual(['Owner', 'Admin', 'Member', 'Read only', 'Owner']);
    await people.filter({ hasText: 'Read only' }).click();
    await signedIn(page);
    await atPath(page, '/selling-plans');
    expect(problems).toEqual([]);
  });

  it('S022 S027 coming from the root leads home', async () => {
    const { page, problems } = await at.visit();
    await page.goto('/');
    await signedIn(page);
    await atPath(page, '/dashboard');
    expect(problems).toEqual([]);
  });

  it('an unknown e-mail gets the same answer as a known one', async () => {
    const { page, problems } = await at.visit({ as: null });
    const people = (await (await fetch(`${at.product.url}/host/user/login/demo`)).json()) as { data: { users: { email: string }[] } };
    const known = await askForLink(page, people.data.users[1]!.email);
    const unknown = await askForLink(page, 'unknown@elsewhere.example');
    expect(unknown).toBe(known);
    expect(unknown).toContain('If <address> belongs to a user');
    expect(problems).toEqual([]);
  });

  it('a wrong address is said at the field before anything is sent', async () => {
    const { page, problems } = await at.page('/login', { as: null });
    let calls = 0;
    page.on('request', request => {
      if (request.url().endsWith('/login/link')) calls++;
    });
    await page.getByRole('button', { name: 'Send sign-in link' }).click();
    await page.getByText('Enter your e-mail address.', { exact: true }).waitFor();
    await page.getByLabel('E-mail').fill('mara@');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a full e-mail address, such as name@example.com.').waitFor();
    expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
    expect(calls).toBe(0);
    expect(problems).toEqual([]);
  });

  it('the link from the inbox works once', async () => {
    const { page, problems } = await at.visit({ as: null });
    const people = (await (await fetch(`${at.product.url}/host/user/login/demo`)).json()) as { data: { users: { email: string }[] } };
    const email = people.data.users[0]!.email;
    await askForLink(page, email);
    const inbox = await page.context().newPage();
    await eventually(async () => {
      await inbox.goto(/http\S+\/dev\/outbox\?key=\S+/.exec(at.product.output())![0]);
      return inbox.locator('article', { hasText: `To ${email}` }).count();
    }).toBeGreaterThan(0);
    const link = await inbox
      .locator('article', { hasText: `To ${email}` })
      .first()
      .locator('a')
      .getAttribute('href');
    await follow(page, link!);
    await signedIn(page);
    expect(page.url()).not.toContain('link=');
    expect(problems).toEqual([]);

    const later = await at.visit({ as: null });
    await follow(later.page, link!);
    await later.page.getByText('This sign-in link has expired or was used already. Ask for a new one.').waitFor();
    expect(await token(later.page)).toBeNull();
    expect(later.problems.filter(provoked(400))).toEqual([]);
  });

  it('logging out ends the session on the server', async () => {
    const { page, problems } = await at.page('/subscriptions', { alone: true });
    const mine = (await token(page))!;
    const call = async (): Promise<number> =>
      (await fetch(`${at.product.url}/host/user/session`, { headers: { authorization: mine } })).status;
    expect(await call()).toBe(200);
    await page.locator('.p-store-btn').click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await token(page)).toBeNull();
    expect(await call()).toBe(401);
    await page.goto('/subscriptions');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('S021 a session that ends in the middle comes back to the same page after signing in', async () => {
    const { page, problems } = await at.page('/subscriptions', { alone: true });
    await page.locator('tbody tr[data-row]').first().waitFor();
    // What the page still asks by itself would meet the end of the session first.
    await page.waitForLoadState('networkidle');
    await fetch(`${at.product.url}/host/user/logout`, {
      method: 'POST',
      headers: { authorization: (await token(page))!, 'content-type': 'application/json' },
      body: '{}',
    });
    // The address changes at once, before what the page asks meets the end of the session; a slow page may be at the sign-in by then, and
    // a quick one leaves before the click has answered.
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Paused/ })
      .evaluate(link => (link as HTMLElement).click())
      .catch(() => undefined);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.locator('.p-demo-user').first().click();
    await signedIn(page);
    await atPath(page, /^\/subscriptions\?.*paused/);
    expect(problems.filter(provoked(401))).toEqual([]);
  });

  it('an address that leads nowhere says so, with the navigation around it', async () => {
    const { page, problems } = await at.page('/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start' }).click();
    await atPath(page, '/dashboard');
    expect(problems).toEqual([]);
  });
});
