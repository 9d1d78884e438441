// `npm run torture`: faults, clocks and hostile inputs with fresh random seeds, each printed. With names only those: npm run torture -- kill clock.
// --seed N repeats a run; --light makes each a tenth as long; --minutes N is the time that all of them together may take (20). Ends with 1 when any of
// them found something wrong, or when the time is over. The soak runs only by its name, for as long as --minutes says (30): npm run torture -- soak.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** Each with the option that says how long it is, and its usual value: all of them together take about twenty minutes on two quiet cores. */
const TORTURES: Record<string, { option: string; usual: number; what: string }> = {
  kill: { option: 'kills', usual: 100, what: 'a process that writes is killed' },
  clock: { option: 'stores', usual: 8, what: 'two years of orders over daylight saving, and an hour backwards' },
  tenant: { option: 'inputs', usual: 40, what: 'every call with ids of another store' },
  permission: { option: 'rounds', usual: 30, what: 'every call against random rights and plans' },
  fuzz: { option: 'per-call', usual: 200, what: 'generated requests to every call' },
  years: { option: 'contracts', usual: 200, what: 'ten years of subscriptions against an independent model' },
  bulk: { option: 'kills', usual: 60, what: 'workers of bulk actions are killed' },
  cut: { option: 'per-call', usual: 40, what: 'writes over connections that break' },
  races: { option: 'rounds', usual: 150, what: 'all ways to charge a subscription, at once' },
  editors: { option: 'interleavings', usual: 500, what: 'people who edit the same thing' },
  restart: { option: 'kills', usual: 40, what: 'the server is killed in the middle of bulk actions' },
};
/** Runs alone, only when it is named. */
const SOAK = { option: 'minutes', usual: 30, what: 'mixed load for a long time' };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' }, minutes: { type: 'string' }, light: { type: 'boolean', default: false } } });
const unknown = positionals.find(name => !(name in TORTURES) && name !== 'soak');
if (unknown !== undefined) { console.error(`There is no torture "${unknown}". There are: ${Object.keys(TORTURES).join(', ')}, soak.`); process.exit(2); }
if (values.minutes !== undefined && !/^\d{1,4}$/.test(values.minutes)) { console.error('--minutes must be a whole number.'); process.exit(2); }
const isSoak = positionals.includes('soak');
if (isSoak && positionals.length > 1) { console.error('The soak runs alone.'); process.exit(2); }
if (values.seed !== undefined && !/^\d{1,10}$/.test(values.seed)) { console.error('--seed must be a whole number.'); process.exit(2); }

const root = fileURLToPath(new URL('../..', import.meta.url));
const results: { name: string; seed: string; seconds: number; code: number | null; told: string }[] = [];
let running: ReturnType<typeof spawn> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { running?.kill(signal); process.exitCode = 1; });

/** When the time of all of them is over; the soak has its own length. */
const minutes = Number(values.minutes ?? 20);
const until = isSoak ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
const left: string[] = [];
for (const [name, { option, usual, what }] of isSoak ? [['soak', SOAK] as const] : Object.entries(TORTURES)) {
  if (positionals.length && !positionals.includes(name)) continue;
  if (performance.now() >= until) { left.push(name); continue; }
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  const size = isSoak && values.minutes !== undefined ? Number(values.minutes) : values.light ? Math.max(1, Math.round(usual / 10)) : usual;
  console.log(`\n== ${name}: ${what} ==`);
  const from = performance.now();
  let told = '';
  const code = await new Promise<number | null>(resolve => {
    const child = spawn(process.execPath, ['--import', 'tsx', `tests/torture/${name}.ts`, `--${option}`, String(size), '--seed', seed], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      told = text.split('\n').findLast(line => line.startsWith(`${name}: `)) ?? told;
    });
    const limit = Number.isFinite(until) ? setTimeout(() => { console.log(`${name}: not over after ${minutes} minutes for all`); child.kill('SIGTERM'); }, until - performance.now()) : undefined;
    child.on('close', status => { clearTimeout(limit); resolve(status); });
  });
  results.push({ name, seed, seconds: Math.round((performance.now() - from) / 1000), code, told });
  if (process.exitCode === 1) break;
}

console.log(`\n== summary (load of the machine ${loadavg()[0]?.toFixed(1)}) ==`);
for (const { name, seed, seconds, code, told } of results) {
  console.log(`  ${code === 0 ? 'ok    ' : 'WRONG '} ${name.padEnd(11)} seed ${seed.padEnd(11)} ${String(seconds).padStart(5)} s  ${told.replace(`${name}: `, '')}${code === 0 ? '' : `  (again: npm run torture -- ${name} --seed ${seed}${values.light ? ' --light' : ''})`}`);
}
if (left.length) { console.log(`  The ${minutes} minutes were over before: ${left.join(', ')}`); process.exitCode = 1; }
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : process.exitCode ?? 0;
