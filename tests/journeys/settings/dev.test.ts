// The promise of the settings: on the running development server one new file is a page. A mistake in it is reported with its place; once
// it is corrected the page is back.
import net from 'node:net';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../../src/server/platform/http/request-body.ts';
import { nextPage, openBrowser, type OpenPage, violations } from '../../support/browser/browser.ts';
import { eventually, provoked } from '../../support/browser/journey.ts';
import type { Product } from '../../support/browser/product.ts';
import { copySources } from '../../support/copy-of-product.ts';
import { QUICK_NODE } from '../../support/quick-node.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Packages of which the browser fetches files as they are; links would lead out of the project, which Vite refuses. */
const COPIED = ['@fontsource-variable'];
const TITLE = 'Loyalty points';
const LOYALTY = {
  $schema: '../meta/setting.json',
  title: TITLE,
  description: 'Points for every order.',
  type: 'object',
  additionalProperties: false,
  'x-setting': { category: 'LOYALTY', type: 'POINTS', permission: 'generalSettings', group: 'Store', icon: 'store', keywords: ['rewards'] },
  properties: {
    enabled: { title: 'Give points', type: 'boolean', default: false, 'x-ui': { widget: 'toggle' } },
    pointsPerOrder: {
      title: 'Points for each order',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      'x-ui': { when: { enabled: true } },
    },
    welcomePoints: { title: 'Welcome points', type: 'integer', minimum: 0, maximum: 5000, default: 0, 'x-ui': { when: { enabled: true } } },
    programName: { title: 'Name of the program', type: 'string', minLength: 3, maxLength: 40, default: 'Points' },
    pointValue: { title: 'Value of a point', type: 'string', format: 'money', default: '0.05' },
    contact: { title: 'Questions go to', type: 'string', format: 'email', maxLength: 254 },
    expires: { title: 'Points end after', type: 'integer', minimum: 1, maximum: 60, default: 24, 'x-ui': { unit: 'months' } },
    level: {
      title: 'Level names',
      type: 'string',
      default: 'PLANTS',
      oneOf: [
        { const: 'PLANTS', title: 'Seed, leaf, tree' },
        { const: 'METALS', title: 'Bronze, silver, gold' },
      ],
    },
    color: { title: 'Colour', type: 'string', pattern: '^#[0-9a-f]{6}$', default: '#0f766e' },
    note: { title: 'Note for the team', type: 'string', maxLength: 500, 'x-ui': { widget: 'textarea' } },
  },
};
const WHOLE = JSON.stringify(LOYALTY, null, 2);

