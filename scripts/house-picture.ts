// The picture of the house in docs/architecture.md: the folders of the source and how many imports lead from one to another.
import { importsOf, readSource, sourceFiles } from './lib/source-files.ts';

const BEGIN = '<!-- picture:begin (npm run generate writes it) -->';
const END = '<!-- picture:end -->';
export const PICTURE_FILE = 'docs/architecture.md';

export interface House {
  /** Folder -> number of its modules. */
  folders: Map<string, number>;
  /** "from to" -> number of imports. */
  arrows: Map<string, number>;
}

/** The part of the house that a module belongs to: `contract`, `server/platform`, `admin/form`, … `server` and `admin` are the files that stand in no folder of theirs. */
export function folderOf(file: string): string {
  const [top = '', second = '', third = '', ...rest] = file.split('/');
  if (top === 'renderers') return 'renderers';
  return (second === 'server' || second === 'admin') && rest.length ? `${second}/${third}` : second;
}

/** @param depth `folderOf`, or another division of the modules; undefined leaves a module out. */
export function houseOf(root: string, partOf: (file: string) => string | undefined = folderOf): House {
  const folders = new Map<string, number>();
  const arrows = new Map<string, number>();
  const modules = sourceFiles(root).filter(file => /\.tsx?$/.test(file));
  const known = new Set(modules);
  for (const file of modules) {
    const from = partOf(file);
    if (from === undefined) continue;
    folders.set(from, (folders.get(from) ?? 0) + 1);
    for (const target of importsOf(file, readSource(root, file))) {
      const to = known.has(target) ? partOf(target) : undefined;
      if (to !== undefined && to !== from) arrows.set(`${from} ${to}`, (arrows.get(`${from} ${to}`) ?? 0) + 1);
    }
  }
  return { folders, arrows };
}

/** Groups of parts of which each leads to each other: what should stand below one another and does not. */
export function ringsOf({ folders, arrows }: House): string[][] {
  const next = new Map<string, string[]>();
  for (const arrow of arrows.keys()) {
    const [from = '', to = ''] = arrow.split(' ');
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [from];
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const to of next.get(at) ?? []) if (!seen.has(to)) queue.push(...(seen.add(to), [to]));
    return seen;
  };
  const reached = new Map([...folders.keys()].map(folder => [folder, reach(folder)]));
  const groups = new Map<string, string[]>();
  for (const folder of [...folders.keys()].sort()) {
    const ring = [...(reached.get(folder) as Set<string>)].filter(other => reached.get(other)?.has(folder)).sort();
    if (ring.length > 1) groups.set(ring.join(' '), ring);
  }
  return [...groups.values()];
}

const idOf = (folder: string): string => folder.replace(/\W/g, '_');

/** A number as the picture says it: so roughly that a module more does not change the page, and two people's changes do not meet in it. */
export function roughly(count: number): string {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  const step = steps.findLast(least => least <= count) ?? 0;
  return step < 5 ? String(step) : `${step}+`;
}

/** A Mermaid graph: a box for each folder with the number of its modules, an arrow with the number of imports. */
export function drawn(house: House): string {
  const box = (folder: string): string => `${idOf(folder)}["${folder} (${roughly(house.folders.get(folder) ?? 0)})"]`;
  const names = [...house.folders.keys()].sort();
  const group = (title: string): string[] => [
    `  subgraph ${title}_side [${title}]`,
    ...names.filter(name => name === title || name.startsWith(`${title}/`)).map(name => `    ${box(name)}`),
    '  end',
  ];
  const others = names.filter(name => !/^(server|admin)(\/|$)/.test(name)).map(name => `  ${box(name)}`);
  const arrows = [...house.arrows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([arrow, count]) => {
      const [from = '', to = ''] = arrow.split(' ');
      return `  ${idOf(from)} -->|${roughly(count)}| ${idOf(to)}`;
    });
  return ['```mermaid', 'graph TD', ...group('admin'), ...group('server'), ...others, ...arrows, '```'].join('\n');
}

/** The page with its picture as it should be now. @throws Error when the page has lost the marks between which the picture stands */
export function withPicture(page: string, root: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`${PICTURE_FILE} lacks the lines "${BEGIN}" and "${END}", between which the picture stands.`);
  return `${page.slice(0, begin)}${BEGIN}\n${drawn(houseOf(root))}\n${page.slice(end)}`;
}
