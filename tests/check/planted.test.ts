// Mistakes planted into the product's own definitions: each is reported once, with file, line, cause and the name that was meant.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { checkAll, tell, problemLines } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const options = checkOptions();
const INVENTORY = 'schemas/settings/inventory-settings.json';
const SUBSCRIPTIONS = 'resources/subscriptions.json';

/** The line of the file that holds the new text, and all that is reported of the product with it. */
function planted(file: string, find: string, put: string): { line: number; told: string[] } {
  const text = files[file] as string;
  expect(text.split(find).length, `"${find}" must stand once in ${file}`).toBe(2);
  const now = text.replace(find, () => put);
  const line = text.slice(0, text.indexOf(find)).split('\n').length;
  return { line, told: checkAll({ ...files, [file]: now }, options).problems.map(tell) };
}

describe('is reported once', () => {
  test.each([
    [
      'a panel beside a settings page that there is none of',
      INVENTORY,
      '"keywords": ["out of stock"',
      '"side": [{ "panel": "scheduel-preview" }], "keywords": ["out of stock"',
      'There is no panel "scheduel-preview" in renderers/panels. Did you mean "schedule-preview"?',
    ],
    [
      'an option that the panel beside a settings page does not have',
      INVENTORY,
      '"keywords": ["out of stock"',
      '"side": [{ "panel": "schedule-preview", "options": { "colour": 1 } }], "keywords": ["out of stock"',
      '"schedule-preview" takes no options',
    ],
    [
      'a widget for another type',
      INVENTORY,
      '"notifyAdmin": { "title": "Tell your team", "type": "boolean", "default": true, "x-ui": { "widget": "toggle" } }',
      '"notifyAdmin": { "title": "Tell your team", "type": "boolean", "default": true, "x-ui": { "widget": "number" } }',
      'The widget "number" is for number or integer, and this field is boolean. For it there are toggle.',
    ],
    ['a group misspelt', INVENTORY, '"group": "Orders"', '"group": "Ordres"', 'No other page is in the group "Ordres". Groups are '],
    [
      'a default that is no option',
      INVENTORY,
      '"title": "Then", "type": "string", "default": "SKIP_ORDER"',
      '"title": "Then", "type": "string", "default": "SKIP_ORDR"',
      'The default "SKIP_ORDR" is not an option. There are SKIP_ORDER, PAUSE, CANCEL. Did you mean "SKIP_ORDER"?',
    ],
    [
      'a file without $schema',
      SUBSCRIPTIONS,
      '  "$schema": "../schemas/meta/resource.json",\n',
      '',
      '"$schema" is missing, by which editors complete and explain the keys. Write "$schema": "../schemas/meta/resource.json" first.',
    ],
    [
      'another word for two states',
      'schemas/entities/email-template.json',
      '"const": "ON", "title": "On"',
      '"const": "ON", "title": "Enabled"',
      'Call these two states On and Off, or Published and Draft: "Enabled" and "Off" are other words for it.',
    ],
    [
      'a tab in other words than its state',
      'resources/campaigns.json',
      '"title": "Draft"',
      '"title": "Drafts"',
      'The state is called "Draft": the tab has the same word.',
    ],
    [
      'another verb for making a record',
      'resources/bundles.json',
      '"title": "Create bundle"',
      '"title": "New bundle"',
      'What makes a record begins with Create, Add, Invite, Import, Connect, Move, Write: "New bundle".',
    ],
    [
      'a count that another tab has',
      SUBSCRIPTIONS,
      '"count": "EXPIRED"',
      '"count": "CANCELLED"',
      'Another tab has the count "CANCELLED" already, so both would have the same number.',
    ],
    [
      'a count that its tab does not filter by',
      SUBSCRIPTIONS,
      '"count": "EXPIRED"',
      '"count": "EXPIRD"',
      'A count in capitals is the value that its tab filters by, and this tab doesn\'t filter by "EXPIRD". Did you mean "EXPIRED"?',
    ],
    [
      'a field in the address of a report that its records do not have',
      'schemas/reports/cancellation_attempt.json',
      '"/subscriptions/{subscriptionId}"',
      '"/subscriptions/{subscriptonId}"',
      '"cancellation-attempt" has no field "subscriptonId". Did you mean "subscriptionId"?',
    ],
    [
      'a field in the parameters of a panel that its page does not have',
      'resources/settings/notifications/emails/[id].json',
      '"with": { "prefKey": "{prefKey}" }, "schema"',
      '"with": { "prefKey": "{prefKy}" }, "schema"',
      'There is no field "prefKy" in E-mail. Did you mean "prefKey"?',
    ],
    [
      'a table that no migration makes',
      'schemas/entities/customer.json',
      '"table": "customers"',
      '"table": "custmers"',
      'No migration makes a table "custmers". Did you mean "customers"?',
    ],
    [
      'a parameter that a move would lose',
      'schemas/calls/bundles.json',
      '"publish": {',
      '"publish": { "in": ["id", "minQuantity"],',
      'Nothing stores "minQuantity": a move writes its state, and fields of Bundle that may be changed.',
    ],
    [
      'a field in the words of a button',
      'resources/alerts/types.json',
      '"Switch off “{title}”?"',
      '"Switch off “{titel}”?"',
      'so {titel} stays empty. Did you mean "title"?',
    ],
  ])('%s', (_, file, find, put, sentence) => {
    const { line, told: lines } = planted(file, find, put);
    expect(lines.join('\n')).toContain(sentence);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${file.replace(/[[\].]/g, '\\$&')}:(${line}|${line - 1}):`));
  });
});

test('a wall of problems with one cause is one, with all its places', () => {
  const problem = (line: number, name: string) => ({
    file: 'a.json',
    line,
    column: 1,
    pointer: `/x/${line}`,
    message: `There is no field "${name}".`,
  });
  const wall = Array.from({ length: 8 }, (_, i) => problem(i + 1, `f${i}`));
  expect(problemLines([...wall, { ...problem(9, 'z'), message: 'Another.' }])).toEqual([
    [
      'a.json:1:1  /x/1\n  There is no field "f0". (8 times)',
      ...wall.slice(1).map(one => `  also a.json:${one.line}:1  ${one.pointer}`),
    ].join('\n'),
    'a.json:9:1  /x/9\n  Another.',
  ]);
  expect(problemLines(wall.slice(0, 5))).toEqual(wall.slice(0, 5).map(tell));
});

test('a reader of only the first line ends the check quietly', () => {
  const { stderr } = spawnSync('sh', ['-c', `"${process.execPath}" --import tsx scripts/check.ts | true`], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  expect(stderr.replace(/^npm warn.*\n/gm, '')).toBe('');
});
