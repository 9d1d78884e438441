// How well what is typed into the palette fits.
import { describe, expect, test } from 'vitest';
import { fitting, names } from '../../../src/admin/features/palette/fitting.ts';

const ENTRIES = [
  { title: 'Analytics' },
  { title: 'Cohorts', words: ['Analytics'] },
  { title: 'Selling plans', words: ['Acquire'] },
  { title: 'Checkout upgrades', words: ['Acquire'] },
  { title: 'Customer portal upsells', words: ['Grow'] },
  { title: 'Payment recovery', words: ['Retain'] },
  { title: 'Plan and billing', words: ['Settings'] },
  { title: 'E-mail branding', words: ['Settings'] },
];
const titles = (text: string): string[] => fitting(ENTRIES, text).map(entry => entry.title);

describe('what is typed', () => {
  test('nothing typed: everything, in its order', () => {
    expect(titles('')).toEqual(ENTRIES.map(entry => entry.title));
    expect(titles('  ')).toHaveLength(ENTRIES.length);
  });
  test.each([
    ['analytics', ['Analytics', 'Cohorts']],
    ['plan', ['Plan and billing', 'Selling plans']],
    ['PAY REC', ['Payment recovery']],
    ['recovery pay', ['Payment recovery']],
    ['sell', ['Selling plans', 'Customer portal upsells']],
    ['branding', ['E-mail branding']],
    ['settings bill', ['Plan and billing']],
    ['chkout', ['Checkout upgrades']],
    ['zzqq', []],
    ['plan zzqq', []],
  ])('%s', (text, expected) => expect(titles(text)).toEqual(expected));
});

describe('an exact hit', () => {
  test.each([
    ['10042', 'Ava Price', '#10042 · Moss Matcha', true],
    ['#10042', 'Ava Price', '#10042 · Moss Matcha', true],
    ['1004', 'Ava Price', '#10042 · Moss Matcha', false],
    ['ava@post.example', 'Ava Price', 'ava@post.example', true],
    ['AVA PRICE', 'Ava Price', 'ava@post.example', true],
    ['ava', 'Ava Price', 'ava@post.example', false],
    ['matcha', 'Ava Price', '#10042 · Moss Matcha', false],
    [' ', 'Ava Price', '#10042', false],
  ])('%s names %s, %s: %s', (typed, title, detail, expected) => expect(names(typed, title, detail)).toBe(expected));
});
