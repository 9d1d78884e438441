// Requests that come at a fixed rate, whether or not the ones before were answered, as they do from people and shops who know nothing of each other.
// Runs in a process of its own (`arrivals`), over plain sockets, so that asking costs as little as possible of the cores that it shares with the server.
import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { percentile } from './numbers.ts';

export interface Arriving {
  host: string;
  port: number;
  path: string;
  token: string;
  /** Requests a second. */ rate: number;
  seconds: number;
  connections: number;
}
/** Milliseconds from the moment a request was sent until its answer was read whole; `late`: how long it was sent after it was due. */
export interface Arrived {
  sent: number;
  answered: { n: number; p50: number; p99: number };
  refused: { n: number; p50: number; p99: number };
  /** Answered in another way, without Retry-After, cut off or not at all, with the first few. */
  wrong: number;
  why: string[];
  lateP99: number;
  /** How long the generator itself did not get its turn (ms): that much of the figures may be its own. */
  loopP99: number;
}

/** Sends them from a process of its own and gives what came of it. */
export function arrivals(what: Arriving): Promise<Arrived> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child
      .once('message', told => {
        resolve(told as Arrived);
      })
      .once('error', reject)
      .once('exit', code => reject(new Error(`The load generator ended with ${code}.`)));
    child.send(what);
  });
}

interface Line {
  socket: Socket;
  sentAt: number;
  status: number;
  refusedWell: boolean;
  missing: number;
  head: string;
}

/** Reads one answer piece by piece; true when it is whole. */
function readPart(line: Line, data: Buffer): boolean {
  if (line.missing >= 0) {
    line.missing -= data.length;
    return line.missing <= 0;
  }
  line.head += data.toString('latin1');
  const end = line.head.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = line.head.slice(0, end);
  line.status = Number(head.slice(9, 12));
  line.refusedWell = /\r\nretry-after: \d/i.test(head);
  line.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? NaN) - (line.head.length - end - 4);
  return line.missing <= 0;
}

async function send({ host, port, path, token, rate, seconds, connections }: Arriving): Promise<Arrived> {
  // It is small work that must be done in time; on other machines it would have cores of its own.
  try {
    setPriority(-15);
  } catch {
    /* then at the usual priority */
  }
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\nauthorization: ${token}\r\n\r\n`);
  const taken: number[] = [],
    refused: number[] = [],
    late: number[] = [];
  const why: string[] = [];
  const free: Line[] = [],
    lines: Line[] = [];
  let wrong = 0,
    sent = 0,
    busy = 0,
    isOver = false;
  const failed = (text: string): void => {
    wrong++;
    if (why.length < 5) why.push(text);
  };
  for (let i = 0; i < connections; i++) {
    const socket = connect(port, host).setNoDelay();
    const line: Line = { socket, sentAt: 0, status: 0, refusedWell: false, missing: -1, head: '' };
    // Each has been used before, as connections of browsers have.
    await new Promise<unknown>((resolve, reject) => {
      socket.once('data', resolve).once('error', reject).write(`GET /healthz HTTP/1.1\r\nhost: ${host}:${port}\r\n\r\n`);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        if (line.sentAt) {
          line.sentAt = 0;
          busy--;
          if (!isOver) failed('cut off');
        }
      });
    socket.on('data', data => {
      if (!readPart(line, data)) return;
      const ms = performance.now() - line.sentAt;
      if (line.status === 200) taken.push(ms);
      else if ((line.status === 503 || line.status === 429) && line.refusedWell) refused.push(ms);
      else failed(`${line.status} ${line.head.slice(0, 300)}`);
      line.sentAt = 0;
      line.missing = -1;
      line.head = '';
      busy--;
      free.push(line);
    });
    lines.push(line);
    free.push(line);
  }
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const from = performance.now();
  for (let next = 0; ;) {
    const now = performance.now();
    if (now - from >= seconds * 1000) break;
    // A connection that has been answered longest ago is used next; when all are busy the rest is due later, and counts as late.
    for (const due = Math.floor(((now - from) / 1000) * rate); next < due; next++) {
      const line = free.shift();
      if (!line) break;
      late.push(now - from - (next / rate) * 1000);
      line.sentAt = performance.now();
      line.socket.write(bytes);
      busy++;
      sent++;
    }
    await sleep(1);
  }
  loop.disable();
  for (let waited = 0; busy > 0 && waited < 5000; waited += 10) await sleep(10);
  for (let i = 0; i < busy; i++) failed('no answer');
  isOver = true;
  for (const { socket } of lines) socket.destroy();
  const told = (times: number[]) => ({ n: times.length, p50: percentile(times, 50), p99: percentile(times, 99) });
  return {
    sent,
    answered: told(taken),
    refused: told(refused),
    wrong,
    why,
    lateP99: percentile(late, 99),
    loopP99: loop.percentile(99) / 1e6,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', what => {
    void send(what as Arriving).then(told =>
      process.send?.(told, () => {
        process.disconnect();
      }),
    );
  });
