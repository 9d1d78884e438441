// The files of the studio: what it shows beside each, and what it does not write.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listFiles, openFile, saveFile } from '../../src/server/studio/files.ts';
import { hasScreen } from '../../src/contract/find.ts';
import { loadDefinitions, projectRoot } from '../../src/server/platform/definitions.ts';
import { copyProduct } from '../support/copy-of-product.ts';

const root = mkdtempSync(join(tmpdir(), 'perennial-studio-'));
copyProduct(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const save = (file: string, text: string) => saveFile(root, file, text, openFile(root, file)?.revision ?? '');

test('beside each definition that people see stands a screen that shows it', () => {
  const definitions = loadDefinitions();
  const listed = listFiles(projectRoot);
  const shown = /^(resources\/|schemas\/(settings|messages|reports|analytics|texts|conditions|actions|integrations\/(?!_)|events)\b)/;
  const without = listed.filter(({ file, preview }) => shown.test(file) && preview === null).map(({ file }) => file);
  expect(without).toEqual([]);
  for (const folder of ['reports', 'analytics', 'metrics', 'texts', 'integrations'])
    expect(listed.filter(({ file }) => file.startsWith(`schemas/${folder}/`)).length, folder).toBeGreaterThan(5);
  const nowhere = listed.flatMap(({ file, preview }) =>
    preview !== null && !hasScreen(definitions, preview) ? [`${file}: ${preview}`] : [],
  );
  expect(nowhere).toEqual([]);
});

test('a text that makes something wrong is not written; what is wrong already may be put right step by step', () => {
  const file = 'resources/bundles.json';
  const text = readFileSync(join(root, file), 'utf8');
  // Two mistakes, made by another way than the studio.
  const wrong = text.replace('"module": "bundles"', '"module": "bundels"');
  writeFileSync(join(root, file), wrong.replace('"icon": "', '"icon": "no-'));
  expect(save(file, wrong)).toHaveProperty('revision');
  expect(save(file, wrong.replace('"icon": "', '"icon": "not-'))).toMatchObject([
    { file, message: expect.stringContaining('"not-') as string },
  ]);
  expect(readFileSync(join(root, file), 'utf8')).toBe(wrong);
});
