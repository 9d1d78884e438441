// Works through many rows a few at a time: stoppable, and it says what became of each.

export interface Failure<Row> {
  row: Row;
  error: unknown;
}
export interface Worked<Row> {
  done: Row[];
  failed: Failure<Row>[];
  /** Not begun, because the work was stopped. */ left: Row[];
}
export interface WorkOptions {
  atOnce: number;
  /** Stops before the next row; those under way are finished. */
  signal: AbortSignal;
  /** Errors after which every further row would fail the same way (no connection, signed out): the rest is left. */
  isFinal: (error: unknown) => boolean;
  /** After each row, how many are through. */
  onStep: (through: number) => void;
}

/** Runs `one` for every row. Never throws: what `one` throws is the row's failure. */
export async function workThrough<Row>(
  rows: readonly Row[],
  one: (row: Row) => Promise<unknown>,
  { atOnce, signal, isFinal, onStep }: WorkOptions,
): Promise<Worked<Row>> {
  const worked: Worked<Row> = { done: [], failed: [], left: [] };
  let next = 0;
  let isOver = false;
  const lane = async (): Promise<void> => {
    while (next < rows.length && !isOver && !signal.aborted) {
      const row = rows[next++] as Row;
      try {
        await one(row);
        worked.done.push(row);
      } catch (error) {
        worked.failed.push({ row, error });
        isOver ||= isFinal(error);
      }
      onStep(worked.done.length + worked.failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, lane));
  worked.left = rows.slice(next);
  return worked;
}

/** Failures by their sentence, the most frequent first. */
export function byReason<Row>(failures: readonly Failure<Row>[]): { message: string; rows: Row[] }[] {
  const reasons = new Map<string, Row[]>();
  for (const { row, error } of failures) {
    const message = error instanceof Error ? error.message : String(error);
    reasons.set(message, [...(reasons.get(message) ?? []), row]);
  }
  return [...reasons].map(([message, rows]) => ({ message, rows })).sort((a, b) => b.rows.length - a.rows.length);
}
