// Medians, percentiles and the table that a benchmark prints.

/** `bare`: the floor; `ours`: what is measured; `inside`: how much of that its own statements took, with row-level security, where that is known. */
export interface Line {
  name: string;
  bare?: number;
  inside?: number;
  ours: number;
  p95?: number;
  ratio?: number;
  ok?: boolean;
  unit?: string;
}

export const median = (values: readonly number[]): number => percentile(values, 50);
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? NaN;
}

const figure = (value: number | undefined): string =>
  value === undefined ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

const times = (value: number | undefined, floor: number | undefined): number | undefined =>
  value === undefined || floor === undefined ? undefined : value / floor;

/** One line for each measurement. Where it is known, the time of the statements alone stands beside the whole, each with its ratio to the floor. */
export function print(title: string, lines: readonly Line[]): void {
  const isSplit = lines.some(line => line.inside !== undefined);
  const cell = (text: string, width = 10): string => text.padStart(width);
  console.log(`\n${title}`);
  console.log(
    `  ${'what'.padEnd(44)}${cell('floor')}${isSplit ? `${cell('statements', 12)}${cell('ratio', 8)}` : ''}${cell('ours')}${cell('p95')}${cell('ratio', 8)}`,
  );
  for (const line of lines) {
    const split = isSplit ? `${cell(figure(line.inside), 12)}${cell(figure(times(line.inside, line.bare)), 8)}` : '';
    console.log(
      `  ${line.name.padEnd(44)}${cell(figure(line.bare))}${split}${cell(figure(line.ours))}${cell(figure(line.p95))}${cell(figure(line.ratio ?? times(line.ours, line.bare)), 8)}${line.ok === undefined ? '' : line.ok ? '  ok' : '  MISSED'}`,
    );
  }
}
