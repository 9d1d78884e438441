// Medians, percentiles and the table that a benchmark prints.

export interface Line { name: string; bare?: number; ours: number; p95?: number; ratio?: number; ok?: boolean; unit?: string }

export const median = (values: readonly number[]): number => percentile(values, 50);
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * p / 100) - 1)] ?? NaN;
}

const figure = (value: number | undefined): string => value === undefined ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);

export function print(title: string, lines: readonly Line[]): void {
  console.log(`\n${title}`);
  console.log(`  ${'what'.padEnd(34)}${'floor'.padStart(10)}${'ours'.padStart(10)}${'p95'.padStart(10)}${'ratio'.padStart(8)}`);
  for (const line of lines) console.log(`  ${line.name.padEnd(34)}${figure(line.bare).padStart(10)}${figure(line.ours).padStart(10)}${figure(line.p95).padStart(10)}${figure(line.ratio).padStart(8)}${line.ok === undefined ? '' : line.ok ? '  ok' : '  MISSED'}`);
}
