// Suppliers as docs/add-a-resource.md has them: in the product's own admin, and in a stock react-admin application on the same server. And
// parts that others made, in the product: a react-admin list as a page, an rjsf widget as a field.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../../src/server/platform/definitions.ts';
import { openBrowser, visit, type View, type Visit } from '../../support/browser/browser.ts';
import { atPath, eventually, provoked } from '../../support/browser/journey.ts';
import { copyProduct } from '../../support/copy-of-product.ts';
import { productWith, type Examples } from '../../support/doc-examples.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const folder = join(projectRoot, '.cache', `plain-rest-${process.pid}`);
const stockPage = join(folder, 'stock');
const STOCK: Record<string, string> = {
  'schemas/entities/supplier.json': JSON.stringify({
    properties: { stars: { title: 'Stars', type: 'integer', minimum: 1, maximum: 5, 'x-ui': { widget: 'stars' } } },
  }),
  'resources/suppliers.json': JSON.stringify({ form: { sections: [{ id: 'stars', title: 'How we like them', fields: ['stars'] }] } }),
  'resources/stock-list.json': JSON.stringify({
    $schema: '../schemas/meta/resource.json',
    title: 'Stock list',
    page: 'stock-list',
    permission: 'generalSettings',
  }),
  'renderers/fields/stars.tsx': `import { getDefaultRegistry } from '@rjsf/core';
import { rjsfWidget } from '../../src/admin/form/fields/rjsf-widget.tsx';

export const frame = 'group';
export default rjsfWidget(getDefaultRegistry().widgets.RatingWidget);
`,
  'resources/stock-inside.json': JSON.stringify({
    $schema: '../schemas/meta/resource.json',
    title: 'Stock inside',
    of: 'supplier',
    page: 'stock-inside',
    permission: 'generalSettings',
    list: { columns: [{ field: 'name' }], filters: ['rating'], search: 'Search by name or e-mail' },
  }),
  'renderers/pages/stock-list.tsx': `import {
  Datagrid, defaultI18nProvider, Edit, I18nContextProvider, List, SaveButton, SearchInput, SelectInput, SimpleForm, TextField, TextInput, Toolbar,
} from 'react-admin';
import { useState } from 'react';
import { Mui } from '../../src/admin/ui/theme/mui.tsx';

const filters = [
  <SearchInput key="q" source="q" alwaysOn />,
  <SelectInput key="rating" source="rating" alwaysOn choices={[{ id: 'GOOD', name: 'Good' }, { id: 'POOR', name: 'Poor' }]} />,
];
export default () => {
  const [chosen, choose] = useState<unknown>();
  return (
    <Mui>
      <h1>Stock list</h1>
      <I18nContextProvider value={defaultI18nProvider}>
        <List resource="supplier" perPage={5} sort={{ field: 'name', order: 'ASC' }} filters={filters} disableSyncWithLocation title={<></>}>
          <Datagrid bulkActionButtons={false} rowClick={id => { choose(id); return false; }}>
            <TextField source="name" />
            <TextField source="email" sortable={false} />
          </Datagrid>
        </List>
        {chosen !== undefined && (
          <Edit resource="supplier" id={chosen as number} mutationMode="pessimistic" redirect={false} title={<></>} actions={false}>
            <SimpleForm toolbar={<Toolbar><SaveButton /></Toolbar>}>
              <TextInput source="name" />
              <TextInput source="email" />
            </SimpleForm>
          </Edit>
        )}
      </I18nContextProvider>
    </Mui>
  );
};
`,
  'renderers/pages/stock-inside.tsx': `import { Datagrid, defaultI18nProvider, FilterForm, I18nContextProvider, Pagination, SearchInput, SelectInput, TextField } from 'react-admin';
import { ListPage } from '../../src/admin/list/list-page.tsx';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { Mui } from '../../src/admin/ui/theme/mui.tsx';

const filters = [
  <SearchInput key="q" source="q" alwaysOn />,
  <SelectInput key="rating" source="rating" alwaysOn choices={[{ id: 'GOOD', name: 'Good' }, { id: 'POOR', name: 'Poor' }]} />,
];
const Stock = () => (
  <Mui>
    <I18nContextProvider value={defaultI18nProvider}>
      <div id="stock">
        <FilterForm filters={filters} />
        <Datagrid rowClick={false}><TextField source="name" /></Datagrid>
        <Pagination rowsPerPageOptions={[25]} />
      </div>
    </I18nContextProvider>
  </Mui>
);
export default (props: PageProps) => <ListPage {...props} above={<Stock />} />;
`,
};

