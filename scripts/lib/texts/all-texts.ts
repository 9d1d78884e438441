// Every text of the product, code and definitions, and the file of languages/<code>/ that each belongs to.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inputSchema } from '../../../src/contract/calls.ts';
import { hasWords, withTexts } from '../../../src/domain/text/definition-texts.ts';
import { loadDefinitions } from '../../../src/server/platform/definitions.ts';
import { filesBelow, readSource } from '../source-files.ts';
import { type Found, textsOfCode } from './code-texts.ts';

/** Whose words customers read: of these only what the admin shows about them. */
const FOR_CUSTOMERS = /^schemas\/messages\//;
const WRITTEN_FOR_CUSTOMERS = /^\/(?:text|html|subject)$/;

/** The area a file's texts belong to: the name of a file in languages/<code>/. */
export function areaOf(file: string): string {
  const [top, second, third] = file.split('/') as [string, string?, string?];
  if (top === 'resources') return 'definitions-screens';
  if (top === 'schemas') return second === 'calls' || second === 'entities' ? `definitions-${second}` : 'definitions-others';
  if (top === 'renderers') return 'admin-renderers';
  if (second === 'admin') return third !== undefined && !third.includes('.') ? `admin-${third}` : 'admin-shell';
  return second === 'server' ? 'server' : 'domain';
}
/** A text that several areas have is kept once: with the definitions before the code, with what the browser has before the server. */
const rank = (area: string): string =>
  `${area.startsWith('definitions') ? 0 : area === 'domain' ? 1 : area.startsWith('admin') ? 2 : 3}${area}`;
export const firstArea = (areas: readonly string[]): string => [...areas].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0] as string;

/** Braces mean something else in definitions than in code: a text with some is kept for either. */
export const idOf = (text: string, area: string): string =>
  text.includes('{') && area.startsWith('definitions') ? `definition ${text}` : text;

export interface TextUse {
  text: string;
  area: string;
  uses: Found[];
}

/** The texts of the definitions. */
function textsOfDefinitions(root: string): Found[] {
  return ['resources', 'schemas'].flatMap(folder =>
    filesBelow(root, folder)
      .filter(file => file.endsWith('.json') && !file.startsWith('schemas/meta/'))
      .flatMap(file => {
        const found: Found[] = [];
        const source = readSource(root, file);
        let from = 0;
        const definition = JSON.parse(source) as { speaks?: true; subject?: string; body?: string[] };
        // A letter to a person of the team has words of the admin.
        for (const text of definition.speaks ? [definition.subject ?? '', ...(definition.body ?? [])] : [])
          if (hasWords(text.replace(/\{[{%].*?[%}]\}|\(cid:\w+\)/g, ''))) found.push({ text, file, line: 1 });
        withTexts(definition as unknown, (text, at) => {
          if (FOR_CUSTOMERS.test(file) && WRITTEN_FOR_CUSTOMERS.test(at)) return text;
          // The walk follows the file: the next place of the text is the one that is meant.
          const place = source.indexOf(JSON.stringify(text), from);
          if (place >= 0) from = place + 1;
          found.push({ text, file, line: place < 0 ? 1 : source.slice(0, place).split('\n').length });
          return text;
        });
        return found;
      }),
  );
}

/** Texts that loading makes of short forms ("Add shipping profile"), named by the file that they come from. */
function textsOfLoaded(root: string): Found[] {
  let definitions;
  try {
    definitions = loadDefinitions(root);
  } catch {
    return []; // the check of the definitions reports what is wrong
  }
  const found: Found[] = [];
  const collect = (file: string, loaded: unknown): void => {
    withTexts(loaded, text => {
      found.push({ text, file, line: 1 });
      return text;
    });
  };
  for (const [route, resource] of Object.entries(definitions.resources)) collect(`resources/${route}.json`, resource);
  for (const kind of ['entities', 'settings'] as const)
    for (const [name, schema] of Object.entries(definitions[kind])) collect(`schemas/${kind}/${name}.json`, schema);
  for (const call of Object.values(definitions.calls)) collect(`schemas/calls/${call.table}.json`, inputSchema(call, definitions.ambient));
  return found;
}

/** Files whose code may say something to people. */
export const codeFiles = (root: string): string[] =>
  ['src/admin', 'src/contract', 'src/domain', 'src/navigation', 'src/server', 'renderers']
    .flatMap(folder => filesBelow(root, folder))
    .filter(file => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

/** Every text with where it stands, by its id. */
export function allTexts(root: string): Map<string, TextUse> {
  const found = new Map<string, TextUse>();
  const written = textsOfDefinitions(root);
  const known = new Set(written.map(one => one.text));
  const made = textsOfLoaded(root).filter(one => !known.has(one.text));
  for (const one of [...written, ...made, ...codeFiles(root).flatMap(file => textsOfCode(file, readSource(root, file)))]) {
    if (!hasWords(one.text)) continue;
    const id = idOf(one.text, areaOf(one.file));
    const use = found.get(id);
    if (use) use.uses.push(one);
    else found.set(id, { text: one.text, area: '', uses: [one] });
  }
  for (const use of found.values()) use.area = firstArea([...new Set(use.uses.map(one => areaOf(one.file)))]);
  return found;
}

/** The languages there are besides English: the folders of languages/. */
export const languageCodes = (root: string): string[] =>
  [...new Set(filesBelow(root, 'languages').map(file => file.split('/')[1] as string))].filter(code =>
    existsSync(join(root, 'languages', code, 'index.json')),
  );
