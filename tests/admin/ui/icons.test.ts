// Icons drawn by one path look like the shapes they were made of.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onePath, iconPlugin, type Shape } from '../../../scripts/icon-plugin.ts';

test.each<[string, Shape[], string]>([
  [
    'paths, each beginning where it says',
    [
      ['path', { d: 'M3 10a2 2 0 0 1 1 1' }],
      ['path', { d: 'm21 21-4.34-4.34' }],
      ['path', { d: 'm9 18 6-6-6-6' }],
      ['path', { d: 'm.5.5 1 1' }],
    ],
    'M3 10a2 2 0 0 1 1 1M21 21l-4.34-4.34M9 18l6-6-6-6M.5 .5l1 1',
  ],
  ['a path that goes on with a letter', [['path', { d: 'm2 2h4' }]], 'M2 2h4'],
  ['a path that goes on in absolute steps', [['path', { d: 'M5 12 3 4' }]], 'M5 12 3 4'],
  ['a circle', [['circle', { cx: '12', cy: '12', r: '10' }]], 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z'],
  ['a line', [['line', { x1: '4', x2: '20', y1: '5', y2: '5' }]], 'M4 5L20 5'],
  ['a box with corners', [['rect', { width: '18', height: '4', x: '3', y: '5' }]], 'M3 5h18v4h-18z'],
  [
    'a box with round corners',
    [['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }]],
    'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z',
  ],
])('%s', (_what, shapes, d) => {
  expect(onePath(shapes)).toEqual([['path', { d, key: 'p' }]]);
});

test('a shape with a fill of its own stays itself', () => {
  const dot: Shape = ['circle', { cx: '1', cy: '1', r: '.5', fill: 'currentColor', key: 'x' }];
  expect(onePath([['path', { d: 'M1 1h2' }], dot])).toEqual([['path', { d: 'M1 1h2', key: 'p' }], dot]);
});

test('every icon of the library is read, and becomes one path unless it has fills', () => {
  const folder = new URL('../../../node_modules/lucide-react/dist/esm/icons/', import.meta.url);
  const { transform } = iconPlugin() as unknown as { transform: { handler: (code: string) => { code: string } | undefined } };
  const several = readdirSync(folder)
    .filter(file => file.endsWith('.mjs') && file !== 'index.mjs')
    .filter(file => {
      const code = readFileSync(new URL(file, folder), 'utf8');
      if (!code.includes('node: [')) return false; // another name of an icon
      const after = transform.handler(code)?.code;
      return !after || (/\["(circle|rect|line|ellipse|polyline|polygon)"/.test(after) && !after.includes('"fill"'));
    });
  expect(several).toEqual([]);
});
