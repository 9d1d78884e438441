// Which pages Settings has, and what stands on them.
import { describe, expect, it } from 'vitest';
import { resourceFor } from '../../src/contract/find.ts';
import { productDefinitions } from '../support/definitions.ts';

const definitions = productDefinitions();
const SUB_PAGES = [
  'general',
  'notifications/emails',
  'notifications/branding',
  'notifications/preferences',
  'notifications/domains',
  'store-texts',
  'multilingual',
  'billing',
  'auto-updates',
  'subscription-tags',
  'shipping-profile',
  'order-schedule',
  'account-logs',
  'user-permissions/user',
  'api-tokens',
  'customer-migration',
  'paypal',
].map(page => `/settings/${page}`);
const parent = definitions.navigation.lower.find(entry => entry.id === 'settings');

describe('settings', () => {
  it('D005 the parent is /settings, a page of its own', () => {
    expect(parent?.to).toBe('/settings');
    expect(resourceFor(definitions, '/settings')?.resource.page).toBe('settings-index');
  });

  it('D006 it has exactly the 17 sub-pages; each is there, or says in a sentence what it will hold', () => {
    expect(parent?.items?.map(item => item.to)).toEqual(SUB_PAGES);
    for (const item of parent?.items ?? []) {
      const name = item.to.replace('/settings/', '');
      const isThere = definitions.settings[name] !== undefined || definitions.resources[`settings/${name}`] !== undefined;
      expect(isThere !== (item.planned !== undefined), `${item.to} is ${isThere ? 'there' : 'missing'}`).toBe(true);
      if (item.planned) expect(item.planned).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('D007 /settings/general holds the billing hour and the delivery methods', () => {
    const page = definitions.settings.general;
    const fields = page?.['x-setting']?.sections?.flatMap(section => ('fields' in section ? section.fields : [])) ?? [];
    expect(fields).toEqual(expect.arrayContaining(['billingHour', 'multipleDeliveryOptions']));
    expect(page?.properties?.billingHour).toMatchObject({ type: ['integer', 'null'], minimum: 0, maximum: 23 });
    expect(page?.properties?.multipleDeliveryOptions).toMatchObject({ type: 'array', minItems: 1 });
  });
});
