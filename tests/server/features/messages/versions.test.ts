// Earlier versions of e-mails and settings pages: kept with every save, compared, and brought back as a version of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ engine: 'postgres' });
});
afterAll(() => server?.close());

it('each e-mail has versions of its own, whatever happens to the others', async () => {
  const prefKey = 'ORDER_SKIPPED';
  const standard = (await server.call('email-templates.read', { prefKey })).data.subject;
  for (const subject of ['One', 'Two']) {
    await server.call('email-templates.save', { prefKey, subject });
    await server.call('email-templates.save', { prefKey: 'ORDER_UNSKIPPED', subject });
  }
  await server.call('email-templates.switch', { prefKey, enabled: false });
  const versions = async (): Promise<JsonObject[]> => (await server.call('email-templates.versions', { prefKey })).data;
  const said = (await versions()).map(({ version, data }) => [version, (data as JsonObject).subject, (data as JsonObject).enabled]);
  expect(said).toEqual([
    [3, 'Two', false],
    [2, 'Two', true],
    [1, 'One', true],
    [0, standard, true],
  ]);
  const back = await server.call('email-templates.restore', { prefKey, toVersion: 1 });
  expect(back.data).toMatchObject({ subject: 'One', status: 'ON', version: 4 });
  expect((await server.call('email-templates.restore', { prefKey, toVersion: 0 })).data).toMatchObject({
    subject: standard,
    isCustomised: false,
  });
  expect(await versions()).toHaveLength(6);
  expect((await server.call('email-templates.restore', { prefKey, toVersion: 99 })).status).toBe(404);
  expect((await server.call('email-templates.restore', { prefKey, toVersion: 1 }, { as: 'readOnly' })).status).toBe(403);
});

it('a settings page shows its versions to who may read it, and takes an earlier one back', async () => {
  const settingsPage = 'notification-branding';
  const set = (footerText: string) => server.call('settings.set', { settingsPage, footerText });
  await set('First');
  await set('Second');
  const { data } = await server.call('settings.versions', { settingsPage });
  expect(data.map(({ version, data: page }: { version: number; data: JsonObject }) => [version, page.footerText])).toEqual([
    [2, 'Second'],
    [1, 'First'],
    [0, ''],
  ]);
  const back = await server.call('settings.restore', { settingsPage, toVersion: 1 });
  expect(back.data).toMatchObject({ footerText: 'First', version: 3 });
  expect((await server.call('settings.restore', { settingsPage, toVersion: 77 })).status).toBe(404);
  expect((await server.call('settings.versions', { settingsPage: 'nowhere' })).status).toBe(404);
  expect((await server.call('settings.restore', { settingsPage, toVersion: 1 }, { as: 'readOnly' })).status).toBe(403);
});
