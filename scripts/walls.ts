// The walls between features: each folder of src/server/features and src/admin/features says in its feature.json what it is, which other
// features it imports, and which of its files others may import. `npm run check` holds the imports to it; tables and picture are made from
// it. The linter can't do this: it matches a path as it is written, and `../gifts/` may lead to a feature or to a folder of one's own.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, importsOf, readSource, sourceFiles } from './lib/source-files.ts';

export interface Feature {
  /** What it is, in half a sentence. */
  says: string;
  /** The features of the same side that it imports. */
  imports: string[];
  /** Files of its own that other features may import, below its folder; `updates/**` is all below one. */
  public: string[];
}
type Features = Record<string, Feature>;

const FOLDERS = ['src/server/features', 'src/admin/features'] as const;

/** Whether a file is the one that a glob names, or below it: `updates/**` is all below a folder. */
const isBelow = (file: string, glob: string): boolean => (glob.endsWith('**') ? file.startsWith(glob.slice(0, -2)) : file === glob);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(one => typeof one === 'string');

/**
 * The features of a side by their folder.
 * @throws Error that names the file, when one is missing, is no JSON, lacks a member, or names a feature that is not there
 */
export function featuresOf(root: string, folder: string): Features {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort();
  const read = (name: string): Feature => {
    const file = `${folder}/${name}/feature.json`;
    if (!existsSync(join(root, file)))
      throw new Error(
        `${file} is missing: { "says": "what it is", "imports": ["features it imports"], "public": ["files others may import"] }.`,
      );
    const { says, imports, public: open } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Partial<Record<keyof Feature, unknown>>;
    if (typeof says !== 'string' || !isTexts(imports) || !isTexts(open))
      throw new Error(`${file} needs "says" (a text), "imports" and "public" (lists of texts).`);
    const unknown = imports.find(other => !names.includes(other) || other === name);
    if (unknown !== undefined) throw new Error(`${file} imports "${unknown}", which is no other feature of ${folder}.`);
    const files = filesBelow(root, `${folder}/${name}`);
    const gone = open.find(glob => !files.some(path => isBelow(path, `${folder}/${name}/${glob}`)));
    if (gone !== undefined) throw new Error(`${file} names "${gone}" as public, and the feature has no such file.`);
    return { says, imports, public: open };
  };
  return Object.fromEntries(names.map(name => [name, read(name)]));
}

/** What a feature declares and does not import, and what it imports and does not declare, as sentences. */
export function wrongImports(root: string, folder: string, features = featuresOf(root, folder)): string[] {
  const featureOf = (file: string): string | undefined =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined;
  const used = new Map<string, Set<string>>();
  const found: string[] = [];
  for (const file of sourceFiles(root)) {
    const name = /\.tsx?$/.test(file) ? featureOf(file) : undefined;
    const feature = name === undefined ? undefined : features[name];
    if (name === undefined || !feature) continue;
    for (const target of importsOf(file, readSource(root, file))) {
      const other = featureOf(target);
      if (other === undefined || other === name || !features[other]) continue;
      used.set(name, (used.get(name) ?? new Set()).add(other));
      if (!feature.imports.includes(other)) found.push(`${file} imports ${target}; its feature.json does not name "${other}".`);
      else if (!features[other].public.some(glob => isBelow(target, `${folder}/${other}/${glob}`)))
        found.push(`${file} imports ${target}, which feature.json of "${other}" does not name as public.`);
    }
  }
  for (const [name, feature] of Object.entries(features))
    for (const other of feature.imports)
      if (!used.get(name)?.has(other)) found.push(`${folder}/${name}/feature.json names "${other}", which it does not import.`);
  return found;
}

const BEGIN = '<!-- features:begin (npm run generate writes it from each feature.json) -->';
const END = '<!-- features:end -->';
const listed = (names: string[]): string => (names.length ? names.join(', ') : '–');

function tableOf(features: Features): string {
  const rows = Object.entries(features).map(
    ([name, { says, imports, public: open }]) =>
      `| ${name} | ${says} | ${listed(open.map(file => `\`${file}\``))} | ${listed([...imports].sort())} |`,
  );
  const arrows = Object.entries(features).flatMap(([name, { imports }]) => [...imports].sort().map(other => `  ${name} --> ${other}`));
  return [
    '| Feature | What it is | Others may import | It imports |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '```mermaid',
    'graph LR',
    ...arrows,
    '```',
  ].join('\n');
}

function withTable(root: string, folder: string): string {
  const file = join(root, folder, 'README.md');
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`${folder}/README.md lacks the lines "${BEGIN}" and "${END}", between which the table stands.`);
  return `${page.slice(0, begin)}${BEGIN}\n${tableOf(featuresOf(root, folder))}\n${page.slice(end)}`;
}

/** Path from the root -> text of the files that follow from the features' feature.json. */
export const wallFiles = (root: string): Record<string, string> =>
  Object.fromEntries(FOLDERS.map(folder => [`${folder}/README.md`, withTable(root, folder)]));

/** Floors below the features: everything outside imports their door alone, and what stands there imports no feature. */
const FLOORS = [{ folder: 'src/server/engine', door: 'src/server/engine/index.ts', above: 'src/server/features' }] as const;

/** What is imported past the door of a floor, and what a floor imports from above it, as sentences. */
export function pastDoors(root: string): string[] {
  const found: string[] = [];
  for (const file of sourceFiles(root).filter(one => /\.tsx?$/.test(one)))
    for (const target of importsOf(file, readSource(root, file)))
      for (const { folder, door, above } of FLOORS) {
        const isInside = file.startsWith(`${folder}/`);
        if (!isInside && target.startsWith(`${folder}/`) && target !== door)
          found.push(`${file} imports ${target}. Import it from ${door}, and export it there if others need it.`);
        if (isInside && target.startsWith(`${above}/`))
          found.push(`${file} imports ${target}, a feature. Features import the engine, which knows none of them.`);
        if (isInside && target === door) found.push(`${file} imports its own door ${door}. Import the file that has it.`);
      }
  return found;
}

/** All that is wrong between the features of both sides, and at the doors of floors, as sentences. @throws Error as `featuresOf` */
export const brokenWalls = (root: string): string[] => [...FOLDERS.flatMap(folder => wrongImports(root, folder)), ...pastDoors(root)];
