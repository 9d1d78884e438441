// The tasks of docs/cookbook.md, followed one after the other: nothing is wrong with what they make, and every picture is there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAll, tell } from '../../src/check/index.ts';
import { checkOptions, projectRoot } from '../../src/server/platform/definitions.ts';
import { cookbookFiles, picturesOf } from '../../scripts/lib/cookbook.ts';

const page = readFileSync(join(projectRoot, 'docs/cookbook.md'), 'utf8');

test('the tasks of the cookbook make definitions without a mistake', () => {
  expect(page.match(/^## \d+\. /gm)).toHaveLength(13);
  const files = cookbookFiles(page);
  expect(Object.keys(files)).toContain('resources/warehouses.json');
  const { problems } = checkAll(files, checkOptions());
  expect(problems.map(tell)).toEqual([]);
});

test('every picture of the cookbook is there', () => {
  const pictures = picturesOf(page);
  expect(pictures.length).toBeGreaterThanOrEqual(4);
  for (const { file } of pictures) expect(existsSync(join(projectRoot, 'docs', file)), file).toBe(true);
});
