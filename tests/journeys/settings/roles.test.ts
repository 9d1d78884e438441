// A role is made, given, and felt: the other person's navigation, pages and buttons follow at once. And the admin is seen as that role.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from '../../support/browser/axe.ts';
import { atPath, eventually, journeys, provoked } from '../../support/browser/journey.ts';

const ROLES = '/settings/user-permissions/roles';

describe('roles', () => {
  const at = journeys({ size: 60 });

  it('a role of the store’s own is given to a member, whose open admin follows', async () => {
    const member = await at.page('/subscriptions', { as: 'mixed' });
    await member.page.locator('tbody tr[data-row]').first().waitFor();
    const shut = (page: Page) => page.getByRole('navigation').locator('[aria-disabled="true"]').filter({ hasText: 'Tools & apps' });
    await member.page.getByRole('navigation').getByText('Tools & apps').first().waitFor();
    expect(await shut(member.page).count()).toBe(0);

    const { page, problems } = await at.page(`${ROLES}/create`);
    await page.getByLabel('Name').fill('Support, no refunds');
    const row = (name: string) => page.getByRole('radiogroup', { name, exact: true });
    await page.getByLabel('Search permissions').fill('order actions');
    await row('Order actions: skip, reschedule, charge').getByRole('radio', { name: 'View and change' }).check();
    await page.getByText('With it: Subscriptions (view).').waitFor();
    await page.getByLabel('Search permissions').fill('');
    await page.getByRole('button', { name: 'All of Analytics: View', exact: true }).click();
    expect(await row('Reports').getByRole('radio', { name: 'View and change' }).isDisabled()).toBe(true);
    await page.getByLabel('Compare with a role').selectOption({ label: 'Member' });
    await page.getByLabel('Differences only').check();
    await eventually(() => row('Reports').count()).toBe(0);
    await page.getByText('there: view').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support, no refunds' }).waitFor();
    const address = new URL(page.url()).pathname;

    await page.goto('/settings/user-permissions/user');
    const person = page.getByRole('row').filter({ hasText: 'soren@fernandember.example' });
    await person.getByRole('button', { name: /actions|more/i }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Role' }).fill('support');
    await page.getByRole('option', { name: /Support, no refunds/ }).click();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await person.getByText('Support, no refunds').waitFor();

    // What the member does next is answered by the new rights, and the frame follows.
    await member.page.getByRole('row').filter({ hasText: '#10058' }).click();
    await shut(member.page).waitFor();
    await member.page.goto('/settings/general');
    await member.page
      .getByText(/Ask an admin|don.t have (permission|access)/)
      .first()
      .waitFor();

    // The owner sees the admin as that role, changes nothing, and comes back.
    await page.goto(address);
    await page
      .getByRole('button', { name: 'See the admin as this role' })
      .or(page.getByRole('link', { name: 'See the admin as this role' }))
      .click();
    await page.getByText('You see the admin as people with the role').waitFor();
    await shut(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByText('You see the admin as people with the role').waitFor();
    await page.getByRole('button', { name: 'Leave the preview' }).click();
    await atPath(page, address);
    await eventually(() => shut(page).count()).toBe(0);
    expect(problems.filter(provoked(403))).toEqual([]);
    expect(member.problems.filter(provoked(403))).toEqual([]);
  });
});
