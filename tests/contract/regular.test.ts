// Patterns that take very long on some texts are found, and harmless ones are not accused.
import { expect, test } from 'vitest';
import { slowness } from '../../src/contract/check/regular.ts';

test.each(['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', '^([a-z0-9]+[-.]?)+$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(\\p{L}+ ?)+$'])('%s runs for hours', pattern => {
  expect(slowness(pattern)).toBe('exponential');
});
test.each(['\\s+$', '.*x.*y$', '^[a-z]*[a-z0-9]*$', '^\\d+\\d+$', '[A-Za-z]+@x'])('%s is slow on long texts', pattern => {
  expect(slowness(pattern)).toBe('quadratic');
});
test.each(['', 'abc', '^[A-Z]{2}$', '^\\s+$', '^\\d+\\.\\d\\d$', '^[^\\s@]+@[^\\s@]+$', '^(/[\\w{}.-]+)*$', '^(?:[a-z]+-)*[a-z]+$', '^.{1,30}$', '^[^,]*$', '[a-z]+', '^(GET|POST) /[\\w{}./-]*$', '^(?=a)b$', '^\\p{L}+$', '^[a-z]{1,63}(\\.[a-z]{1,63})*$'])('%s is harmless', pattern => {
  expect(slowness(pattern)).toBeUndefined();
});
test('what is no pattern throws', () => expect(() => slowness('[a')).toThrow());
