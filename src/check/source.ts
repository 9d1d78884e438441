// A definition file with the places of its parts: what is needed to report a mistake by line and column.
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { closest, distance } from 'fastest-levenshtein';
import type { Problem } from '../contract/types.ts';
import { parts, pointer } from '../contract/paths.ts';

export interface Source {
  file: string;
  text: string;
  value: unknown;
  tree: Node | undefined;
  starts: number[];
}

/** A mistake by its pointer. `on: 'key'` points at the member's name instead of its value; `wanted` and `among` make the suggestion. */
export interface Finding {
  file: string;
  pointer: string;
  message: string;
  on?: 'key' | 'value';
  /** Within a text: how many letters of it stand before the mistake. */
  inside?: number;
  wanted?: string;
  among?: Iterable<string>;
}

const SYNTAX: Record<string, string> = {
  InvalidSymbol: 'This is not a JSON value. Texts need double quotes.',
  InvalidNumberFormat: 'This is not a number.',
  PropertyNameExpected: 'A name in double quotes should stand here; perhaps there is a comma too many.',
  ValueExpected: 'A value should stand here; perhaps there is a comma too many.',
  ColonExpected: 'A colon is missing after the name.',
  CommaExpected: 'A comma is missing.',
  CloseBraceExpected: 'A closing brace } is missing.',
  CloseBracketExpected: 'A closing bracket ] is missing.',
  EndOfFileExpected: 'The file should end here; perhaps there is a closing brace too many.',
  InvalidCommentToken: 'JSON has no comments. Use "$comment".',
  UnexpectedEndOfComment: 'JSON has no comments. Use "$comment".',
  UnexpectedEndOfString: 'The text is not closed: a double quote is missing.',
  UnexpectedEndOfNumber: 'This is not a number.',
  InvalidUnicode: 'The escape \\u needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'This escape is not known in JSON.',
  InvalidCharacter: 'This character must be escaped.',
};

/** What a text is, but for its value. */
interface Parsed extends Omit<Source, 'value'> {
  isWhole: boolean;
  problems: Problem[];
}
/** The last text of each file: who checks again has changed one of hundreds. */
const parsed = new Map<string, Parsed>();

/**
 * Reads a file. Syntax errors and names that stand twice in one object go to `report`; the value is undefined when the syntax is broken.
 */
export function read(file: string, text: string, report: (problem: Problem) => void): Source {
  let found = parsed.get(file);
  if (found?.text !== text) parsed.set(file, (found = parse(file, text)));
  const { isWhole, problems, ...source } = found;
  problems.forEach(report);
  return { ...source, value: isWhole ? (JSON.parse(text) as unknown) : undefined };
}

function parse(file: string, text: string): Parsed {
  const errors: ParseError[] = [];
  const problems: Problem[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const source = { file, text, tree, starts: lineStarts(text) };
  const first = errors[0];
  if (first || !tree) {
    const code = first ? printParseErrorCode(first.error) : 'ValueExpected';
    problems.push({ file, ...position(source, first?.offset ?? 0), pointer: '', message: SYNTAX[code] ?? `This is not JSON (${code}).` });
    return { ...source, isWhole: false, problems };
  }
  const visit = (node: Node, path: (string | number)[]): void => {
    if (node.type === 'array') node.children?.forEach((child, i) => visit(child, [...path, i]));
    if (node.type !== 'object') return;
    const seen = new Map<string, Node>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children as [Node, Node | undefined];
      const name = key.value as string;
      const before = seen.get(name);
      if (before)
        problems.push({
          file,
          ...position(source, key.offset),
          pointer: pointer([...path, name]),
          message: `"${name}" stands here twice; it is in line ${position(source, before.offset).line} already.`,
        });
      seen.set(name, key);
      if (value) visit(value, [...path, name]);
    }
  };
  visit(tree, []);
  return { ...source, isWhole: true, problems };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}
function position(source: Pick<Source, 'starts'>, offset: number): { line: number; column: number } {
  let low = 0,
    high = source.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (source.starts[low] as number) + 1 };
}

/** Line and column (from 1) of what a pointer names; of the nearest part around it that exists when it names nothing. */
export function placeOf(
  source: Source | undefined,
  at: string,
  on: 'key' | 'value' = 'value',
  inside = 0,
): { line: number; column: number } {
  if (!source?.tree) return { line: 1, column: 1 };
  let names: (string | number)[] = parts(at);
  for (;;) {
    const node = nodeAt(source.tree, names);
    if (node) {
      const target = on === 'key' && node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node;
      return position(source, target.type === 'string' ? within(source.text, target.offset, inside) : target.offset);
    }
    names = names.slice(0, -1);
  }
}
/** Where a letter of a JSON text stands in the file, by its place in the text: an escape is several letters there. */
function within(text: string, quote: number, inside: number): number {
  let at = quote;
  for (let left = inside > 0 ? inside + 1 : 0; left > 0; left--) {
    const step = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    at += step;
  }
  return at;
}
function nodeAt(tree: Node, names: (string | number)[]): Node | undefined {
  let here: Node | undefined = tree;
  for (const name of names) {
    if (!here) return undefined;
    here = findNodeAtLocation(here, [here.type === 'array' ? Number(name) : String(name)]);
  }
  return here;
}

/** The valid name nearest to a wrong one, if it is near enough to have been meant. */
export function nearest(wanted: string, among: Iterable<string>): string | undefined {
  const names = [...among];
  if (names.length === 0 || wanted === '') return undefined;
  const lower = new Map(names.map(name => [name.toLowerCase(), name]));
  const exact = lower.get(wanted.toLowerCase());
  if (exact !== undefined) return exact;
  if (wanted.length < 3) return undefined;
  const small = wanted.toLowerCase();
  const best = closest(small, [...lower.keys()]);
  if (distance(small, best) <= Math.round(Math.max(small.length, best.length) * 0.4)) return lower.get(best);
  return names.find(name => name.toLowerCase().startsWith(small)) ?? undefined;
}

/** A finding with its place and suggestion. */
export function locate(sources: ReadonlyMap<string, Source>, finding: Finding): Problem {
  const suggestion = finding.wanted !== undefined && finding.among ? nearest(finding.wanted, finding.among) : undefined;
  return {
    file: finding.file,
    ...placeOf(sources.get(finding.file), finding.pointer, finding.on, finding.inside),
    pointer: finding.pointer,
    message: finding.message,
    ...(suggestion !== undefined ? { suggestion } : {}),
  };
}
