// What an editor shows for a key of a definition file comes from the grammar: every key has a sentence there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/server/platform/definitions.ts';

type Node = Record<string, unknown>;
const folder = join(projectRoot, 'schemas/meta');
const documents = new Map(readdirSync(folder).map(file => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Node]));
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema that a reference names, and the file it stands in. */
function target(file: string, ref: string): { file: string; node: Node | undefined } {
  const [name, pointer = ''] = ref.split('#') as [string, string?];
  let node: unknown = documents.get(name || file);
  for (const part of pointer.split('/').slice(1)) node = isNode(node) ? node[part] : undefined;
  return { file: name || file, node: isNode(node) ? node : undefined };
}

function hasSentence(file: string, node: Node): boolean {
  if (typeof node['description'] === 'string') return true;
  if (typeof node['$ref'] !== 'string') return false;
  const referred = target(file, node['$ref']);
  return referred.node !== undefined && hasSentence(referred.file, referred.node);
}

/** Keys without a sentence, as file and path. `isKeys` is true for an object whose members are names of keys. */
function bare(file: string, node: unknown, path: string, isKeys: boolean): string[] {
  if (Array.isArray(node)) return node.flatMap((item, at) => bare(file, item, `${path}/${at}`, false));
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(isKeys && isNode(value) && !hasSentence(file, value) ? [`${file}#${path}/${key}`] : []),
    ...bare(file, value, `${path}/${key}`, !isKeys && key === 'properties'),
  ]);
}

test('every key of the grammar has a sentence for an editor to show', () => {
  expect(documents.size).toBeGreaterThan(15);
  expect([...documents].flatMap(([file, document]) => bare(file, document, '', false))).toEqual([]);
});
