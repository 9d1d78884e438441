// Check 15: a server that has to stop (SIGTERM) while many people write. Every request that was begun is answered, none is broken off,
// every write that was answered is there after the next start, none that was not; the job it was at is handed back.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../program.ts';
import type { Random } from '../random.ts';

const SERVER = fileURLToPath(new URL('stoppable.ts', import.meta.url));

export interface Stoppable {
  url: string;
  token: string;
  lines: string[];
  stop(signal: NodeJS.Signals): void;
  ended: Promise<number | null>;
}

/** Starts the server of stoppable.ts in a process of its own; with 'job' it has a job that never ends. */
export async function startStoppable(folder: string, ...args: string[]): Promise<Stoppable> {
  const child = await startProgram(SERVER, [folder, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const ended = new Promise<number | null>(resolve => {
    child.on('exit', code => resolve(code));
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr!.on('data', chunk => {
      lines.push(String(chunk));
    });
    child.stdout!.on('data', chunk => {
      text += String(chunk);
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        lines.push(line);
        const [word, url, token] = line.split(' ');
        if (word === 'ready' && url && token)
          resolve({
            url,
            token,
            lines,
            stop: signal => {
              child.kill(signal);
            },
            ended,
          });
      }
    });
    void ended.then(code => reject(new Error(`The server ended with ${code}:\n${lines.join('\n')}`)));
  });
}

interface Asked {
  outcome: string;
  isLast: boolean;
  body: string;
}
/** One request; `slowly` sends its body in two halves. The outcome is the status, or the code of the error. */
function ask({ url, token }: Stoppable, agent: http.Agent, method: string, path: string, body?: object, slowly = 0): Promise<Asked> {
  return new Promise(resolve => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const fail = (error: Error): void => resolve({ outcome: (error as { code?: string }).code ?? error.message, isLast: true, body: '' });
    const request = http
      .request(
        url + path,
        {
          method,
          agent,
          headers: { authorization: token, ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}) },
        },
        response => {
          let text = '';
          response
            .setEncoding('utf8')
            .on('data', chunk => {
              text += chunk;
            })
            .on('error', fail)
            .on('end', () =>
              resolve({ outcome: String(response.statusCode), isLast: response.headers.connection === 'close', body: text }),
            );
        },
      )
      .on('error', fail);
    if (!bytes || slowly === 0) {
      request.end(bytes);
      return;
    }
    request.write(bytes.subarray(0, 4));
    void sleep(slowly).then(() => request.end(bytes.subarray(4)));
  });
}

/** Done, or refused for now because there is too much at once. */
const ANSWERS = ['200', '429', '503'];

export interface StopReport {
  /** The server took longer than it waits for running requests. */ late: boolean;
  /** Writes that were answered with success. */ written: number;
  /** Answers by their status, and broken connections by the code of their error. */ outcomes: Record<string, number>;
  failures: string[];
}

/**
 * Starts a server on a folder, writes over so many connections, each as fast as it is answered, and stops it after a random while. As a
 * load balancer does, a connection sends no more once an answer asks to close it.
 */
export async function stopUnderLoad({
  folder,
  connections,
  random,
  round = 0,
}: {
  folder: string;
  connections: number;
  random: Random;
  round?: number;
}): Promise<StopReport> {
  const report: StopReport = { late: false, written: 0, outcomes: {}, failures: [] };
  const server = await startStoppable(folder, 'job');
  const saved = new Set<number>();
  let number = round * 1_000_000;
  let told = 0;
  const count = (outcome: string): void => {
    report.outcomes[outcome] = (report.outcomes[outcome] ?? 0) + 1;
  };
  const load = Array.from({ length: connections }, async (_, connection) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    // Some send their bodies in two halves, some wait long for their answers; the others write as fast as they can.
    const slowly = connection % 10 === 1 ? random.between(50, 600) : 0;
    for (let isLast = false; !isLast;) {
      const n = ++number;
      const answer =
        connection % 10 === 2
          ? await ask(server, agent, 'POST', '/host/main/slow/wait')
          : await ask(server, agent, 'POST', '/host/main/slow/save', { n }, slowly);
      ({ isLast } = answer);
      count(answer.outcome);
      if (answer.outcome === '200' && connection % 10 !== 2) saved.add(n);
      if (!ANSWERS.includes(answer.outcome))
        report.failures.push(`round ${round}: connection ${connection} was answered ${answer.outcome} ${answer.body.slice(0, 200)}`);
      else if (isLast) told++;
    }
    agent.destroy();
  });
  await sleep(random.between(200, 1500));
  server.stop('SIGTERM');
  const from = performance.now();
  const code = await server.ended;
  // After ten seconds a server breaks off what it still has; only a machine that is starved needs so long.
  const isLate = performance.now() - from > 10_000;
  await Promise.all(load);
  report.written = saved.size;
  report.late = isLate;
  if (code !== 0) report.failures.push(`round ${round}: the process ended with ${code}`);
  if (isLate) report.failures = [];
  else if (told !== connections) report.failures.push(`round ${round}: ${told} of ${connections} connections were asked to close`);
  const next = await startStoppable(folder);
  const agent = new http.Agent();
  try {
    const there = new Set(
      (JSON.parse((await ask(next, agent, 'GET', '/host/main/slow/saved')).body) as { data: number[] }).data.filter(
        n => n > round * 1_000_000,
      ),
    );
    const lost = [...saved].filter(n => !there.has(n));
    const unasked = [...there].filter(n => !saved.has(n));
    if (lost.length) report.failures.push(`round ${round}: ${lost.length} writes were answered and are gone`);
    if (unasked.length) report.failures.push(`round ${round}: ${unasked.length} writes are there that were not answered`);
    for (let waited = 0; !next.lines.some(line => line.startsWith('job started')); waited += 50) {
      if (waited > 60_000) {
        report.failures.push(`round ${round}: the job was not handed back`);
        break;
      }
      await sleep(50);
    }
  } finally {
    agent.destroy();
    next.stop('SIGKILL');
    await next.ended;
  }
  return report;
}
