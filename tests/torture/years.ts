// Check 23: ten years of random subscriptions, half of them through random actions, half left alone and compared with an independent model.
// usage: npx tsx tests/torture/years.ts [--contracts 2000] [--seed N] [--per-store N] [--seconds N]
// Stores of fifty to two hundred and fifty subscriptions are dealt out to two processes, each with a database of its own: on a PostgreSQL that is started for it where one is
// installed, else embedded ones. With DATABASE_URL it is one process on that database, which is filled with nonsense.
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { YearsResult } from '../server/engine/years/years.ts';
import { withDatabaseAddresses } from '../support/postgres-addresses.ts';
import { end, options } from '../support/torture/torture.ts';

/** What a process is asked for: the years of one store. */
export interface YearsTask {
  seed: number;
  storeId: number;
  contracts: number;
  years: number;
  /** When its time is over (ms since 1970). */ until: number;
}
export type YearsReport = { told: string } | { result: YearsResult } | { wrong: string };

const { seed, time, contracts, 'per-store': given } = options('contracts', 2000, { 'per-store': 0 });
/** The more there are, the more share a billing run; eight stores at least, unless they would be small. */
const PER_STORE = given || Math.min(250, Math.max(50, Math.ceil(contracts / 8)));
const tasks = Array.from({ length: Math.ceil(contracts / PER_STORE) }, (_, n): YearsTask => ({
  seed: seed + n,
  storeId: n + 1,
  contracts: Math.min(PER_STORE, contracts - n * PER_STORE),
  years: 10,
  until: time.left === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + time.left * 1000,
}));
const processes = process.env['DATABASE_URL'] ? 1 : Math.max(1, Math.min(2, availableParallelism(), tasks.length));
const total: YearsResult = { contracts: 0, lived: 0, orders: 0, charges: 0, failures: 0, actions: {}, refused: 0, checks: 0 };
const failures: string[] = [];

function add(result: YearsResult): void {
  for (const key of ['contracts', 'lived', 'orders', 'charges', 'failures', 'refused', 'checks'] as const) total[key] += result[key];
  for (const [name, times] of Object.entries(result.actions)) total.actions[name] = (total.actions[name] ?? 0) + times;
}

/** One process that takes a store after the other, until none is left. */
function work(url: string | undefined): Promise<void> {
  return new Promise(resolve => {
    const { DATABASE_URL: _, ...env } = process.env;
    const child: ChildProcess = fork(fileURLToPath(new URL('years-process.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
      env: { ...env, ...(url === undefined ? {} : { DATABASE_URL: url }) },
    });
    let task: YearsTask | undefined;
    const next = (): void => {
      task = time.isOver() ? undefined : tasks.shift();
      if (task) child.send(task);
      else child.disconnect();
    };
    child.on('message', (report: YearsReport | 'ready') => {
      if (report !== 'ready' && 'told' in report) {
        console.log(report.told);
        return;
      }
      if (report !== 'ready' && 'result' in report) add(report.result);
      if (report !== 'ready' && 'wrong' in report) {
        failures.push(
          `${report.wrong}\n(again: npx tsx tests/torture/years.ts --seed ${task?.seed} --contracts ${task?.contracts} --per-store ${task?.contracts})`,
        );
        console.log(`seed ${task?.seed}: wrong`);
      }
      task = undefined;
      next();
    });
    child.on('exit', code => {
      if (task) failures.push(`The process for the store of seed ${task.seed} ended with ${code}.`);
      resolve();
    });
  });
}

await withDatabaseAddresses(processes, async (addresses, kind) => {
  console.log(
    `years: seed ${seed}, ${contracts} contracts over ten years each, ${processes} ${processes === 1 ? 'process' : 'processes'} on ${kind}`,
  );
  await Promise.all(addresses.map(work));
});
if (!time.isOver()) for (const task of tasks) failures.push(`The store of seed ${task.seed} was not tried.`);
console.log(
  `actions done: ${
    Object.entries(total.actions)
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ') || 'none'
  }`,
);
const actions = Object.values(total.actions).reduce((sum, times) => sum + times, 0);
end(
  `years: seed ${seed}, ${total.contracts} contracts, ${total.orders} orders, ${total.charges} charges, ${total.failures} failures, ${actions} actions done (${total.refused} refused), ${total.checks} invariants checked`,
  { done: total.lived, of: contracts * 10, unit: 'years of subscriptions' },
  failures,
);
