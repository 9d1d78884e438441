// What the product costs to grow, for `npm run check`: how many calls are data alone, how much code stands behind a call, how long files and lines are.
// The figures that may not get worse stand in docs/census.json. `tsx scripts/census.ts --write "reason"` writes today's there, with the reason where one is worse.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, Definitions } from '../src/contract/types.ts';
import { entityOf } from '../src/server/platform/records/rules.ts';
import { loadDefinitions, projectRoot, readHandlerNames } from '../src/server/platform/definitions.ts';
import { unreadIn } from './readers.ts';
import { filesBelow, readSource, sizeOf, sourceFiles, withoutComments } from './lib/source-files.ts';

/** What does a call's work: a function of its name, the engine's function of an action (schemas/actions), the verb with a rule of its entity around it, or the verb alone. */
export type Kind = 'code' | 'action' | 'ruled' | 'alone';
const CENSUS_FILE = 'docs/census.json';
const LONG_FILE = 400;
const WIDE_LINE = 140;

/** Each figure: what it is in words, and whether more of it is better or worse. `slack`: by how much it may grow unasked, so that ordinary work is not stopped. */
const FIGURES = {
  callsWithoutFunction: { words: 'calls without a function of their own', better: 'more', slack: 0 },
  callsOfActions: { words: 'calls that are actions on subscriptions', better: 'more', slack: 0 },
  callsAlone: { words: 'of these, calls without a rule either', better: 'more', slack: 0 },
  sizePerCall: { words: 'size of src and renderers per call', better: 'less', slack: 0.02 },
  featureSizePerCall: { words: "size of the server's features per call", better: 'less', slack: 0.02 },
  contractSize: { words: 'size of src/contract', better: 'less', slack: 0.02 },
  soonPlaces: { words: 'places of the navigation without a screen', better: 'less', slack: 0 },
  longFiles: { words: `source files over ${LONG_FILE} lines`, better: 'less', slack: 0 },
  wideLines: { words: `source lines over ${WIDE_LINE} columns`, better: 'less', slack: 0.02 },
  unread: { words: 'settings, fields, texts, styles without reader', better: 'less', slack: 0 },
} as const;
type Name = keyof typeof FIGURES;
type Figures = Record<Name, number>;
/** docs/census.json. */
export interface Kept {
  figures: Figures;
  /** Why a figure was allowed to get worse, the newest last. */
  reasons: string[];
}

