// `npm run torture`: faults, clocks and hostile inputs with fresh random seeds, each printed. With names only those: npm run torture -- kill clock.
// --seed N repeats a run; --light makes each a tenth as long; --minutes N is the time that all of them together may take (20): each has its share of it, ends
// with the round it is at when that is over, and leaves what it does not need to those after it. Ends with 1 when any of them found something wrong.
// The storm (with --minutes 30) and the books with Stripe run only by their names, and so does the soak, for as long as --minutes says (30): npm run torture -- soak.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Told } from '../support/torture/torture.ts';

interface Torture {
  /** The option that says how long it is, and its usual value. */ option: string;
  usual: number;
  /** Seconds that it usually takes on two quiet cores: its share of the time. */ share: number;
  what: string;
  /** It runs the built product. */ needsBuild?: true;
}
/** All of them together take about twenty minutes on two quiet cores. */
const TORTURES: Record<string, Torture> = {
  kill: { option: 'kills', usual: 100, share: 215, what: 'a process that writes is killed' },
  clock: { option: 'stores', usual: 8, share: 25, what: 'two years of orders over daylight saving, and an hour backwards' },
  tenant: { option: 'inputs', usual: 40, share: 130, what: 'every call with ids of another store' },
  permission: { option: 'rounds', usual: 30, share: 60, what: 'every call against random rights and plans' },
  fuzz: { option: 'per-call', usual: 200, share: 105, what: 'generated requests to every call' },
  properties: { option: 'cases', usual: 20_000, share: 120, what: 'arithmetic of schedules and money on many random cases' },
  years: { option: 'contracts', usual: 200, share: 190, what: 'ten years of subscriptions against an independent model' },
  bulk: { option: 'kills', usual: 60, share: 185, what: 'workers of bulk actions are killed' },
  events: { option: 'kills', usual: 60, share: 60, what: 'processes that deliver events are killed' },
  flows: { option: 'kills', usual: 50, share: 60, what: 'processes that run flows are killed' },
  import: { option: 'kills', usual: 8, share: 90, what: 'a process that imports 5,000 rows is killed' },
  cut: { option: 'per-call', usual: 40, share: 46, what: 'writes over connections that break' },
  races: { option: 'rounds', usual: 150, share: 26, what: 'all ways to charge a subscription, at once' },
  editors: { option: 'interleavings', usual: 500, share: 67, what: 'people who edit the same thing' },
  stop: { option: 'rounds', usual: 10, share: 61, what: 'the server stops under load' },
  restart: { option: 'kills', usual: 40, share: 300, what: 'servers are killed in the middle of bulk actions', needsBuild: true },
  embedded: { option: 'files', usual: 200, share: 240, what: 'rules and calls on the embedded database' },
  presses: { option: 'screens', usual: 200, share: 600, what: 'each button of each screen is pressed', needsBuild: true },
};
/** Long ones, that run only by their names. */
const LONG: Record<string, Torture> = {
  storm: {
    option: 'contracts',
    usual: 86_500,
    share: 900,
    what: '50,000 subscriptions fall due at once and the server is killed three times',
    needsBuild: true,
  },
  stripe: { option: 'kills', usual: 20, share: 420, what: '5,000 subscriptions are charged through Stripe and the workers are killed' },
};
/** Runs alone, only when it is named. */
const SOAK: Torture = { option: 'minutes', usual: 30, share: 1, what: 'mixed load for a long time' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, minutes: { type: 'string' }, light: { type: 'boolean', default: false } },
});
const unknown = positionals.find(name => !(name in TORTURES) && !(name in LONG) && name !== 'soak');
if (unknown !== undefined) {
  console.error(`There is no torture "${unknown}". There are: ${Object.keys({ ...TORTURES, ...LONG }).join(', ')}, soak.`);
  process.exit(2);
}
if (values.minutes !== undefined && !/^\d{1,4}$/.test(values.minutes)) {
  console.error('--minutes must be a whole number.');
  process.exit(2);
}
const isSoak = positionals.includes('soak');
if (isSoak && positionals.length > 1) {
  console.error('The soak runs alone.');
  process.exit(2);
}
if (values.seed !== undefined && !/^\d{1,10}$/.test(values.seed)) {
  console.error('--seed must be a whole number.');
  process.exit(2);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
interface Result {
  name: string;
  seed: string;
  seconds: number;
  code: number | null;
  told: Told | undefined;
  /** It did not end by itself. */ stopped: boolean;
}
const results: Result[] = [];
let running: ReturnType<typeof spawn> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    running?.kill(signal);
    process.exitCode = 1;
  });

