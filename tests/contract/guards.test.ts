// A guard that is misspelt in a definition protects nothing: the check names it, with the place and the name that was perhaps meant.
import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { checkOptions, readDefinitionFiles, readGuardNames } from '../../src/server/definitions.ts';

const SUBSCRIPTION = 'schemas/entities/subscription.json';

describe('guards of moves', () => {
  it('are found in the server', () => {
    expect(readGuardNames()).toEqual(expect.arrayContaining(['canCreate', 'canPause', 'canCancel', 'canReactivate', 'chargeNow']));
  });

  it('that there are none of are told with file, line and the nearest name', () => {
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
