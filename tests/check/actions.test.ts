// Mistakes in actions on subscriptions: told at their own file, with line, and what was perhaps meant.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blocksOf } from '../../scripts/lib/cookbook.ts';
import { load } from '../../src/contract/load.ts';
import { check } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const options = checkOptions(projectRoot);
/** What is written into an action, with the mistake that is found in it; none: it is right. */
const CASES: [over: object, mistake?: string][] = [
  [{ in: { record: { buttons: { wrapA: { prompt: ['note'], with: { note: '{note}' } } } } } }],
  [{ call: 'subscription-contract.updateNot' }, '8 There is no call "subscription-contract.updateNot". (subscription-contract.updateNote)'],
  [{ icon: 'pencl' }, '5 There is no icon "pencl". (pencil)'],
  [{ permission: 'orderNotes' }, '12 There is no area "orderNotes". (orderNotesAndAttributes)'],
  [{ states: ['ACTIV'] }, '13 Subscriptions have no state "ACTIV". (ACTIVE)'],
  [{ forMany: { states: ['ACTIV'], otherwise: 'No.' } }, '14 Subscriptions have no state "ACTIV". (ACTIVE)'],
  [{ call: 'subscription-contract.pause', states: ['ACTIVE'] }, '12 The states of a move stand in x-states'],
  [{ icon: undefined }, 'What is offered to many needs "icon".'],
  [{ in: { record: { buttons: { wrapB: { prompt: ['notes'] } } } } }, '14 subscription-contract.updateNote takes no "notes". (note)'],
  [
    { in: { record: { buttons: { wrapC: { with: { notes: '{note}' } } } } } },
    ' subscription-contract.updateNote takes no "notes". It takes id, note. (note)',
  ],
  [{ in: { record: { buttons: { wrapD: { with: { note: '{notee}' } } } } } }, ' There is no field "notee" in Subscription'],
  [{ call: 'subscription-contract.list' }, '8 subscription-contract.list takes no "id" of a subscription'],
  [{ call: undefined, params: null }, '1 An action without a call needs "action".'],
  [{ undo: true }, '12 Nothing takes it back: there is no "undoing" in src/server/engine/actions/code/wrap-orders.ts.'],
  [
    { call: 'subscription-contract.customerDetails' },
    '1 Nothing does it to a subscription. Write src/server/engine/actions/code/wrap-orders.ts',
  ],
  [{ call: undefined, in: { record: {} }, permission: 'orderNotesAndAttributes' }, '1 An action without a call needs "params".'],
  [{ fields: { notes: { labelKey: 'save' } } }, '13 "params" has no "notes". (note)'],
  [{ fields: { note: { labelKey: 'sav' } } }, '14 There is no text "sav" in schemas/texts (of pages: portal.json). (save)'],
  [{ params: { note: { minimum: 3 } } }, '14 "minimum" says nothing about string; it is for number and integer.'],
  [{ confirm: 'Sure?' }, '12 "confirm" is not a key of an action.'],
];
const fileOf = (i: number): string => `schemas/actions/WRAP_ORDERS_${i}.json`;
const written = (over: object): string =>
  JSON.stringify(
    {
      $schema: '../meta/action.json',
      title: 'Wrap orders',
      description: 'Wraps the orders.',
      icon: 'pencil',
      group: 'OTHER',
      order: 900,
      call: 'subscription-contract.updateNote',
      in: { bulk: {} },
      ...over,
    },
    null,
    2,
  );

it('mistakes in actions are found at their own file, and a right one has none', () => {
  // All at once, each in a file of its own; screens are looked at where their calls are right.
  const isOfScreen = (over: object): boolean => 'in' in over && JSON.stringify(over).includes('buttons');
  const problems = [true, false].flatMap(ofScreens => {
    const some = CASES.flatMap(([over], i) => (isOfScreen(over) === ofScreens ? [[fileOf(i), written(over)]] : []));
    return check({ ...files, ...Object.fromEntries(some) }, options);
  });
  const found = CASES.map((_, i) =>
    problems
      .filter(problem => problem.file === fileOf(i))
      .map(({ line, message, suggestion }) => `${line} ${message}${suggestion ? ` (${suggestion})` : ''}`)
      .join('\n')
      .replaceAll(`wrap-orders-${i}`, 'wrap-orders'),
  );
  for (const [i, [over, mistake]] of CASES.entries())
    if (mistake === undefined) expect(found[i], JSON.stringify(over)).toBe('');
    else expect(found[i], JSON.stringify(over)).toContain(mistake);
});

it('the example of docs/add-an-action.md is right, with its code', () => {
  const [example] = blocksOf(readFileSync(new URL('../../docs/add-an-action.md', import.meta.url), 'utf8'));
  const actionCode = { ...options.actionCode, NOTE_FOR_PACKERS: { undo: false } };
  expect(example?.file).toBe('schemas/actions/NOTE_FOR_PACKERS.json');
  const all = { ...files, [example?.file ?? '']: example?.text ?? '' };
  expect(check(all, { ...options, actionCode })).toEqual([]);
  // One file is enough for each place: the record, bulk and flows (its form), links, the portal.
  const { actions, calls, entities, messageVariables, resources } = load(all);
  expect(calls['subscription-contract.noteForPackers']).toMatchObject({ does: 'act', permission: 'orderNotesAndAttributes' });
  expect(messageVariables['quickAction.noteForPackers']?.title).toContain('leaves a note for the packers');
  expect(resources['subscriptions/[id]']?.actions?.at(-1)).toMatchObject({ title: 'Note for the packers', group: 'Orders' });
  expect(Object.keys(actions.NOTE_FOR_PACKERS?.form?.properties ?? {})).toEqual(['text']);
  expect(Object.keys(actions.NOTE_FOR_PACKERS?.in ?? {})).toEqual(['record', 'bulk', 'flow', 'portal', 'link']);
  expect(entities['quick-action']?.properties?.type?.oneOf?.at(-1)).toMatchObject({ const: 'NOTE_FOR_PACKERS' });
});

it('an action whose code can be taken back says so', () => {
  const file = 'schemas/actions/UPDATE_TAGS.json';
  const problems = check({ ...files, [file]: (files[file] as string).replace('"undo": true,', '') }, options);
  expect(problems.map(({ message }) => message)).toEqual([
    'src/server/engine/actions/code/update-tags.ts has "undoing". Add "undo": true.',
  ]);
});