const chosen: [string, Torture][] = isSoak
  ? [['soak', SOAK]]
  : Object.entries(positionals.length === 0 ? TORTURES : { ...TORTURES, ...LONG }).filter(
      ([name]) => positionals.length === 0 || positionals.includes(name),
    );
// Building is no part of anybody's time.
if (chosen.some(([, { needsBuild }]) => needsBuild)) (await import('../../scripts/ensure.mjs')).ensureBuild();

/** When the time of all of them is over; the soak has its own length. */
const minutes = Number(values.minutes ?? 20);
const until = isSoak ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
/** Kept back, so that the round that each is at can end within the time of all (ms). */
const RESERVE = Math.min(60_000, minutes * 3_000);
/** A torture that does not end so long after its share is stopped (ms). */
const PATIENCE = 120_000;
for (const [place, [name, { option, usual, share, what }]] of chosen.entries()) {
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  const size = isSoak && values.minutes !== undefined ? Number(values.minutes) : values.light ? Math.max(1, Math.round(usual / 10)) : usual;
  const from = performance.now();
  const ahead = chosen.slice(place).reduce((sum, [, one]) => sum + one.share, 0);
  const seconds = isSoak ? undefined : Math.max(1, Math.floor((((until - RESERVE - from) / 1000) * share) / ahead));
  console.log(`\n== ${name}: ${what}${seconds === undefined ? '' : ` (at most ${seconds} s)`} ==`);
  let told: Told | undefined;
  let stopped = false;
  const code = await new Promise<number | null>(resolve => {
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        `tests/torture/${name}.ts`,
        `--${option}`,
        String(size),
        '--seed',
        seed,
        ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
      ],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    running = child;
    child.on('message', message => {
      told = message as Told;
    });
    const stop = (): void => {
      stopped = true;
      child.kill('SIGTERM');
    };
    const limit = seconds === undefined ? undefined : setTimeout(stop, Math.min(seconds * 1000 + PATIENCE, Math.max(1000, until - from)));
    child.on('close', status => {
      clearTimeout(limit);
      resolve(status);
    });
  });
  results.push({ name, seed, seconds: Math.round((performance.now() - from) / 1000), code, told, stopped });
  if (process.exitCode === 1) break;
}

console.log(
  `\n== summary (${Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0))} s, load of the machine ${loadavg()[0]?.toFixed(1)}) ==`,
);
const line = (cells: readonly string[]): string =>
  `  ${cells[0]?.padEnd(11)}${cells[1]?.padStart(11)}  ${cells[2]?.padEnd(32)}${cells[3]?.padStart(8)}${cells[4]?.padStart(7)}${cells[5] ? `  ${cells[5]}` : ''}`;
console.log(line(['piece', 'seed', 'rounds', 'seconds', 'wrong']));
for (const { name, seed, seconds, code, told, stopped } of results) {
  const rounds = told
    ? `${told.rounds.done.toLocaleString('en')} of ${told.rounds.of.toLocaleString('en')} ${told.rounds.unit}`
    : stopped
      ? 'stopped: it did not end in time'
      : code === 0
        ? '-'
        : `ended with ${code ?? 'a signal'}`;
  const again = code === 0 ? '' : `again: npm run torture -- ${name} --seed ${seed}${values.light ? ' --light' : ''}`;
  console.log(line([name, seed, rounds, String(seconds), told ? String(told.wrong) : code === 0 ? '0' : '?', again]));
}
const left = chosen.slice(results.length).map(([name]) => name);
if (left.length) console.log(`  Not begun: ${left.join(', ')}`);
// One that came to no round at all has proved nothing.
process.exitCode = results.some(({ code, told }) => code !== 0 || told?.rounds.done === 0) || left.length ? 1 : (process.exitCode ?? 0);
