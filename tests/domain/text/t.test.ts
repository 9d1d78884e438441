// The words of the product: t, its dictionaries, and what is checked of them.
import { afterEach, expect, test } from 'vitest';
import { dictionaryOf, wordProblems } from '../../../src/domain/text/language-files.ts';
import { type Dictionary, language, t, takeLanguageFrom, translated } from '../../../src/domain/text/t.ts';

let current: Dictionary | undefined;
takeLanguageFrom(() => current);
afterEach(() => {
  current = undefined;
});

const german = dictionaryOf('de', {
  'admin-ui': {
    'Replace card': 'Karte ersetzen',
    '{name} has {count} plans': '{count} {count?Plan gehört|Pläne gehören} zu {name}',
    '[adjective] Open': 'Offen',
    Open: 'Öffnen',
  },
  'definitions-screens': { 'About {total} on {date:relative}': '{date:relative} etwa {total}' },
});

test('in English a text says itself, with its values', () => {
  expect(language()).toBe('en');
  expect(t`Replace card`).toBe('Replace card');
  expect(t`${'Lakeside'} has ${3} plans`).toBe('Lakeside has 3 plans');
  expect(t.as('adjective')`Open`).toBe('Open');
  expect(translated('About {total} on {date:relative}')).toBe('About {total} on {date:relative}');
});

test('in another language a text says what the dictionary has, its values in the places of that language', () => {
  current = german;
  expect(language()).toBe('de');
  expect(t`Replace card`).toBe('Karte ersetzen');
  expect(t`${'Lakeside'} has ${3} plans`).toBe('3 Pläne gehören zu Lakeside');
  expect(t`${'Lakeside'} has ${1} plans`).toBe('1 Plan gehört zu Lakeside');
  expect(t`Open`).toBe('Öffnen');
  expect(t.as('adjective')`Open`).toBe('Offen');
  expect(translated('About {total} on {date:relative}')).toBe('{date:relative} etwa {total}');
});

test('what has no words yet stays English; names that every object has are no words', () => {
  current = german;
  expect(t`Something new for ${'you'}`).toBe('Something new for you');
  expect(translated('constructor')).toBe('constructor');
  expect(translated('toString')).toBe('toString');
});

test('words must keep the places of values', () => {
  expect(wordProblems('{name} has {count} plans', '{count} von {name}', false)).toEqual([]);
  expect(wordProblems('{name} has {count} plans', '{count} Pläne', false)).toEqual(['The place {name} is missing.']);
  expect(wordProblems('{name} plans', '{names} Pläne', false)).toEqual(['The place {name} is missing.', 'There is no place {names}.']);
  expect(wordProblems('{n} {n?row|rows} left', 'noch {n} {n?Zeile|Zeilen}', true)).toEqual([]);
  expect(wordProblems('{n} {n?row|rows} left', 'noch {n} {n?Zeile}', true)).toEqual([
    '{n?Zeile} chooses between two words, {name?one|many}.',
  ]);
  expect(wordProblems('{row.price} on {date:relative}', '{row.price}', true)).toEqual(['The place {date:relative} is missing.']);
});
