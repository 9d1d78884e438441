// The storefront's script on a bare page of another origin, whose policy allows nothing but the script's own origin: what merchants publish
// is seen there, chosen by keyboard, sent with the form, and said in the page's language.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishedGroup, PublishedProducts, PublishedVariant, StorefrontIndex } from '../../../src/domain/widgets/published.ts';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { violations } from '../../support/browser/browser.ts';

const at = journeys({ size: 60 });

/** A shop of the test's own: a page whose form shows what was sent. */
let shop: Server;
let address = '';
let html = '';
/** Bodies of the forms that came, and how many of them were answered with a redirect. */
const sent: string[] = [];
async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}
beforeAll(async () => {
  shop = createServer((request, response) => {
    void (async () => {
      if (request.method === 'POST') {
        sent.push(await bodyOf(request));
        response.writeHead(303, { location: '/cart' }).end();
        return;
      }
      const { url } = at.product;
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          `default-src 'none'; script-src ${url}; connect-src ${url} 'self'; form-action 'self'; style-src 'none'; base-uri 'none'; ` +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      });
      response.end(request.url === '/' ? html : '<title>Next page</title><p>Next page</p>');
    })();
  });
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
  const bound = shop.address();
  // Another port is another origin.
  address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/`;
}, 120_000);
afterAll(() => shop?.close());

const read = async <T>(file: string, store = 1): Promise<T> =>
  (await (await fetch(`${at.product.url}/storefront/${store}/${file}`)).json()) as T;
const index = (store?: number): Promise<StorefrontIndex> => read('index.json', store);

interface Goods {
  product: string;
  variants: PublishedVariant[];
  groups: PublishedGroup[];
}
/** A product that fits, with the groups by which it is sold. */
async function goods(fits: (found: Goods) => boolean, store = 1): Promise<Goods> {
  await eventually(async () => (await fetch(`${at.product.url}/storefront/${store}/index.json`)).status).toBe(200);
  const { plans, products } = await index(store);
  const groups = await read<PublishedGroup[]>(plans, store);
  for (const file of products)
    for (const [product, { variants }] of Object.entries(await read<PublishedProducts>(file, store))) {
      const found = { product, variants, groups: groups.filter(group => variants[0]?.groups.includes(group.id)) };
      if (fits(found)) return found;
    }
  throw new Error('The demo store has no such product.');
}

interface Shown {
  lang?: string;
  dir?: string;
  attributes?: string;
  type?: string;
  /** The form's own button, if it has one. */
  button?: string;
  /** A store of version 1, by its number: its page has the snippet. */
  old?: number;
}
/** The page of a product in the shop. */
async function open(
  { product, variants }: Goods,
  { lang = 'en', dir = 'ltr', attributes = '', button = '', type = 'PRODUCT', old }: Shown = {},
  page?: Page,
) {
  const choices = variants.map(one => `<option value="${one.id}">${one.id}</option>`).join('');
  const fallback = '<label><input type="radio" name="selling_plan" value="" checked> Fallback</label>';
  html =
    `<!doctype html><html lang="${lang}" dir="${dir}"><head><title>Shop</title>` +
    `<script src="${at.product.url}/storefront/${old ? 'snippet' : 'v1'}.js" data-store="${old ?? 1}" async></script></head><body><main><h1>Coffee</h1>` +
    `<form action="/cart/add" method="post"><label>Size <select name="id">${choices}</select></label>` +
    `<label>Quantity <input name="quantity" value="1"></label>` +
    (old
      ? `<div data-perennial-product-id="${product}">${fallback}</div>`
      : `<perennial-widget type="${type}" product-id="${product}" ${type === 'PRODUCT' ? 'template="product"' : ''} ${attributes}>${fallback}</perennial-widget>`) +
    `${button}</form></main></body></html>`;
  let shown = page;
  const problems: string[] = [];
  if (!shown) {
    const context = await at.browser.newContext({ viewport: { width: 390, height: 900 } });
    shown = await context.newPage();
    shown.setDefaultTimeout(60_000);
  }
  shown.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !message.location().url.endsWith('favicon.ico')) problems.push(message.text());
  });
  shown.on('pageerror', error => problems.push(error.message));
  await shown.goto(address);
  const widget = shown.locator('perennial-widget');
  return { page: shown, widget, problems };
}
const cash = (minor: number, locale = 'en'): string => (minor / 100).toLocaleString(locale, { style: 'currency', currency: 'USD' });
const optionNamed = (widget: Locator, name: string): Locator =>
  widget.locator('.option', { has: widget.page().getByText(name, { exact: true }) });

describe('the storefront script', () => {
  it('is light, and shows every published plan at its price on a page of another origin with a strict policy', async () => {
    const code = readFileSync('dist/admin/storefront/v1.js');
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(15_360);
    const found = await goods(({ groups, variants }) => groups.length > 0 && groups[0]!.plans.length > 1 && variants.length > 1);
    const { page, widget, problems } = await open(found);
    await widget.getByText('How would you like it?').waitFor();
    expect(await page.getByText('Fallback').count()).toBe(0);
    for (const group of found.groups) {
      const option = optionNamed(widget, group.name);
      await option.getByRole('radio').check();
      for (const { id, optionLabel, rule, deliveriesPerCharge } of group.plans) {
        if (group.plans.length > 1) await option.getByRole('combobox').selectOption({ label: optionLabel });
        await expectPrice(option, found.variants[0]!.price, rule, deliveriesPerCharge);
        expect(await page.locator('[name=selling_plan]').inputValue()).toBe(String(id));
      }
    }
    await optionNamed(widget, 'One-time purchase').getByRole('radio').check();
    expect(await page.locator('[name=selling_plan]').inputValue()).toBe('');
    // Another variant has other prices.
    const other = found.variants.at(-1)!;
    await page.locator('[name=id]').selectOption(String(other.id));
    await eventually(() => optionNamed(widget, 'One-time purchase').locator('.now').innerText()).toBe(cash(other.price));
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  /** What is shown by the rules of selling plans (section 4), reckoned by hand. */
  async function expectPrice(option: Locator, price: number, rule: { type: string; value: number }, deliveries: number): Promise<void> {
    const full =
      rule.type === 'PERCENTAGE'
        ? Math.floor((price * (100 - rule.value)) / 100 + 0.5) * deliveries
        : rule.type === 'FIXED_AMOUNT'
          ? Math.max(0, price * deliveries - rule.value)
          : (rule.type === 'PRICE' ? rule.value : price) * deliveries;
    const each = Math.round(full / deliveries);
    await eventually(() => option.locator('.now').innerText()).toBe(cash(each));
    expect(await option.locator('.before').textContent()).toBe(each < price ? cash(price) : '');
    if (rule.type === 'PERCENTAGE') expect(await option.locator('.badge').innerText()).toBe(`Save ${rule.value}%`);
    if (deliveries > 1) expect(await option.locator('.prepaid').innerText()).toBe(`${cash(full)} for ${deliveries} deliveries`);
  }

  it('is chosen by keyboard, tells the page of it, explains itself and closes by Escape, and sends the plan once', async () => {
    const found = await goods(({ groups }) => groups.length > 0);
    const { page, widget } = await open(found, { button: '<button>Add it</button>' });
    await widget.locator('.option').first().waitFor();
    await page.evaluate(() => {
      document.addEventListener('perennial:change', event => {
        document.title = JSON.stringify((event as CustomEvent).detail);
      });
    });
    const plan = (await page.locator('[name=selling_plan]').inputValue()) || undefined;
    expect(found.groups.flatMap(group => group.plans.map(one => String(one.id)))).toContain(plan);
    await widget.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    for (let i = 1; i < found.groups.length; i++) await page.keyboard.press('ArrowDown');
    expect(JSON.parse(await page.title())).toEqual({
      sellingPlanId: null,
      price: (found.variants[0]!.price / 100).toFixed(2),
      fullPrice: (found.variants[0]!.price / 100).toFixed(2),
      widget: expect.any(Number),
    });
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('[name=selling_plan]').inputValue()).toBe(plan);
    const how = widget.getByText('How our subscriptions work');
    await how.focus();
    await page.keyboard.press('Enter');
    await widget.getByText('Skip, pause or cancel at any time').waitFor();
    await page.keyboard.press('Escape');
    await widget.getByText('Skip, pause or cancel at any time').waitFor({ state: 'hidden' });
    sent.length = 0;
    await page.getByRole('button', { name: 'Add it' }).dblclick();
    await page.getByText('Next page').waitFor();
    expect(sent.map(body => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      {
        ...{ id: String(found.variants[0]!.id), quantity: '1', selling_plan: plan },
        // Whose form it was, for the figures of the widget.
        'properties[_perennial_widget]': expect.stringMatching(/^[1-9]\d*$/),
      },
    ]);
    await page.context().close();
  });

  it('offers in a checkout the plans that the page names, in the look of the widget for the checkout, and sends the one that is chosen', async () => {
    const found = await goods(({ groups }) => groups.some(one => one.plans.length > 1));
    const [first, second] = found.groups.find(one => one.plans.length > 1)!.plans;
    const attributes = `plans="${second!.id}" subscription-only`;
    const { page, widget, problems } = await open(found, { attributes, type: 'CHECKOUT' });
    await widget.getByText(second!.optionLabel).first().waitFor();
    expect(await widget.innerText()).not.toContain(first!.optionLabel);
    const counted = page.waitForRequest(/\/storefront\/1\/seen\?e=[\d.,A-Z]*TOUCHED/);
    await widget.getByText(second!.optionLabel).first().click();
    await counted;
    await widget.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Next page').waitFor();
    expect(sent.at(-1)).toContain(`selling_plan=${second!.id}`);
    expect(problems).toEqual([]);
  });

  it('speaks the language of the page, with its prices, and is drawn from right to left', async () => {
    const found = await goods(({ groups }) => groups[0]?.plans[0]?.rule.type === 'PERCENTAGE');
    const { page, widget } = await open(found, { lang: 'de-AT' });
    await widget.getByText('Wie hätten Sie es gern?').waitFor();
    await widget.getByRole('button', { name: 'Abonnieren' }).waitFor();
    await eventually(() => optionNamed(widget, 'Einmaliger Kauf').locator('.now').innerText()).toBe(
      cash(found.variants[0]!.price, 'de-AT'),
    );
    const { widget: arabic } = await open(found, { lang: 'ar', dir: 'rtl' }, page);
    const radio = await arabic.locator('.option input').first().boundingBox();
    const price = await arabic.locator('.price').first().boundingBox();
    expect(radio!.x).toBeGreaterThan(price!.x);
    await page.context().close();
  });

  it('shows a new look five seconds after it was published, and goes to the cart where the merchant wants that', async () => {
    const found = await goods(({ groups }) => groups.length > 0);
    const { page } = await open(found);
    const token = await at.product.token();
    const call = async (method: string, path: string, body?: object): Promise<any> =>
      (
        await fetch(`${at.product.url}/host/widgetEngine/widgets${path}`, {
          method,
          headers: { authorization: token, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
      ).json();
    const { data } = await call('GET', '/list?type=PRODUCT');
    const { id } = data.find((one: any) => one.name === 'Subscribe and save');
    const before = await page.locator('perennial-widget .add').evaluate(one => getComputedStyle(one).backgroundColor);
    const attributes = [{ attributeKey: 'backgroundColor', attributeValue: { value: '#7A1F5C' } }];
    await call('POST', `/${id}/styles`, { styles: [{ styleKey: 'addToCartButton', attributes }] });
    await call('POST', `/${id}/preferences`, { preferences: [{ key: 'redirectAfterAddToCart', value: 'CART' }] });
    const since = Date.now();
    await expect
      .poll(
        async () => {
          await page.reload();
          const add = page.locator('perennial-widget .add');
          await add.waitFor();
          return add.evaluate(one => getComputedStyle(one).backgroundColor);
        },
        { timeout: 5000, interval: 300 },
      )
      .toBe('rgb(122, 31, 92)');
    expect(Date.now() - since).toBeLessThan(5000);
    expect(before).not.toBe('rgb(122, 31, 92)');
    sent.length = 0;
    await open(found, { attributes: 'cart-url="/my-cart"' }, page);
    await page.locator('perennial-widget .add').dblclick();
    await page.waitForURL('**/my-cart');
    expect(sent).toHaveLength(1);
    await page.context().close();
  });

  it('stands in the place of a snippet in a theme of version 1, in the look that its store has', async () => {
    const ask = async (path: string, init: RequestInit): Promise<any> =>
      ((await (await fetch(`${at.product.url}/host/user${path}`, init)).json()) as { data: any }).data;
    const headers = { 'content-type': 'application/json' };
    const { token } = await ask('/login/demo/store', { method: 'POST', headers, body: '{"widgetVersion":1}' });
    const store = Number((await ask('/session', { headers: { authorization: token } })).store.storeId);
    await eventually(async () => (await fetch(`${at.product.url}/storefront/${store}/index.json`)).status).toBe(200);
    const found = await goods(({ groups, variants }) => groups.length > 0 && variants.length > 0, store);
    const shown = await open(found, { old: store, button: '<button data-perennial-add>Add</button>' });
    await optionNamed(shown.widget, found.groups[0]!.name).getByRole('radio').check();
    expect(await shown.page.locator('[name=selling_plan]').inputValue()).toBe(String(found.groups[0]!.plans[0]!.id));
    expect(await shown.page.getByText('Fallback').count()).toBe(0);
    expect(await shown.page.locator('[data-perennial-product-id]').count()).toBe(0);
    const chosen = shown.widget.locator('.option', { has: shown.page.locator('input:checked') }).first();
    expect(await chosen.evaluate(option => getComputedStyle(option).borderColor)).toBe('rgb(138, 63, 18)');
    expect(shown.problems).toEqual([]);
    await shown.page.context().close();
  });
});