describe('one new file under schemas/settings on the running development server', () => {
  let folder: string;
  let child: ChildProcess;
  let product: Product;
  let browser: Browser;
  /** One profile for all tests: a development server sends each module by itself, and what is in the cache is not read again. */
  let profile: BrowserContext;
  const open = async (): Promise<OpenPage> => {
    const found = await nextPage(profile, product);
    found.page.setDefaultTimeout(90_000);
    return found;
  };
  let output = '';
  const file = (): string => join(folder, 'schemas/settings/loyalty-points.json');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perennial-dev-'));
    copySources(folder);
    // A folder of its own, so that what Vite keeps there is its own too.
    mkdirSync(join(folder, 'node_modules'));
    for (const one of readdirSync(join(root, 'node_modules'))) {
      if (one === '.vite') continue;
      const [from, to] = [join(root, 'node_modules', one), join(folder, 'node_modules', one)];
      if (COPIED.includes(one)) cpSync(from, to, { recursive: true, dereference: true });
      else symlinkSync(from, to);
    }
    child = spawn(process.execPath, [...QUICK_NODE, '--import', 'tsx', 'src/server/dev.ts'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: '0',
        PERENNIAL_DATA: join(folder, 'data'),
        PERENNIAL_DEMO: 'on',
        PERENNIAL_DEMO_SIZE: '50',
      },
    });
    const link = await new Promise<URL>((resolve, reject) => {
      const read = (data: Buffer): void => {
        output += data.toString();
        const found = /http\S+\/login\?link=\S+/.exec(output);
        if (found) resolve(new URL(found[0]));
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', code => {
        reject(new Error(`The development server ended with ${code}:\n${output}`));
      });
    });
    const redeemed = await fetch(new URL('/host/user/login/redeem', link), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link.searchParams.get('link') }),
    });
    const { token } = ((await redeemed.json()) as { data: { token: string } }).data;
    product = {
      url: link.origin,
      pid: child.pid!,
      folder,
      output: () => output,
      token: () => Promise.resolve(token),
      signIn: () => Promise.resolve(token),
      stop: () => Promise.resolve(null),
      remove: () => Promise.resolve(),
    };
    browser = await openBrowser();
    profile = await browser.newContext({ baseURL: product.url, locale: 'en-US' });
  });
  afterAll(async () => {
    await browser?.close();
    if (child?.exitCode === null) {
      const ended = new Promise(resolve => {
        child.once('exit', resolve);
      });
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('appears by itself, hides what does not apply, validates in browser and server, and saves', async () => {
    const { page, problems } = await open();
    if (existsSync(file())) unlinkSync(file());
    await page.goto('/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.locator('.f-settings-card').first().waitFor();
    expect(await page.getByText(TITLE).count()).toBe(0);

    writeFileSync(file(), WHOLE);
    await page.locator('.f-settings-card', { hasText: TITLE }).waitFor();
    await page.getByLabel('Search settings').fill('rewards');
    await eventually(() => page.locator('.f-settings-card').count()).toBe(1);
    await page.locator('.f-settings-card', { hasText: TITLE }).click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await page.getByLabel('Name of the program').waitFor();
    await eventually(() => page.title()).toBe(`Settings > ${TITLE} - Perennial`);

    expect(await page.getByLabel('Points for each order').count()).toBe(0);
    await page.getByLabel('Give points').click();
    await page.getByLabel('Points for each order').fill('5000');
    await page.getByLabel('Welcome points').waitFor();
    await page.getByLabel('Name of the program').fill('ab');
    await page.getByLabel('Questions go to').fill('mara@');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => page.locator('main [aria-invalid="true"]').count()).toBe(3);
    await page.getByLabel('Points for each order').fill('25');
    await page.getByLabel('Name of the program').fill('Leaves');
    await page.getByLabel('Questions go to').fill('points@fernandember.example');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved.').first().waitFor();

    const address = `${product.url}/host/main/api/preferences/setting/loyalty-points`;
    const headers = { authorization: await product.token(), 'content-type': 'application/json' };
    const kept = (await (await fetch(address, { headers })).json()) as { data: object };
    expect(kept.data).toMatchObject({ programName: 'Leaves', pointsPerOrder: 25 });
    const answer = await fetch(address, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ enabled: true, pointsPerOrder: 5000, programName: 'x' }),
    });
    const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
    expect(answer.status).toBe(422);
    expect(errors.map(one => one.pointer).sort()).toEqual(['/pointsPerOrder', '/programName']);
    // While Vite compiles, the one process of the development server turns requests away, and the admin repeats them.
    expect(problems.filter(problem => !problem.startsWith('503 ')).filter(provoked(503))).toEqual([]);
    await page.close();
  });

  it('takes bodies in by the same gate as the built product', async () => {
    const { hostname, port } = new URL(product.url);
    // One more than one address may have unfinished: the oldest has to go.
    const sockets = Array.from({ length: BODY_LIMITS.mostOfOne + 1 }, () => net.connect(Number(port), hostname));
    try {
      const told = new Promise<string>(resolve => {
        for (const socket of sockets) socket.once('data', data => resolve(String(data))).on('error', () => undefined);
      });
      for (const socket of sockets)
        socket.write(
          `POST /host/user/login/link HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{`,
        );
      expect(await told).toContain('"code":"OVERLOADED"');
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('a mistake is reported with file, line and the name that was meant, in the page and in the terminal; corrected, the page comes back', async () => {
    const { page } = await open();
    writeFileSync(file(), WHOLE);
    await page.goto('/settings/loyalty-points');
    await page.getByLabel('Name of the program').waitFor();
    const [right, wrong] = ['"widget": "textarea"', '"widget": "textaera"'];
    const broken = WHOLE.replace(right, wrong);
    const line = broken.split('\n').findIndex(text => text.includes(wrong)) + 1;
    const before = output.length;
    writeFileSync(file(), broken);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    await eventually(() => output.slice(before)).toContain(`schemas/settings/loyalty-points.json:${line}`);
    for (const said of [await overlay.evaluate(element => element.shadowRoot?.textContent ?? ''), output.slice(before)])
      for (const part of [`schemas/settings/loyalty-points.json:${line}`, 'textaera', 'textarea']) expect(said).toContain(part);
    writeFileSync(file(), WHOLE);
    await overlay.waitFor({ state: 'detached' });
    await page.getByLabel('Name of the program').waitFor();
    // What the server can't load either is still told once.
    const from = output.length;
    writeFileSync(file(), WHOLE.replace('"type": "integer"', '"$ref": "../common/adress.json"'));
    await eventually(() => output.slice(from)).toContain('adress.json');
    await page.locator('vite-error-overlay').waitFor({ state: 'attached' });
    writeFileSync(file(), WHOLE);
    await page.locator('vite-error-overlay').waitFor({ state: 'detached' });
    await page.getByLabel('Name of the program').waitFor();
    expect(output.slice(from).split('adress.json').length - 1).toBe(1);
    await page.close();
  });

  it('the studio shows JSON beside the screen it makes, marks what is wrong, says what a key is for, and saves to the file', async () => {
    const { page, problems } = await open();
    writeFileSync(file(), WHOLE);
    await page.goto('/_studio?file=schemas%2Fsettings%2Floyalty-points.json');
    const screen = page.frameLocator('#preview');
    await screen.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    await screen.getByLabel('Name of the program').waitFor();

    const line = page.locator('.cm-line', { hasText: `"title": "${TITLE}"` }).first();
    await line.hover({ position: { x: 30, y: 8 } });
    await page.locator('.cm-tooltip .sentence').waitFor();
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' and more');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(readFileSync(file(), 'utf8')).toBe(WHOLE.replace(`"title": "${TITLE}"`, `"title": "${TITLE} and more"`));
    await screen.getByRole('heading', { level: 1, name: `${TITLE} and more` }).waitFor();

    // A mistake is marked while it is typed, before anything is written.
    await page.locator('.cm-line', { hasText: '"icon": "store"' }).click();
    await page.keyboard.press('End');
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('x');
    await page
      .getByRole('button', { name: /storex/ })
      .first()
      .waitFor();
    expect(await page.locator('.cm-lint-marker-error').count()).toBeGreaterThan(0);
    expect(readFileSync(file(), 'utf8')).not.toContain('storex');

    // What another person saved meanwhile is not overwritten.
    writeFileSync(file(), WHOLE);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The file was changed elsewhere since it was opened.').waitFor();
    expect(readFileSync(file(), 'utf8')).toBe(WHOLE);
    // While Vite compiles, requests are turned away and repeated, and the first word is drawn later than the browser waits for a font.
    expect(problems.filter(problem => !/409|503|was preloaded using link preload/.test(problem))).toEqual([]);
    await page.close();

    const studio = (name: string, input: object, headers: Record<string, string> = { 'x-perennial-studio': '1' }) =>
      fetch(new URL(`/_studio/${name}`, product.url), { method: 'POST', headers, body: JSON.stringify(input) });
    expect((await studio('open', { file: 'schemas/settings/loyalty-points.json' }, {})).status).toBe(403);
    for (const outside of ['package.json', 'schemas/../package.json', 'schemas/meta/setting.json', 'resources/../src/x.json'])
      expect((await studio('save', { file: outside, text: '{}', revision: '' })).status, outside).toBe(400);
  });
});
