// Liquid as messages and texts use it: no files, no code of a template's own, bounds on work and memory, unknown names refused.
import { Context, ForTag, Liquid, TablerowTag, defaultOperators, evalToken, toValue } from 'liquidjs';
import type { Emitter, FilterImplOptions, Template } from 'liquidjs';

/**
 * What one letter may cost, subject and text together, wherever it is filled in. Counted rather than timed, so that what could be saved can
 * be sent on a busy machine as well; the time is the last bound, for what no count knows.
 */
export const LIMITS = {
  /** Letters of one template. */
  letters: 100_000,
  /** Tags, outputs, filters, joined conditions and lines of one template. */
  parts: 5_000,
  /** Parts of templates that are filled in, again in each turn of a loop. */
  steps: 5_000,
  /** Letters and list members that filters, loops and outputs make. */
  units: 300_000,
  milliseconds: 2_000,
} as const;

/** A template that takes more work than a letter may. */
export class OverLimit extends Error {
  constructor() {
    super('the limit of work is exceeded');
    this.name = 'OverLimit';
  }
}

type Limiter = Context['renderLimit'];

/** What is left of the limits while one letter is filled in. */
export class Budget {
  #steps = 0;
  #units = 0;
  readonly #until = performance.now() + LIMITS.milliseconds;
  isSpent = false;
  #need(isWithin: boolean): void {
    if (isWithin && !this.isSpent) return;
    this.isSpent = true;
    throw new OverLimit();
  }
  /** For each part that is filled in. */
  check(): void {
    this.#need(++this.#steps <= LIMITS.steps && performance.now() < this.#until);
  }
  /** For what a part makes. */
  use(units: number): void {
    if (units > 0) this.#need((this.#units += units) <= LIMITS.units);
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 1);

/** Comparisons of long texts and lists are work too. */
const operators = { ...defaultOperators };
for (const name of ['==', '!=', 'contains']) {
  // The package's type has operators with one side among them; these have two.
  const compare = defaultOperators[name] as (left: unknown, right: unknown, context: Context) => boolean;
  operators[name] = (left: unknown, right: unknown, context: Context) => {
    context.memoryLimit.use(sizeOf(left) + sizeOf(right));
    return compare(left, right, context);
  };
}

const engine = new Liquid({ operators, strictVariables: true, strictFilters: true, ownPropertyOnly: true, jsTruthy: true, cache: false });
// Tags that read other files.
for (const tag of ['render', 'include', 'layout', 'block']) delete engine.tags[tag];

// Every filter costs what it is given; the package counts only what some of them make.
for (const [name, filter] of Object.entries(engine.filters)) {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  const counted: FilterImplOptions = function (value: unknown, ...rest: unknown[]) {
    this.context.memoryLimit.use(sizeOf(value));
    return handler.apply(this, [value, ...rest]) as unknown;
  };
  engine.registerFilter(name, counted);
}

/** A value as a template puts it out. */
function wordsOf(given: unknown): string {
  const value: unknown = toValue(given);
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(wordsOf).join('') : String(value);
}

/** A loop costs the list that it begins with, however little of it it goes through. */
class CountedLoop extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    context.memoryLimit.use(sizeOf(yield evalToken(this.collection, context)));
    return yield* super.render(context, emitter);
  }
}
class CountedTable extends TablerowTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    context.memoryLimit.use(sizeOf(yield evalToken(this.collection, context)));
    yield* super.render(context, emitter);
  }
}
engine.registerTag('for', CountedLoop);
engine.registerTag('tablerow', CountedTable);

/** What a template puts out, or captures, counted as it grows. */
class Output implements Emitter {
  buffer = '';
  readonly #limit: Limiter;
  constructor(limit: Limiter) {
    this.#limit = limit;
  }
  write(given: unknown): void {
    const text = wordsOf(given);
    this.#limit.use(text.length);
    this.buffer += text;
  }
}
const renderAll = engine.renderer.renderTemplates.bind(engine.renderer);
engine.renderer.renderTemplates = (templates, context, emitter = new Output(context.memoryLimit)) => renderAll(templates, context, emitter);

export type Parsed = Template[];

/** What reading a template costs, wherever in it these stand: words of people seldom have any of them. */
const partsIn = (text: string): number => text.match(/\{[{%]|\||\n|\b(?:and|or)\b/g)?.length ?? 0;

/** @throws Error with the line and the column of what is wrong; OverLimit */
export function parseTemplate(text: string): Parsed {
  if (text.length > LIMITS.letters || partsIn(text) > LIMITS.parts) throw new OverLimit();
  return engine.parse(text);
}

/**
 * What a template gives with these values. Templates of one letter share a budget.
 * @throws Error for a name that is not among the values; OverLimit
 */
export function renderTemplate(parsed: Parsed, values: object, budget: Budget = new Budget()): string {
  // The package takes its own class of limits and calls no more of it than these two.
  const limit = budget as unknown as Limiter;
  const scope = new Context(values, engine.options, { sync: true }, { memoryLimit: limit, renderLimit: limit, liquid: engine });
  try {
    return String(engine.renderSync(parsed, scope));
  } catch (error) {
    // The package words errors of its parts in its own way.
    if (budget.isSpent) throw new OverLimit();
    throw error;
  }
}

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