let examples: Examples;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  examples = await productWith(['add-a-resource.md'], STOCK);
  copyProduct(folder, examples.files);
  // How small its code is made is seen on the product itself.
  const unminified = { minify: false, sourcemap: false } as const;
  await viteBuild({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'error', build: unminified });
  await viteBuild({
    root: join(projectRoot, 'tests/journeys/features/plain-rest'),
    base: '/stock/',
    configFile: false,
    logLevel: 'error',
    esbuild: false,
    build: { ...unminified, outDir: stockPage, emptyOutDir: true, chunkSizeWarningLimit: 5000 },
  });
  server = await startTestServer({
    services: { definitions: examples.checked.definitions, modules: examples.modules },
    app: { pages: { folder: join(folder, 'dist/admin') } },
  });
  browser = await openBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  examples?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const signedIn = {
  get url() {
    return server.url;
  },
  token: () => server.signIn('owner'),
  signIn: () => server.signIn('owner'),
};
async function open(path: string, view?: View): Promise<Visit> {
  const found = await visit(browser, signedIn, view);
  found.page.setDefaultTimeout(90_000);
  await found.page.goto(path);
  return found;
}
const actions = async (name: string): Promise<string[]> =>
  ((await server.call('logs.accountLogs', { q: name })).data as { action: string }[]).map(line => line.action).sort();
const rows = (page: Page, table = 'main table'): Promise<string[]> =>
  page.locator(`${table} tbody tr`).evaluateAll(all => all.map(row => row.textContent ?? ''));

beforeEach(async () => {
  const all = (await server.call('rest-supplier.list', { limit: 250 })).data as { id: number; standIn?: number }[];
  for (const { id } of all.toSorted((a, b) => Number(b.standIn !== undefined) - Number(a.standIn !== undefined)))
    await server.call('rest-supplier.delete', { id });
});
const names = Array.from({ length: 25 }, (_, i) => `Maker ${String(i + 1).padStart(2, '0')}`);
const makeAll = async (): Promise<void> => {
  for (const [i, name] of names.entries()) await server.call('rest-supplier.create', { name, email: `m${i + 1}@example.com` });
};

