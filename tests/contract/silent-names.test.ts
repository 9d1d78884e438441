// Names in definitions that would silently do nothing: a guard that there is none of, a settings field that collides or is never drawn.
import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/index.ts';
import { checkOptions, readDefinitionFiles, readGuardNames } from '../../src/server/platform/definitions.ts';

const SUBSCRIPTION = 'schemas/entities/subscription.json';

describe('guards of moves', () => {
  it('are found in the server', () => {
    expect(readGuardNames()).toEqual(expect.arrayContaining(['canCreate', 'canPause', 'canCancel', 'canReactivate', 'chargeNow']));
  });

  it('that there are none of are reported with file, line and the nearest name', () => {
    const files = readDefinitionFiles();
    const text = files[SUBSCRIPTION] as string;
    expect(text).toContain('"guard": "canCancel"');
    const problems = check({ ...files, [SUBSCRIPTION]: text.replace('"guard": "canCancel"', '"guard": "canCancle"') }, checkOptions());
    expect(problems).toMatchObject([
      {
        file: SUBSCRIPTION,
        pointer: '/x-states/moves/cancel/guard',
        suggestion: 'canCancel',
        message: expect.stringContaining('There is no guard "canCancle"'),
      },
    ]);
    expect(problems[0]?.line).toBeGreaterThan(1);
  });
});

describe('fields of settings pages', () => {
  const page = (name: string): Record<string, string> => ({
    ...readDefinitionFiles(),
    'schemas/settings/gift-notes.json': JSON.stringify({
      $schema: '../meta/setting.json',
      title: 'Gift notes',
      type: 'object',
      'x-setting': { category: 'GIFT_NOTES', type: 'TEXTS', permission: 'generalSettings', group: 'Store', icon: 'store' },
      properties: { [name]: { title: 'Note', type: 'string', maxLength: 100 } },
    }),
  });

  it('may have any usual name', () => expect(check(page('noteOfGift'), checkOptions())).toEqual([]));

  it.each([
    ['version', 'Every settings page has "version" already, so what is typed here would be lost. Choose another name.'],
    ['updatedBy', 'Every settings page has "updatedBy" already, so what is typed here would be lost. Choose another name.'],
    ['note.text', '"note.text" can\'t be the name of a field: use letters, digits, _, - and $, beginning with a letter.'],
    ['note/text', '"note/text" can\'t be the name of a field: use letters, digits, _, - and $, beginning with a letter.'],
  ])('named %s would be lost or never drawn, and is reported', (name, message) => {
    expect(check(page(name), checkOptions())).toMatchObject([{ file: 'schemas/settings/gift-notes.json', message }]);
  });
});
