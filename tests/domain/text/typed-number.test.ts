// Numbers as people type and paste them: each language's own way, and what can mean one thing only in any.
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { noNumber, readDecimal, writeDecimal } from '../../../src/domain/text/typed-number.ts';
import { takeLanguageFrom } from '../../../src/domain/text/t.ts';

const speak = (language: string): void => takeLanguageFrom(() => (language === 'en' ? undefined : { language, texts: {} }));
afterEach(() => speak('en'));
afterAll(() => takeLanguageFrom(() => globalThis.perennialLanguage));

describe('a typed number', () => {
  it.each([
    // typed, in English, in German
    ['1.250', '1.250', '1250'],
    ['1,250', '1250', '1.250'],
    ['0,500', '0.500', '0.500'],
    ['0.500', '0.500', '0.500'],
    ['1.500.000', '1500000', '1500000'],
    ['1,500,000', '1500000', '1500000'],
    ['1,250.5', '1250.5', '1250.5'],
    ['1.250,5', '1250.5', '1250.5'],
    ['12,5', '12.5', '12.5'],
    ['12.5', '12.5', '12.5'],
    ['1250.50', '1250.50', '1250.50'],
    ['1 250', '1250', '1250'],
    ['1’250.00', '1250.00', '1250.00'],
    ['１２', '12', '12'],
    ['１，２５０．５', '1250.5', '1250.5'],
    ['١٢٫٥', '12.5', '12.5'],
    ['१२', '12', '12'],
    ['−3', '-3', '-3'],
    ['.5', '0.5', '0.5'],
    ['7.', '7', '7'],
    ['+2', '2', '2'],
    ['12,345,678,901,234.5678', '12345678901234.5678', '12345678901234.5678'],
  ])('%s is %s, in German %s', (typed, english, german) => {
    expect(readDecimal(typed)).toBe(english);
    speak('de');
    expect(readDecimal(typed)).toBe(german);
  });

  it('may have its unit beside it, and no other', () => {
    expect([readDecimal('12 €', ['EUR', '€']), readDecimal('€12', ['EUR', '€']), readDecimal('eur 12', ['EUR', '€'])]).toEqual([
      '12',
      '12',
      '12',
    ]);
    expect([readDecimal('５ ％', ['%']), readDecimal('3 Tage', ['Tage', 'Tag']), readDecimal('12 €', ['USD', '$'])]).toEqual([
      '5',
      '3',
      undefined,
    ]);
  });

  it('is none where it could mean nothing, and the sentence shows how it is written', () => {
    for (const typed of ['', 'abc', '1.2.3', '12x', '--1', '1e5', 'Infinity', '.', '5²', '1,25,3', '1.250,5.1', '½'])
      for (const language of ['en', 'de']) {
        speak(language);
        expect([typed, readDecimal(typed)]).toEqual([typed, undefined]);
      }
    speak('en');
    expect(noNumber(' abc ')).toBe("“abc” can't be read as a number. Write it with digits only, such as 1,250.50.");
    speak('de');
    expect(noNumber('abc')).toContain('1.250,50');
  });

  it('survives being written and read in every language, plain and with its thousands grouped', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('en', 'de', 'fr', 'pt-BR'),
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 4 }),
        (language, whole, part, digits) => {
          speak(language);
          const plain = digits ? `${whole}.${String(part % 10 ** digits).padStart(digits, '0')}` : String(whole);
          expect(readDecimal(writeDecimal(plain))).toBe(plain);
          const grouped = Number(plain).toLocaleString(language === 'en' ? 'en-US' : language, { minimumFractionDigits: digits });
          expect(Number(readDecimal(grouped))).toBe(Number(plain));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
