import { expect, it } from 'vitest';
import { DATE_ORDERS, DATE_SEPARATORS, dateFormatOf, writtenDate } from '../../../src/domain/calendar/date-format.ts';
import { productDefinitions } from '../../support/definitions.ts';

const AT = Date.UTC(2026, 11, 3, 15);
const zone = 'America/New_York';
const written = (page: object, locale?: string): string => writtenDate(AT, zone, dateFormatOf(page), locale);

it('D264 D265 days in numbers have one of four orders and one of three separators', () => {
  const { dateOrder, dateSeparator } = productDefinitions().settings['notification-preferences']?.properties ?? {};
  expect(dateOrder?.oneOf?.map(one => one.const)).toEqual(DATE_ORDERS);
  expect(dateSeparator?.oneOf?.map(one => one.const)).toEqual(DATE_SEPARATORS);
  const all = DATE_ORDERS.map(order =>
    DATE_SEPARATORS.map(separator => written({ dateFormat: 'NUMBERS', dateOrder: order, dateSeparator: separator })),
  );
  expect(all).toEqual([
    ['2026/12/03', '2026-12-03', '2026.12.03'],
    ['2026/03/12', '2026-03-12', '2026.03.12'],
    ['12/03/2026', '12-03-2026', '12.03.2026'],
    ['03/12/2026', '03-12-2026', '03.12.2026'],
  ]);
});

it('days with words are said in the language of the e-mail', () => {
  expect(written({})).toBe('Thu, Dec 3, 2026');
  expect(written({}, 'de')).toBe('Do., 3. Dez. 2026');
  expect(written({ dateFormat: 'LONG' })).toBe('December 3, 2026');
  expect(written({ dateFormat: 'LONG' }, 'de')).toBe('3. Dezember 2026');
  expect(written({ dateFormat: 'DAY_FIRST' }, 'en-GB')).toBe('3 December 2026');
});
