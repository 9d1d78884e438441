// Patterns that take very long on some texts are found, and harmless ones are not accused.
import fs from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/server/platform/definitions.ts';
import { slowness } from '../../src/check/regular.ts';

test.each(['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', '^([a-z0-9]+[-.]?)+$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(\\p{L}+ ?)+$'])(
  '%s runs for hours',
  pattern => {
    expect(slowness(pattern)).toBe('exponential');
  },
);
test.each(['\\s+$', '.*x.*y$', '^[a-z]*[a-z0-9]*$', '^\\d+\\d+$', '[A-Za-z]+@x'])('%s is slow on long texts', pattern => {
  expect(slowness(pattern)).toBe('quadratic');
});
test.each([
  '',
  'abc',
  '^[A-Z]{2}$',
  '^\\s+$',
  '^\\d+\\.\\d\\d$',
  '^[^\\s@]+@[^\\s@]+$',
  '^(/[\\w{}.-]+)*$',
  '^(?:[a-z]+-)*[a-z]+$',
  '^.{1,30}$',
  '^[^,]*$',
  '[a-z]+',
  '^(GET|POST) /[\\w{}./-]*$',
  '^(?=a)b$',
  '^\\p{L}+$',
  '^[a-z]{1,63}(\\.[a-z]{1,63})*$',
])('%s is harmless', pattern => {
  expect(slowness(pattern)).toBeUndefined();
});
test('what is no pattern throws', () => expect(() => slowness('[a')).toThrow());

test.each([
  ['(?<=a)b', undefined],
  ['^(?:a|b|c){1,3}(?:[a-z]{2}x){1,90}$', undefined],
  [`^${'(?:[a-f]x?)'.repeat(80)}$`, 'unknown'],
])('%s is judged, or it is said that it is not', (pattern, judged) => {
  expect(slowness(pattern)).toBe(judged);
});

/** Slow on long texts of a certain kind, and never given one: what each of them reads. */
const SHORT: Record<string, string> = {
  'src/admin/platform/list-query.ts': 'a part of our own address',
  'src/admin/platform/interpolate.ts': 'a sentence of ours',
  'src/admin/platform/transport/error-report.ts': 'a line of a stack',
  'src/check/regular.ts': 'a pattern of a schema',
  'src/contract/validation/compile.ts': 'generated code',
  'src/contract/find.ts': 'a path',
  'src/server/platform/config.ts': 'an address of the configuration',
  'src/server/platform/definitions.ts': 'our own source',
  'src/server/engine/contract-response.ts': 'a number',
  'src/server/platform/http/log.ts': 'each part is bounded at 64 letters',
  'src/server/platform/mail/outbox-page.ts': 'matches whatever it begins',
  'src/server/platform/http/static-pages.ts': 'a request path, bounded by the server',
  'src/server/platform/db/errors.ts': 'a message of the driver',
  'src/server/platform/db/embedded/tarball.ts': 'a header of 512 bytes',
  'src/domain/text/placeholders.ts': 'a text of a store, bounded by its schema',
  'src/server/platform/http/app.ts': 'a request path, bounded by the server',
  'src/server/platform/http/public-pages.ts': 'a page of ours, in which what others wrote is escaped',
  'src/server/platform/outgoing/error-envelope.ts': 'a line of a stack',
  'renderers/fields/money.tsx': 'an amount',
};

test('D3.37 no regular expression of the product can run for hours, and none that meets texts of others is slow on long ones', () => {
  const found: string[] = [];
  let read = 0;
  for (const file of ['src', 'renderers'].flatMap(folder =>
    fs
      .readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map(name => path.posix.join(folder, name.replaceAll('\\', '/'))),
  )) {
    if (!/\.tsx?$/.test(file) || file.startsWith('src/generated/')) continue;
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      if ('regex' in node) {
        const { pattern } = node.regex as { pattern: string };
        read++;
        const judged = slowness(pattern);
        if (judged === 'exponential' || judged === 'unknown' || (judged === 'quadratic' && !SHORT[file]))
          found.push(`${file}: /${pattern}/ is ${judged}`);
      }
      for (const inner of Object.values(node)) visit(inner);
    };
    visit(parseAst(fs.readFileSync(path.join(projectRoot, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  }
  expect(found).toEqual([]);
  expect(read).toBeGreaterThan(200);
});
