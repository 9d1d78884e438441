// What an editor shows about a place in a definition file.
import { expect, test } from 'vitest';
import { placeInGrammar } from '../../src/check/keys.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();

test('a place has its sentence, the keys that may still stand there, and the names it may be', () => {
  const page = 'schemas/settings/general.json';
  const hints = placeInGrammar(files, page, ['properties', 'billingHour', 'x-ui'], { widget: 'hour' });
  expect(hints.keys.map(({ key }) => key)).toContain('placeholder');
  expect(hints.keys.map(({ key }) => key)).not.toContain('widget');
  expect(hints.keys.every(({ sentence }) => sentence)).toBe(true);
  expect(placeInGrammar(files, page, ['x-setting', 'group']).sentence).toContain('settings index');
  expect(placeInGrammar(files, page, ['properties', 'billingHour', 'x-ui', 'widget']).values).toContain('textarea');
  const screen = placeInGrammar(files, 'resources/customers.json', ['list', 'columns', 0]);
  expect(screen.keys.map(({ key }) => key)).toContain('collapsePriority');
  expect(placeInGrammar(files, 'resources/customers.json', ['permission']).values).toContain('subscriptionDetails');
  expect(placeInGrammar(files, 'schemas/calls/customers.json', ['calls', 'list', 'does']).values).toContain('export');
});
