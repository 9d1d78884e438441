// Handles and codes in every script: the signs that are vowels stay, and a letter is the same with its accent in one character or in two.
import { expect, it } from 'vitest';
import { propose } from '../../../src/domain/text/proposals.ts';
import { readFile } from '../../../src/server/features/products/import/preview-import.ts';
import { file, soap } from '../../server/features/products/files.ts';

it('takes handles of products in Thai and Hindi, and decomposed letters as the same handle', async () => {
  const handles = ['กาแฟ-คั่ว', 'हिंदी-चाय', 'café'.normalize('NFD')];
  const { products, errors } = await readFile(file(...handles.map(handle => soap({ Handle: handle }))), 'USD');
  expect(errors).toEqual([]);
  expect(products.map(({ handle }) => handle)).toEqual(['กาแฟ-คั่ว', 'हिंदी-चाय', 'café'.normalize('NFC')]);
  // A mark alone begins no handle.
  expect((await readFile(file(soap({ Handle: '\u0301a' })), 'USD')).errors).toMatchObject([
    { message: expect.stringContaining("can't be a handle") },
  ]);
});

it('proposes codes that keep the vowels of Thai and Hindi and drop accents', () => {
  const slug = (text: string) => propose('slug', [text]);
  expect(['กาแฟ คั่ว', 'हिंदी चाय', 'Café Größe', 'Crème brûlée, weekly'].map(slug)).toEqual([
    'กาแฟ-คั่ว',
    'हिंदी-चाय',
    'cafe-grosse',
    'creme-brulee-weekly',
  ]);
});
