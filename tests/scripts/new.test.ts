// `npm run new`: what each kind writes is valid at once, works on the server, and is refused where a name is taken or no name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindsIn, plan, plural, singular, Refused, type Planned } from '../../scripts/lib/new-definitions.ts';
import { hasScreen } from '../../src/contract/find.ts';
import { checkAll, tell } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { copyProduct } from '../support/copy-of-product.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const kinds = kindsIn(projectRoot);
const options = checkOptions();
const product = readDefinitionFiles();

type Step = [kind: string, name: string, options?: Record<string, string>];
const planned = (files: Record<string, string>, [kind, name, given]: Step) => plan({ files, kinds, options }, kind, name, given);
const refusal = (kind: string, name: string, said?: Record<string, string>): string => {
  try {
    plan({ files: product, kinds, options }, kind, name, said);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return 'written';
};

const STEPS: Step[] = [
  ['setting', 'gift-wrapping'],
  ['resource', 'gift-wrappings', { permission: 'bundleManagement' }],
  ['tab', 'In use', { in: 'gift-wrappings', filter: 'status=ACTIVE' }],
  ['tab', 'Daily', { in: 'subscriptions' }],
  ['move', 'retire', { in: 'gift-wrappings' }],
  ['message', 'WRAPPING_CHANGED', { event: 'subscription_paused' }],
  ['condition', 'WRAPPING'],
  ['action', 'WRAP_ORDERS', { call: 'subscription-contract.updateNote' }],
];

/** All of them, one after the other. */
const plans = STEPS.reduce<Planned[]>((before, step) => [...before, planned(before.at(-1)?.after.files ?? product, step)], []);
/** The product after all of them, with what the check says of it. */
const whole = plans.at(-1)!.after;

describe('what is written', () => {
  it('is tried with every kind that there is', () => expect([...new Set(STEPS.map(([kind]) => kind))].sort()).toEqual(Object.keys(kinds)));
  it('has nothing wrong, whatever stands before it', () => {
    const { problems, definitions } = whole;
    expect(problems.map(tell)).toEqual([]);
    expect(definitions.resources['gift-wrappings/create']?.title).toBe('New gift wrapping');
    expect(definitions.resources['gift-wrappings/[id]']?.actions?.map(action => action.call)).toEqual([
      'gift-wrappings.retire',
      'rest-gift-wrapping.delete',
    ]);
  });
  it('is at the address that is given', () => {
    for (const { open } of plans)
      if (open !== undefined) expect([open, hasScreen(whole.definitions, open), open.includes('[')]).toEqual([open, true, false]);
  });
  it('leaves every line of a file alone that it adds to', () => {
    const file = 'resources/subscriptions.json';
    const now = plans[STEPS.findIndex(([kind, , given]) => kind === 'tab' && given?.in === 'subscriptions')]?.files[file] ?? '';
    const added = now.split('\n').filter(line => !product[file]?.includes(line.replace(/,$/, '')));
    expect(added).toHaveLength(1);
    expect(added[0]).toContain('"title": "Daily"');
  });
});

describe('what is refused', () => {
  it.each([
    ['a kind that is none', 'settin', 'x', {}, 'did you mean "setting"'],
    ['a page that exists', 'setting', 'general', {}, 'schemas/settings/general.json exists already'],
    ['a screen that exists', 'resource', 'customers', {}, 'exists already'],
    ['a name of the product', 'resource', 'settings', {}, 'a name of the product itself'],
    ['a name of the language', 'move', 'constructor', { in: 'subscriptions' }, 'a name of the language'],
    ['a name that is written in another way', 'setting', 'Gift_Card', {}, '"gift-card" for example'],
    ['a tab of no list', 'tab', 'New', { in: 'subscription' }, 'did you mean "subscriptions"'],
    ['a tab that is there', 'tab', 'Active', { in: 'subscriptions' }, 'has "Active" there already'],
    ['a filter that is none', 'tab', 'New', { in: 'subscriptions', filter: 'colour=red' }, 'There is no field "colour"'],
    ['an action that is there', 'move', 'pause', { in: 'subscriptions' }, 'already'],
    [
      'an action by no call',
      'action',
      'WRAP',
      { call: 'subscription-contract.updateNot' },
      'There is no call "subscription-contract.updateNot"',
    ],
    ['a message after no event', 'message', 'LATE', { event: 'subscription_pausd' }, 'There is no event "subscription_pausd"'],
    ['an option that is none', 'setting', 'wrapping', { colour: 'red' }, '--colour is not an option'],
    ['an area that is none', 'setting', 'wrapping', { permission: 'generalSetting' }, 'Did you mean "generalSettings"'],
  ])('%s', (_, kind, name, said, sentence) => expect(refusal(kind, name, said)).toContain(sentence));

  it.each([
    ['supplier', 'suppliers'],
    ['gift box', 'gift boxes'],
    ['category', 'categories'],
    ['address', 'addresses'],
    ['day', 'days'],
  ])('%s and %s are one and many', (one, many) => expect([plural(one), singular(many), singular(one)]).toEqual([many, one, one]));
});

describe('on the server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ services: { definitions: whole.definitions } });
  });
  afterAll(() => server?.close());

  it('a settings page has defaults, refuses and keeps', async () => {
    const page = { settingsPage: 'gift-wrapping' };
    expect((await server.call('settings.get', page)).data).toMatchObject({ enabled: false, limit: 10 });
    const wrong = await server.call('settings.set', { ...page, enabled: true, limit: 0 });
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ pointer: '/limit', message: 'Choose between 1 and 100 days.' }]]);
    expect((await server.call('settings.set', { ...page, enabled: true, limit: 20 })).status).toBe(200);
    expect((await server.call('settings.get', page)).data).toMatchObject({ enabled: true, limit: 20, version: 1 });
  });

  it('a resource is made, found, counted by its tabs, changed by its action, and kept from who may not', async () => {
    const made = await server.call('rest-gift-wrapping.create', { name: 'Linen' });
    expect(made.status).toBe(200);
    expect((await server.call('rest-gift-wrapping.create', { name: 'linen' })).status).toBe(409);
    expect((await server.call('rest-gift-wrapping.counts', {})).body).toMatchObject({ all: 1, ACTIVE: 1, ARCHIVED: 0, inUse: 1 });
    const { id } = made.data as { id: number };
    const again = [];
    for (let i = 0; i < 2; i++) again.push((await server.call('gift-wrappings.retire', { id })).status);
    expect(again).toEqual([200, 409]);
    expect((await server.call('rest-gift-wrapping.read', { id })).data).toMatchObject({ name: 'Linen', status: 'ARCHIVED' });
    expect((await server.call('rest-gift-wrapping.create', { name: 'Paper' }, { as: 'readOnly' })).status).toBe(403);
  });
});

it('the command writes the files with what is generated of them, and prints where to go on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-new-'));
  try {
    copyProduct(folder);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/new.ts', 'setting', 'gift-wrapping'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stderr.replace(/^npm warn.*\n/gm, '')]).toEqual([0, '']);
    expect(stdout).toContain('Wrote schemas/settings/gift-wrapping.json');
    expect(stdout).toContain('Open /settings/gift-wrapping');
    expect(existsSync(join(folder, 'schemas/settings/gift-wrapping.json'))).toBe(true);
    expect(readDefinitionFiles(folder)['schemas/meta/names.json']).toContain('"gift-wrapping"');
    expect(checkAll(readDefinitionFiles(folder), checkOptions(folder)).problems.map(tell)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
