// What can be set must do something: every field of every settings page is read by code of the server or of the domain.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vite';
import type { Schema } from '../../../../src/contract/types.ts';
import { projectRoot } from '../../../../src/server/platform/definitions.ts';
import { productDefinitions } from '../../../support/definitions.ts';

const definitions = productDefinitions();
const FOLDERS = ['src/server', 'src/domain'];
/** Writes settings and reads none. */
const isSeed = (file: string): boolean => file.startsWith('src/server/features/demo/');

interface Read {
  /** Names after a dot, and names taken out of an object. */
  names: Set<string>;
  /** Words of texts (keys of a list, SQL). */
  words: Set<string>;
  /** Whether the file has to do with settings: a word of another file may be anything. */
  isAboutSettings: boolean;
}

/** What a file reads by name. Types and the keys of objects that are made don't count: an unused default reads nothing. */
function readsOf(file: string): Read {
  const read: Read = { names: new Set(), words: new Set(), isAboutSettings: /settings/.test(file) };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const one = node as Record<string, unknown> & { type?: string };
    const nameOf = (inner: unknown): string | undefined => (inner as { name?: string } | null)?.name;
    if (one.type === 'MemberExpression' && one.computed === false) read.names.add(nameOf(one.property) ?? '');
    if (one.type === 'ObjectPattern')
      for (const property of one.properties as { key?: unknown; computed?: boolean }[])
        if (!property.computed) read.names.add(nameOf(property.key) ?? '');
    if (one.type === 'Identifier' && /^(read)?settings?$/i.test(nameOf(one) ?? '')) read.isAboutSettings = true;
    const text = one.type === 'Literal' ? one.value : one.type === 'TemplateElement' ? (one.value as { raw: string }).raw : undefined;
    if (typeof text === 'string') for (const word of text.match(/\w+/g) ?? []) read.words.add(word);
    for (const [key, inner] of Object.entries(one)) if (!/^type(?:Annotation|Parameters|Arguments)$/.test(key)) visit(inner);
  };
  visit(parseAst(fs.readFileSync(path.join(projectRoot, file), 'utf8'), { lang: 'ts' }, file));
  return read;
}

/** Handed over to pages of the storefront as they are, which draw by them. */
const HANDED_OVER = ['preferences', 'styles', 'texts'].map(part => `widget-design: ${part}.`);

/** `a`, `a.b` and the fields of the rows of a list, each with its own name last. */
const fieldsOf = (schema: Schema, prefix = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...fieldsOf(field, `${prefix}${name}.`),
    ...(field.items ? fieldsOf(field.items, `${prefix}${name}.`) : []),
  ]);

test('every field of every settings page is read by some code', () => {
  const read = FOLDERS.flatMap(folder =>
    fs
      .readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map(name => path.posix.join(folder, name.replaceAll('\\', '/')))
      .filter(file => file.endsWith('.ts') && !isSeed(file))
      .map(readsOf),
  );
  // Places of actions name the settings that they follow.
  const actions = JSON.stringify(Object.values(definitions.actions).map(action => action.in));
  const isRead = (name: string): boolean =>
    actions.includes(`"${name}"`) ||
    actions.includes(`.${name}"`) ||
    read.some(file => file.names.has(name) || (file.isAboutSettings && file.words.has(name)));
  const unread = Object.entries(definitions.settings).flatMap(([page, schema]) =>
    fieldsOf(schema)
      .filter(field => !isRead(field.split('.').at(-1) ?? field))
      .map(field => `${page}: ${field}`)
      .filter(field => !HANDED_OVER.some(part => field.startsWith(part))),
  );
  expect(unread, 'a field that nothing reads is removed, or made to act').toEqual([]);
  expect(Object.values(definitions.settings).flatMap(schema => fieldsOf(schema)).length).toBeGreaterThan(40);
});