/** What does each call's work. A call that is `like` another is what that one is. */
export function kindsOf(root: string, definitions: Definitions): Map<string, Kind> {
  const handlers = new Set(readHandlerNames(root).map(name => name.replace(/\.delete_$/, '.delete')));
  const server = filesBelow(root, 'src/server').filter(file => file.endsWith('.ts'));
  const texts = new Map(server.map(file => [file, withoutComments(readSource(root, file))]));
  // A call that the server's code names is treated apart somewhere, so it is no data alone.
  const named = new Set(
    [...texts.values()].flatMap(text => [...text.matchAll(/['"]([a-z0-9-]+\.\w+)['"]/g)].map(([, name]) => name as string)),
  );
  const ruled = new Set(
    [...texts]
      .filter(([file]) => /\/features\/[^/]+\/rules\.ts$/.test(file))
      .flatMap(([, text]) => [...text.matchAll(/export const (\w+)[^=]*= rules\b/g)].map(([, name]) => entityOf(name as string))),
  );
  const kindOf = (call: Call): Kind => {
    if (call.does === 'act') return handlers.has(call.name) ? 'code' : 'action';
    if (call.does === 'query' || call.does === 'command' || call.encode || call.decode) return 'code';
    if (handlers.has(call.name) || named.has(call.name)) return 'code';
    const like = call.like === undefined ? undefined : definitions.calls[call.like];
    return like ? kindOf(like) : ruled.has(call.of) ? 'ruled' : 'alone';
  };
  return new Map(Object.values(definitions.calls).map(call => [call.name, kindOf(call)]));
}

/** Today's figures. */
export function figuresOf(root: string, definitions: Definitions): Figures {
  const kinds = [...kindsOf(root, definitions).values()];
  const files = sourceFiles(root).map(file => ({ file, text: readSource(root, file) }));
  const size = (within: RegExp): number => files.reduce((sum, { file, text }) => sum + (within.test(file) ? sizeOf(text) : 0), 0);
  const linesOf = files.filter(({ file }) => !file.endsWith('.sql')).map(({ text }) => text.split('\n'));
  const perCall = (whole: number): number => Math.round(whole / Math.max(1, kinds.length));
  return {
    callsWithoutFunction: kinds.filter(kind => kind === 'alone' || kind === 'ruled').length,
    callsOfActions: kinds.filter(kind => kind === 'action').length,
    callsAlone: kinds.filter(kind => kind === 'alone').length,
    sizePerCall: perCall(size(/^/)),
    featureSizePerCall: perCall(size(/^src\/server\/features\//)),
    contractSize: Math.round(size(/^src\/contract\//)),
    soonPlaces: [...definitions.navigation.main, ...definitions.navigation.lower]
      .flatMap(entry => [entry, ...(entry.items ?? [])])
      .filter(entry => entry.planned).length,
    longFiles: linesOf.filter(lines => lines.length > LONG_FILE + 1).length,
    wideLines: linesOf.flat().filter(line => line.length > WIDE_LINE).length,
    unread: unreadIn(root, definitions).length,
  };
}

const names = Object.keys(FIGURES) as Name[];
const isWorse = (name: Name, now: number, written: number): boolean => {
  const { better, slack } = FIGURES[name];
  return better === 'more' ? now < written : now > written * (1 + slack);
};

/** What is written down next: today's figure, but what has grown within its slack stays, so that it can't creep. */
const nextKept = (name: Name, now: number, written: number): number =>
  isWorse(name, now, written) || FIGURES[name].better === 'more' ? now : Math.min(now, written);

/** One sentence for each figure that is worse than it was when it was last written down. */
export const worsened = (now: Figures, { figures }: Kept): string[] =>
  names
    .filter(name => isWorse(name, now[name], figures[name]))
    .map(
      name =>
        `There are ${FIGURES[name].better === 'more' ? 'fewer' : 'more'} ${FIGURES[name].words} than before: ${now[name]}, it was ${figures[name]}. ` +
        `Undo that, or say why it has to be: npx tsx scripts/census.ts --write "reason".`,
    );

/** The census in lines of words and numbers, each beside what it was. */
export const censusText = (now: Figures, { figures }: Kept, calls: number): string =>
  [
    `Census of ${calls} calls (50 characters of code are 1 of size):`,
    ...names.map(name => `  ${FIGURES[name].words.padEnd(42)} ${String(now[name]).padStart(6)}   written down: ${figures[name]}`),
  ].join('\n');

const keptIn = (root: string): Kept => JSON.parse(readFileSync(join(root, CENSUS_FILE), 'utf8')) as Kept;

if (process.argv[1]?.endsWith('census.ts')) {
  const definitions = loadDefinitions(projectRoot);
  const now = figuresOf(projectRoot, definitions);
  const written = keptIn(projectRoot);
  const problems = worsened(now, written);
  const at = process.argv.indexOf('--write');
  const reason = at < 0 ? undefined : process.argv[at + 1]?.trim();
  if (process.argv.includes('--calls'))
    for (const [name, kind] of kindsOf(projectRoot, definitions)) console.log(`  ${kind.padEnd(6)} ${name}`);
  if (at < 0) {
    console.log(censusText(now, written, Object.keys(definitions.calls).length));
    for (const problem of problems) console.log(problem);
    process.exitCode = problems.length ? 1 : 0;
  } else if (problems.length && !reason) {
    console.log(`Say in a few words why: --write "reason".\n${problems.join('\n')}`);
    process.exitCode = 1;
  } else {
    const worse = names
      .filter(name => isWorse(name, now[name], written.figures[name]))
      .map(name => `${name} ${written.figures[name]} to ${now[name]}`);
    const reasons = worse.length ? [...written.reasons, `${worse.join(', ')}: ${reason}`] : written.reasons;
    const figures = Object.fromEntries(names.map(name => [name, nextKept(name, now[name], written.figures[name])]));
    writeFileSync(join(projectRoot, CENSUS_FILE), `${JSON.stringify({ figures, reasons }, null, 2)}\n`);
    console.log(`Wrote ${CENSUS_FILE}.`);
  }
}
