// Kills a process that writes to an embedded database, again and again, and checks after each start that nothing answered is lost.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../program.ts';

const writer = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../server/platform/db/children/writer.ts');

/** What the writing process says. */
export interface Said {
  opened?: { rows: number; top: number; torn: number; indexed: number };
  answered?: number;
  refused?: string;
  finished?: number;
  after?: number;
}

/** Starts a writer on a data folder; `hear` gets everything it says. */
export async function startWriter(
  folder: string,
  mode: 'single' | 'batch',
  hear: (said: Said) => void,
  options: { most?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<ChildProcess> {
  const child = await startProgram(writer, [folder, mode, ...(options.most === undefined ? [] : [String(options.most)])], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.env },
  });
  child.on('message', said => hear(said as Said));
  return child;
}

export interface KillReport {
  kills: number;
  /** Rows whose write had been answered, over all rounds. */
  answered: number;
  /** Answered rows that were gone after the next start. */
  lost: number;
  /** Batches of which only a part was there. */
  torn: number;
  /** Starts that failed, and what they said. */
  failed: string[];
  /** Milliseconds from the start of a killed process's successor until its first answer. */
  opened: number[];
}

/**
 * Kills a writer (SIGKILL) at random moments, on one folder.
 * @param random numbers from 0 to 1; the moments of the kills come from it
 * @param isOver whether its time is over before all kills are done
 */
export async function killAgainAndAgain(
  folder: string,
  kills: number,
  random: () => number,
  isOver: () => boolean = () => false,
): Promise<KillReport> {
  const report: KillReport = { kills: 0, answered: 0, lost: 0, torn: 0, failed: [], opened: [] };
  let answered = 0;
  for (let round = 0, isLast = false; !isLast; round++) {
    // The last process looks at what the one before left.
    isLast = round === kills || (round > 0 && isOver());
    const child = await startWriter(folder, round % 2 === 0 ? 'single' : 'batch', said => {
      if (said.refused !== undefined) report.failed.push(said.refused);
      if (said.answered !== undefined) {
        report.answered += said.answered - answered;
        answered = said.answered;
      }
      if (said.opened === undefined) return;
      if (said.opened.top < answered) report.lost += answered - said.opened.top;
      if (said.opened.indexed !== said.opened.rows || said.opened.rows !== said.opened.top) report.torn++;
      report.torn += said.opened.torn;
      // A write that was not answered may have happened; count from what is there.
      answered = said.opened.top;
      if (round > 0) report.opened.push(said.after!);
      setTimeout(() => child.kill('SIGKILL'), isLast ? 0 : 20 + random() * 600);
    });
    await once(child, 'exit');
    if (!isLast) report.kills++;
  }
  return report;
}

/** Repeatable random numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