describe('the product with two more files', () => {
  it('makes, finds, filters, counts, changes and deletes suppliers', async () => {
    const before = await actions('Alder');
    const { page, problems, context } = await open('/suppliers');
    await page.getByText('No suppliers yet').waitFor();
    for (const name of ['Alder', 'Birch']) {
      await page.goto('/suppliers');
      await page.getByRole('link', { name: 'Create supplier' }).first().click();
      await atPath(page, '/suppliers/create');
      await page.getByRole('radio', { name: name === 'Alder' ? '4 stars' : '2 stars' }).click();
      await eventually(() => page.getByRole('radio', { checked: true }).getAttribute('aria-label')).toBe(
        name === 'Alder' ? '4 stars' : '2 stars',
      );
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name.toLowerCase()}@example.com`);
      await page.getByRole('button', { name: 'Create supplier' }).click();
      await atPath(page, /^\/suppliers\/\d+$/);
    }
    expect(await actions('Alder')).toEqual(['supplier.created', ...before].sort());
    const made = (await server.call('rest-supplier.list', { sort: 'name' })).data as { id: number; name: string; stars: number }[];
    expect(made.map(one => [one.name, one.stars])).toEqual([
      ['Alder', 4],
      ['Birch', 2],
    ]);
    await server.call('rest-supplier.update', { ...made[1], rating: 'POOR', standIn: made[0]?.id as number });

    await page.goto('/suppliers');
    await eventually(() => rows(page)).toHaveLength(2);
    await eventually(() => page.getByRole('link', { name: /^Poor/ }).textContent()).toContain('1');
    await page.getByRole('link', { name: /^Poor/ }).click();
    await eventually(() => rows(page)).toEqual([expect.stringContaining('Birch')]);
    await page.getByRole('link', { name: /^All/ }).click();
    await page.getByPlaceholder('Search by name or e-mail').fill('alder@');
    await eventually(() => rows(page)).toEqual([expect.stringContaining('Alder')]);
    await page.getByPlaceholder('Search by name or e-mail').fill('');
    await eventually(() => rows(page)).toHaveLength(2);

    await page.goto(`/suppliers/${made[0]?.id}`);
    await page.getByRole('heading', { name: 'Alder' }).waitFor();
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await page.getByText(/^This supplier is used by /).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`/suppliers/${made[1]?.id}`);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('birch@example.org');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await eventually(async () => actions('Birch')).toContain('supplier.updated');
    await page.goto(`/suppliers/${made[1]?.id}`);
    await page.getByRole('heading', { name: 'Birch' }).waitFor();
    await remove();
    await atPath(page, '/suppliers');
    await eventually(() => rows(page)).toHaveLength(1);
    // The page of what was deleted reads it once more before it is left; a page that is opened breaks off what the one before reads.
    const expected = /does not exist or was deleted|Unable to connect to server/;
    expect(problems.filter(provoked(404, 409)).filter(problem => !expected.test(problem))).toEqual([]);
    await context.close();
  });
});

describe('a stock react-admin application with ra-data-simple-rest on the same server', () => {
  /** Its files at /stock/, everything else from the server. */
  const stock = async (): Promise<Visit> => {
    const found = await visit(browser, signedIn);
    found.page.setDefaultTimeout(90_000);
    await found.page.route('**/stock/**', route => {
      const path = new URL(route.request().url()).pathname.replace(/^\/stock\//, '') || 'index.html';
      const contentType = { '.html': 'text/html', '.js': 'text/javascript' }[extname(path)] ?? 'text/plain';
      return route.fulfill({ contentType, body: readFileSync(join(stockPage, path)) });
    });
    await found.page.goto('/stock/#/suppliers');
    return found;
  };
  it('lists, filters, sorts, pages, creates, edits and deletes', async () => {
    await makeAll();
    const { page, problems, context } = await stock();
    const shown = async (): Promise<string[]> => (await rows(page, 'table')).map(row => /Maker \d\d|Zelkova/.exec(row)?.[0] ?? row);
    await eventually(shown).toEqual(names.slice(0, 10));
    await page.getByText('1-10 of 25').waitFor();
    await page.getByRole('button', { name: 'Go to page 3' }).click();
    await eventually(shown).toEqual(names.slice(20));
    await page.getByRole('button', { name: 'Go to page 1' }).click();
    await page.getByRole('button', { name: 'Sort by name ascending' }).click();
    await page.getByRole('button', { name: 'Sort by name descending' }).click();
    await eventually(shown).toEqual(names.slice(15).toReversed());

    await page.getByRole('link', { name: 'Create' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Maker 01');
    await page.getByRole('textbox', { name: 'Email' }).fill('z@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/already/).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Zelkova');
    await page.getByLabel('Rating').click();
    await page.getByRole('option', { name: 'Poor' }).click();
    await page.getByLabel('Stand in').fill('Maker 02');
    await page.getByRole('option', { name: 'Maker 02' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => actions('Zelkova')).toEqual(['supplier.created']);

    await page.getByPlaceholder('Search').fill('z@exam');
    await eventually(shown).toEqual(['Zelkova']);
    expect(await page.locator('table').textContent()).toContain('Maker 02');
    await page.getByPlaceholder('Search').fill('');
    // The search is a moment behind what is typed: who went on to a record before would be led back.
    await eventually(shown).toHaveLength(10);
    await page.getByLabel('Rating').first().click();
    await page.getByRole('option', { name: 'Poor' }).click();
    await eventually(shown).toEqual(['Zelkova']);
    await page.getByRole('cell', { name: 'Zelkova' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('zelkova@example.org');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => actions('Zelkova')).toEqual(['supplier.created', 'supplier.updated']);

    const used = (await server.call('rest-supplier.list', { q: 'm2@' })).data[0] as { id: number };
    await page.goto(`/stock/#/suppliers/${used.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(/^This supplier is used by /).waitFor();
    const gone = (await server.call('rest-supplier.list', { q: 'zelkova@' })).data[0] as { id: number };
    await page.goto(`/stock/#/suppliers/${gone.id}`);
    await eventually(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zelkova');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await eventually(() => actions('Zelkova')).toEqual(['supplier.created', 'supplier.deleted', 'supplier.updated']);
    expect(problems.filter(provoked(409, 422)).filter(problem => problem.startsWith('error'))).toEqual([]);
    await context.close();
  });
});

describe('stock components of react-admin on pages of the product', () => {
  /** Their fields give Material UI what its ninth version takes by another name. */
  const ofStock = /does not recognize the `%s` prop on a DOM element.* inputprops$/i;
  it('a list with its filters, its rows and pages, and the form of one', async () => {
    await makeAll();
    const { page, problems, context } = await open('/stock-list');
    await eventually(() => rows(page)).toHaveLength(5);
    await page.getByText('1-5 of 25').waitFor();
    await page.getByRole('button', { name: /Sort by name/i }).click();
    await eventually(async () => (await rows(page))[0]).toContain('Maker 25');
    await page.getByPlaceholder('Search').fill('maker 07');
    await eventually(() => rows(page)).toEqual([expect.stringContaining('Maker 07')]);
    await page.getByRole('cell', { name: 'Maker 07' }).click();
    await eventually(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('m7@example.com');
    await page.getByRole('textbox', { name: 'Email' }).fill('seven@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => rows(page)).toEqual([expect.stringContaining('seven@example.com')]);
    const [saved] = (await server.call('rest-supplier.list', { q: 'maker 07' })).data as { email: string }[];
    expect(saved?.email).toBe('seven@example.com');
    expect(problems.filter(problem => !ofStock.test(problem))).toEqual([]);
    await context.close();
  });

  it('in a list of the product they narrow, page and choose what the list itself shows, by its address', async () => {
    await makeAll();
    for (let i = 26; i <= 30; i++) await server.call('rest-supplier.create', { name: `Maker ${i}`, email: `m${i}@example.com` });
    const { page, problems, context } = await open('/stock-inside');
    const stock = page.locator('#stock');
    const ours = (): Promise<string[]> => rows(page, '.l-card table');
    await eventually(ours).toHaveLength(25);
    await eventually(() => rows(page, '#stock table')).toHaveLength(25);
    await stock.getByRole('button', { name: 'Go to page 2' }).click();
    await atPath(page, /page=2/);
    await eventually(ours).toHaveLength(5);
    await stock.getByPlaceholder('Search').fill('maker 1');
    await atPath(page, /q=maker/);
    await eventually(ours).toHaveLength(10);
    await stock.getByLabel('Rating').click();
    await page.getByRole('option', { name: 'Good' }).click();
    await atPath(page, /rating=GOOD/);
    await eventually(() => rows(page, '#stock table')).toHaveLength(10);
    await stock.getByRole('checkbox').nth(1).check();
    await page.locator('.l-card').getByText('1 supplier selected').first().waitFor();
    expect(problems.filter(problem => !ofStock.test(problem))).toEqual([]);
    await context.close();
  });
});
