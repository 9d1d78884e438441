// Liquid as messages and texts use it: no files, no code of a template's own, bounds on work and memory, unknown names refused.
import { Liquid, type Template } from 'liquidjs';

/** Longest template (letters), longest rendering (ms), most memory units of one rendering. */
const LIMITS = { parseLimit: 100_000, renderLimit: 2_000, memoryLimit: 2_000_000 };

const engine = new Liquid({ ...LIMITS, strictVariables: true, strictFilters: true, ownPropertyOnly: true, jsTruthy: true, cache: false });
// Tags that read other files.
for (const tag of ['render', 'include', 'layout', 'block']) delete engine.tags[tag];

export type Parsed = Template[];

/** @throws Error with the line and the column of what is wrong */
export const parseTemplate = (text: string): Parsed => engine.parse(text);

/** What a template gives with these values. @throws Error for a name that is not among the values, or work beyond the limits */
export const renderTemplate = (parsed: Parsed, values: object): string => String(engine.renderSync(parsed, values));

/** A name that a template reads from outside: its path ("customer.firstName"), and where it stands, both counted from 1. */
export interface UsedVariable {
  path: string;
  line: number;
  column: number;
}

/** The names that a template reads from outside; those of its own loops and assignments are not among them. */
export function usedVariables(parsed: Parsed): UsedVariable[] {
  const { globals } = engine.analyzeSync(parsed);
  return Object.values(globals).flatMap(uses =>
    uses.map(use => ({
      path: use.segments.filter(part => typeof part === 'string').join('.'),
      line: use.location.row,
      column: use.location.col,
    })),
  );
}

/** Where an error of parsing stands, and what it says without the place. */
export function placeOf(error: unknown): { line: number; column: number; message: string } {
  const { message, token } = error as Error & { token?: { getPosition?(): [number, number] } };
  const [line = 1, column = 1] = token?.getPosition?.() ?? [];
  return { line, column, message: message.split(', line:')[0] ?? message };
}
