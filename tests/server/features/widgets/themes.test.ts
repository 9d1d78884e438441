// Themes of the store on a running server: their templates, and the blocks that are put into them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 2, stores: 2 } });
});
afterAll(() => server?.close());

it('every store has a theme from its first day on; a block is put into templates that it has, once', async () => {
  const [theme, ...others] = (await server.call('widgets.themes')).data;
  expect(others).toEqual([]);
  expect(theme).toMatchObject({ name: 'Meadow', role: 'MAIN', isEligibleV2: true, isBlockAdded: false, blocks: [] });
  const of = { id: theme.shopifyThemeId, target: 'PRODUCT' };
  expect((await server.call('widgets.templates', of)).data.templates).toEqual([
    { templateKey: 'product', templateName: 'Default product', templateType: 'PRODUCT', isBlockAdded: false },
    { templateKey: 'page', templateName: 'Default page', templateType: 'PAGE', isBlockAdded: false },
  ]);
  expect((await server.call('widgets.checkTemplates', { ...of, templateKeys: ['collection'] })).status).toBe(422);
  for (let i = 0; i < 2; i++)
    expect((await server.call('widgets.checkTemplates', { ...of, templateKeys: ['product'] })).data.templates[0].isBlockAdded).toBe(true);
  expect((await server.call('widgets.themes')).data[0]).toMatchObject({ isBlockAdded: true, blocks: ['PRODUCT'] });
  const second = await server.signIn('owner', 2);
  expect((await server.call('widgets.templates', of, { as: second })).status).toBe(404);
});
