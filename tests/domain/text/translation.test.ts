// Placeholders and languages of texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledIn, filledOut, isIntact, partsOf, placeholdersOf } from '../../../src/domain/text/placeholders.ts';
import { baseLanguage, localeChain, firstWords, textProblems } from '../../../src/domain/text/translation.ts';

describe('placeholders', () => {
  it('are found once each, with and without filters', () => {
    expect(placeholdersOf('{{a}} {{ b.c | money }} {{a}} { {d} }')).toEqual(['a', 'b.c']);
    expect(filledIn('{{a}} and {{ b }}', { a: '1' })).toBe('1 and {{ b }}');
  });
  it('what has no value is left out with what leads to it', () => {
    for (const [text, read] of [
      ['Hi {{name}},', 'Hi,'],
      ['Good to see you, {{name}}', 'Good to see you'],
      ['Thank you, {{name}}. It is done.', 'Thank you. It is done.'],
      ['{{name}}, schön, dass Sie da sind', 'Schön, dass Sie da sind'],
      ['{{name}}', ''],
      ['Next: {{day}}, {{name}}', 'Next: Monday'],
      ['{{ }} {{day}}', '{{ }} Monday'],
    ] as const)
      expect(filledOut(text, { name: '', day: 'Monday' }), text).toBe(read);
    expect(filledOut('{{name}}, Hi {{name}},', { name: 'Mary Ann' })).toBe('Mary Ann, Hi Mary Ann,');
  });
  it('parts of a text are the text', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('{{a}}', '<b>', '</b>', '&amp;', 'https://x.example'))), words => {
        const text = words.join('');
        expect(
          partsOf(text)
            .map(part => part.text)
            .join(''),
        ).toBe(text);
      }),
    ));
  it('a translation is intact with the same placeholders and tags in whatever order', () => {
    expect(isIntact('{{a}} <b>x</b>', '<b>y</b> {{a}}')).toBe(true);
    for (const wrong of ['<b>y</b>', '{{a}} y', '{{a}} {{a}} <b>y</b>', '  ', '{{b}} <b>x</b>'])
      expect(isIntact('{{a}} <b>x</b>', wrong)).toBe(false);
  });
});

describe('languages', () => {
  it('the base language counts, but for those whose region matters', () => {
    expect(['de-AT', 'en', 'zh-CN', 'pt-BR', 'es-MX'].map(baseLanguage)).toEqual(['de', 'en', 'zh-CN', 'pt-BR', 'es']);
    expect(localeChain('de-AT', 'en')).toEqual(['de-AT', 'de', 'en']);
  });
  it('the first language that has words is read', () => {
    const of = (values: Record<string, string>) => (locale: string) => values[locale];
    expect(firstWords(['de-AT', 'de', 'en'], of({ de: 'x', en: 'y' }))).toEqual({ value: 'x', locale: 'de' });
    expect(firstWords(['de', 'en'], of({ de: '' }))).toBeUndefined();
  });
  it('problems name the variable', () => {
    const rules = { variables: ['a', 'b'], maxLength: 10, source: '{{a}}' };
    expect(textProblems('', rules)).toEqual([]);
    expect(textProblems('{{b}}', rules)).toEqual(['The variable {{a}} is missing.']);
    expect(textProblems('{{a}} {{c}}', { ...rules, maxLength: 99 })).toEqual(['There is no variable {{c}} here. There are: {{a}}, {{b}}.']);
  });
});
