import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { destination, fillLink, fillText, forWidget, readLink, staysOpen } from '../../../../src/admin/features/notices/popup/links.ts';

const values = {
  myshopify_domain: 'fern.myshopify.com',
  product_title: 'Tea & <b>honey</b>',
  sellingPlanGroup_shopify_id: '3300500',
  variant_id: '4600601',
  missing: null,
};
const leads = (primary_cta_link: string, { id = 1, version = 1, given = values as Record<string, string | null> } = {}) =>
  destination({ id, primary_cta_link }, given, version);

describe('the link of a popup', () => {
  it('S149 the double-brace placeholders are filled with the fields of placeholderData', () => {
    expect(leads('https://{{myshopify_domain}}/cart/{{variant_id}}:1')).toEqual({
      kind: 'tab',
      href: 'https://fern.myshopify.com/cart/4600601:1',
    });
    expect(leads('/selling-plans/{{ sellingPlanGroup_shopify_id }}')).toEqual({ kind: 'page', to: '/selling-plans/3300500' });
    expect(leads('/search?q={{product_title}}')).toEqual({ kind: 'page', to: '/search?q=Tea%20%26%20%3Cb%3Ehoney%3C%2Fb%3E' });
    expect(fillText('Show {{product_title}} in {{nothing}}!', values)).toBe('Show Tea & <b>honey</b> in !');
    expect(fillText('{{constructor}}{{__proto__}}', values)).toBe('');
  });

  it('S149 a link whose value is missing leads to a page of the admin instead', () => {
    expect(fillLink('https://{{missing}}/x', values)).toBeUndefined();
    expect(leads('https://{{missing}}/x', { id: 3 })).toEqual({ kind: 'page', to: '/widgets/storefront/library' });
    expect(leads('https://{{missing}}/x', { id: 4 })).toEqual({ kind: 'page', to: '/selling-plans' });
    expect(leads('https://{{missing}}/x', { id: 8 })).toEqual({ kind: 'page', to: '/selling-plans' });
    expect(leads('/a/{{missing}}', { id: 5 })).toEqual({ kind: 'page', to: '/dashboard' });
  });

  it('S185 an https link opens in a new tab', () => {
    expect(leads('https://example.com/a?b=c#d')).toEqual({ kind: 'tab', href: 'https://example.com/a?b=c#d' });
    expect(leads('HTTPS://Example.com')).toEqual({ kind: 'tab', href: 'https://example.com/' });
    expect(leads('  https://example.com/a b')).toEqual({ kind: 'tab', href: 'https://example.com/a%20b' });
  });

  it('S186 any link that is not https stays in the admin', () => {
    expect(leads('/selling-plans?tab=1#x')).toEqual({ kind: 'page', to: '/selling-plans?tab=1#x' });
    expect(leads('settings/widget-design?tab=0&standardWidget=0')).toEqual({
      kind: 'page',
      to: '/settings/widget-design?tab=0&standardWidget=0',
    });
    for (const link of [
      'http://example.com',
      'javascript:alert(1)',
      ' java\tscript:alert(1)',
      'JaVaScRiPt:alert(1)',
      '\u0001javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:msgbox(1)',
      'blob:https://example.com/1',
      'file:///etc/passwd',
      'mailto:a@example.com',
      '//example.com',
      '\\\\example.com',
      '/\\example.com',
      '/\t/example.com',
      '/ /example.com',
      '\\/example.com',
      '\u200b//example.com',
      'https:',
      'https://',
      'https:///',
      'view-source:https://example.com',
      '',
    ]) {
      const found = leads(link);
      expect([link, found.kind]).toEqual([link, 'page']);
      expect([link, new URL((found as { to: string }).to, 'https://admin.example').origin]).toEqual([link, 'https://admin.example']);
    }
  });

  it('S186 whatever is written there, and whatever the values are, it is a page of the admin or an https address', () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          '/',
          '\\',
          '.',
          '..',
          ':',
          '?',
          '#',
          '@',
          'https:',
          'javascript:',
          'data:',
          '//',
          'x',
          '{{product_title}}',
          '\t',
          '\n',
          '\u0000',
          ' ',
          '%2f',
          '\ud800',
          '\u202e',
          '[',
          ']',
        ),
      )
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(
        fc.oneof(nasty, fc.webUrl(), fc.string({ unit: 'binary' })),
        fc.oneof(nasty, fc.string()),
        fc.integer({ min: 1, max: 9 }),
        (link, product_title, id) => {
          const found = destination({ id, primary_cta_link: link }, { product_title }, 1);
          if (found.kind === 'tab') expect(new URL(found.href).protocol).toBe('https:');
          else {
            expect(found.to.startsWith('/')).toBe(true);
            expect(new URL(found.to, 'https://admin.example').origin).toBe('https://admin.example');
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('a value stays one piece of the address: it names no other host and climbs out of no path', () => {
    const host = (domain: string) => leads('https://{{myshopify_domain}}/admin', { given: { myshopify_domain: domain } });
    for (const domain of ['evil.example/x', 'evil.example#', 'evil.example?', 'a@evil.example', 'evil.example\\', 'javascript:alert(1)//'])
      expect([domain, host(domain).kind]).toEqual([domain, 'page']);
    for (const id of ['../settings', '..', '.', '..%2f..', '//evil.example', '1/../../x']) {
      const found = leads('/selling-plans/{{id}}', { given: { id } }) as { to: string };
      expect([
        id,
        new URL(found.to, 'https://admin.example').pathname.startsWith('/selling-plans/') ||
          found.to === '/dashboard' ||
          found.to === '/selling-plans/',
      ]).toEqual([id, true]);
    }
    expect(readLink('https://example.com:99999')).toBeUndefined();
  });

  it('S187 under widget version 2 a page of the admin becomes the widget library; an https address stays', () => {
    expect(leads('/selling-plans', { version: 1 })).toEqual({ kind: 'page', to: '/selling-plans' });
    for (const version of [2, 3]) {
      expect(leads('/selling-plans', { version })).toEqual({ kind: 'page', to: '/widgets/storefront/library' });
      expect(leads('http://example.com', { version })).toEqual({ kind: 'page', to: '/widgets/storefront/library' });
      expect(leads('https://example.com/a', { version })).toEqual({ kind: 'tab', href: 'https://example.com/a' });
    }
    expect(forWidget('/a', 1)).toBe('/a');
  });

  it('S184 S188 S189 S190 the popups 3, 4 and 8 stay open after their action, all others close', () => {
    expect(Array.from({ length: 20 }, (_, i) => i + 1).filter(staysOpen)).toEqual([3, 4, 8]);
  });
});
