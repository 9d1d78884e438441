// The side of a process in which work is done apart: takes a piece, does it, reports it, and ends with the server.
import { setPriority } from 'node:os';
import type { ApartOrder, ApartReport } from './apart.ts';

/** How much less urgent this is than what the server answers (nice). */
const PRIORITY = 10;

export function serveApart<Task, Done>(work: (task: Task) => Done | Promise<Done>): void {
  const report = (what: ApartReport<Done>): void => void process.send?.(what);
  try {
    setPriority(PRIORITY);
  } catch {
    // Some systems forbid it; then it is as urgent.
  }
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, task }: ApartOrder<Task>) => {
    void (async () => {
      try {
        report({ id, done: await work(task) });
      } catch (error) {
        report({ id, failed: error instanceof Error ? error.message : String(error) });
      }
    })();
  });
  report({ ready: true });
}
