// Checks 1 to 4, 6 and 8: how many calls a second the built server answers and how long the slowest take, each beside its goal; overload; a whole export.
// The server runs in a process of its own, the load generator in this one, on the same cores.
// usage: npm run bench -- rates [--contracts 1000000] [--seconds 8] [--only list,total,deep,search,overload,export] [--keep FOLDER]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { openSession } from '../../src/server/platform/auth/sessions.ts';
import type { Services } from '../../src/server/platform/services.ts';
import { packCursor } from '../../src/server/platform/records/list/cursor.ts';
import { arrivals } from './arrivals.ts';
import { megabytes, start } from './load.ts';
import { median, percentile } from './numbers.ts';
import { serve } from './over-http.ts';
import { recorder } from './recorder.ts';
import { withSeeded } from './seeded.ts';

interface Place {
  url: string;
  pid: number;
  token: string;
  services: Services;
  databaseUrl: string;
  seconds: number;
}
const failedAttempts: string[] = [];
/** A line with the figure, its goal and whether it was met. */
function told(what: string, figure: number, goal: number, unit: string, least = false): void {
  const isMet = least ? figure >= goal : figure <= goal;
  if (!isMet) failedAttempts.push(what);
  const n = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
  console.log(
    `  ${what.padEnd(52)}${n(figure).padStart(10)} ${unit.padEnd(4)}  goal ${least ? '≥' : '≤'} ${n(goal).padStart(8)}  ${isMet ? 'ok' : 'MISSED'}`,
  );
}

const LIST = { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC' };
const pathOf = ({ services }: Place, name: string, input: JsonObject): string =>
  buildRequest(services.definitions, services.definitions.calls[name]!, input).url;
const listPath = (place: Place, input: JsonObject): string => pathOf(place, 'subscription-contract.list', { ...LIST, ...input });

async function fire(place: Place, connections: number, paths: string[]): Promise<{ rate: number; p99: number; failed: number }> {
  const headers = { authorization: place.token };
  await autocannon({ url: place.url, connections, duration: Math.min(3, place.seconds), headers, requests: paths.map(path => ({ path })) });
  const result = await autocannon({
    url: place.url,
    connections,
    duration: place.seconds,
    headers,
    requests: paths.map(path => ({ path })),
  });
  return { rate: result.requests.average, p99: result.latency.p99, failed: result.errors + result.timeouts + result.non2xx };
}

const BARE = fileURLToPath(new URL('bare-server.ts', import.meta.url));
/** Rounds in which the product and the bare list take turns. */
const TURNS = 3;

/** The list beside a bare Fastify that sends the same statements and answers their rows, in turns with the same load: which part of its rate ours keeps. */
async function besideBare(place: Place, input: JsonObject): Promise<void> {
  const { services, databaseUrl } = place;
  const served = await serve(services);
  const { statements } = await recorder().during(() => served.ask('subscription-contract.list', { ...LIST, ...input }));
  await served.close();
  const lists = statements.filter(({ text }) => /\bcontracts\b/.test(text));
  if (lists.length === 0) throw new Error('The list asked for no subscriptions.');
  const child = spawn(process.execPath, ['--import', 'tsx', BARE, databaseUrl, JSON.stringify(lists)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const bare = { ...place, url: said.toString().trim() };
    for (const connections of [10, 50]) {
      const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
      const slowest: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
      let failed = 0;
      for (let turn = 0; turn < TURNS; turn++)
        for (const [who, where, path] of [
          ['bare', bare, '/'],
          ['ours', place, listPath(place, input)],
        ] as const) {
          const fired = await fire(where, connections, [path]);
          rates[who].push(fired.rate);
          slowest[who].push(fired.p99);
          failed += fired.failed;
        }
      const [ours, floor] = [median(rates.ours), median(rates.bare)];
      const n = (value: number): string => Math.round(value).toLocaleString('en');
      console.log(
        `  beside a bare list (${lists.length} statements), ${connections} connections: ${n(ours)} and ${n(floor)} a second, ${(ours / floor).toFixed(2)} of its rate; p99 ${n(median(slowest.ours))} and ${n(median(slowest.bare))} ms, ${(median(slowest.ours) / median(slowest.bare)).toFixed(2)} times; failed ${failed}`,
      );
    }
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

const SECTIONS: Record<string, (place: Place) => Promise<void>> = {
  async list(place) {
    const path = listPath(place, { filter: { status: ['ACTIVE'] } });
    const ten = await fire(place, 10, [path]),
      fifty = await fire(place, 50, [path]);
    told('1 list, filtered and sorted, 10 connections', ten.rate, 2500, '/s', true);
    told('1 its p99 at 10 connections', ten.p99, 10, 'ms');
    told('1 its p99 at 50 connections', fifty.p99, 40, 'ms');
    told('1 failed', ten.failed + fifty.failed, 0, '');
    await besideBare(place, { filter: { status: ['ACTIVE'] } });
  },
  async total(place) {
    // In turns with the list without one, so that both have the same machine: the total must not be what a list costs.
    const rates = { total: [] as number[], alone: [] as number[] };
    let failed = 0;
    for (let turn = 0; turn < TURNS; turn++)
      for (const [which, path] of [
        ['alone', listPath(place, { filter: { status: ['ACTIVE'] } })],
        ['total', listPath(place, {})],
      ] as const) {
        const fired = await fire(place, 10, [path]);
        rates[which].push(fired.rate);
        failed += fired.failed;
      }
    told('2 list with total, 10 connections', median(rates.total), 2000, '/s', true);
    told('2 its rate as a part of the filtered list alone', median(rates.total) / median(rates.alone), 0.85, '', true);
    told('2 failed', failed, 0, '');
    await besideBare(place, {});
    const answer = (await (await fetch(place.url + listPath(place, {}), { headers: { authorization: place.token } })).json()) as {
      pageInfo?: { total?: number };
    };
    const { rows } = await place.services.db.ownerQuery<{ n: number }>('select count(*) as n from contracts where store_id = 1');
    told('2 the total is off, at rest, by', Math.abs((answer.pageInfo?.total ?? NaN) - Number(rows[0]?.n)), 0, '');
  },
  /** Pages by key in both directions, while a hundred rows a second come in; and a walk that must meet each row once. */
  async deep(place) {
    const {
      services: { db },
    } = place;
    const { rows: at } = await db.ownerQuery<{ at: string; id: number }>(
      'select created_at::text as at, id from contracts where store_id = 1 order by contracts.created_at desc, id desc offset (select count(*) / 2 from contracts where store_id = 1) limit 1',
    );
    const middle = packCursor('createdAtEpoch', true, { value: at[0]?.at ?? '', key: String(at[0]?.id) });
    let going = true;
    let added = 0;
    const began = performance.now();
    const adding = (async () => {
      for (const from = performance.now(); going;) {
        const { affected } =
          await db.ownerQuery(`insert into contracts select (jsonb_populate_record(null::contracts, to_jsonb(c) || jsonb_build_object('id', nextval(pg_get_serial_sequence('contracts', 'id')), 'shopify_id', 990000000000 + currval(pg_get_serial_sequence('contracts', 'id')), 'created_at', now()))).*
          from (select * from contracts where store_id = 1 order by id limit 10) c`);
        added += affected;
        await sleep(Math.max(0, from + added * 10 - performance.now()));
      }
    })();
    const { p99, failed } = await fire(place, 10, [listPath(place, { after: middle }), listPath(place, { before: middle })]);
    const walk = async (direction: 'after' | 'before', pages: number, link: string): Promise<{ ids: number[]; end: string }> => {
      const ids: number[] = [];
      for (let page = 0; page < pages; page++) {
        const body = (await (
          await fetch(place.url + listPath(place, { [direction]: link, pageSize: 250 }), { headers: { authorization: place.token } })
        ).json()) as { data?: { id: number }[]; pageInfo?: { nextCursor?: string; previousCursor?: string } };
        const part = (body.data ?? []).map(row => row.id);
        ids.push(...(direction === 'before' ? part.toReversed() : part));
        link = (direction === 'after' ? body.pageInfo?.nextCursor : body.pageInfo?.previousCursor) ?? '';
        if (!link) break;
      }
      return { ids, end: link };
    };
    const [{ ids: down }, { ids: up }] = [await walk('after', 20, middle), await walk('before', 20, middle)];
    const { rows: truth } = await db.ownerQuery<{ id: number }>(
      'select id from contracts where store_id = 1 and (created_at, id) < ($1::timestamptz, $2::bigint) order by created_at desc, id desc limit $3',
      [at[0]?.at, at[0]?.id, down.length],
    );
    const { rows: above } = await db.ownerQuery<{ id: number }>(
      'select id from contracts where store_id = 1 and (created_at, id) > ($1::timestamptz, $2::bigint) order by created_at, id limit $3',
      [at[0]?.at, at[0]?.id, up.length],
    );
    going = false;
    await adding;
    const rate = (added / (performance.now() - began)) * 1000;
    await db.exec('delete from contracts where shopify_id >= 990000000000');
    told('3 rows that came in meanwhile', rate, 90, '/s', true);
    told('3 page in the middle by key, both directions, p99', p99, 10, 'ms');
    told('3 rows skipped or doubled on a walk down', truth.filter((row, i) => row.id !== down[i]).length, 0, '');
    told('3 rows skipped or doubled on a walk up', above.filter((row, i) => row.id !== up[i]).length, 0, '');
    told('3 failed', failed, 0, '');
  },
  async search(place) {
    for (const q of ['lindberg', 'blend', 'qzxjw', 'no', 'q', 'a%b', 'a_b', 'a\\b', 'ab😀'])
      told(`4 search "${q}", p99`, (await fire(place, 1, [listPath(place, { q })])).p99, 25, 'ms');
    for (const [name, q] of [
      ['%', '%'],
      ['10 kB', 'x'.repeat(10_240)],
    ] as const) {
      const times: number[] = [];
      let letIn = 0;
      for (let i = 0; i < 50; i++) {
        const from = performance.now();
        const { status } = await fetch(place.url + listPath(place, { q }), { headers: { authorization: place.token } });
        times.push(performance.now() - from);
        if (status < 400 || status >= 500) letIn++;
      }
      told(`4 search "${name}" is refused, p99`, percentile(times, 99), 25, 'ms');
      told(`4 search "${name}" let in`, letIn, 0, '');
    }
  },
  /** Ten times as many requests a second as ten connections get answered, whether or not those before were answered. */
  async overload(place) {
    const { hostname, port } = new URL(place.url);
    const path = listPath(place, { filter: { status: ['ACTIVE'] } });
    const usual = await fire(place, 10, [path]);
    const asked = { rate: Math.round(usual.rate * 10), seconds: place.seconds };
    const { sent, answered, refused, wrong, why, lateP99, loopP99 } = await arrivals({
      host: hostname,
      port: Number(port),
      path,
      token: place.token,
      connections: 1000,
      ...asked,
    });
    const from = performance.now();
    let back = NaN;
    for (let calm = 0; performance.now() - from < 30_000 && Number.isNaN(back);) {
      const begun = performance.now();
      const { status } = await fetch(place.url + path, { headers: { authorization: place.token } });
      calm = status === 200 && performance.now() - begun <= 20 ? calm + 1 : 0;
      if (calm >= 10) back = performance.now() - from;
    }
    const n = (value: number): string => Math.round(value).toLocaleString('en');
    console.log(`  ten connections get ${n(usual.rate)} answers a second, 99 % within ${n(usual.p99)} ms; for ${place.seconds} s ${n(asked.rate)} requests a second were due over 1,000 open connections, ${n(sent / place.seconds)} were sent (99 % within ${lateP99.toFixed(1)} ms)
  ${n(answered.n)} were answered (${n(answered.n / place.seconds)} a second), ${n(refused.n)} refused; half of them within ${answered.p50.toFixed(1)} and ${refused.p50.toFixed(1)} ms
  times are those from sending to the last byte of the answer, as the generator sees them: on the same cores, where its own turn came up to ${loopP99.toFixed(1)} ms late (p99)`);
    for (const one of why) console.log(`  otherwise: ${one}`);
    told('6 sent, of what was due', (sent / (asked.rate * place.seconds)) * 100, 95, '%', true);
    told('6 refused within, p99', refused.p99, 50, 'ms');
    told('6 admitted, p99', answered.p99, 100, 'ms');
    told('6 answered otherwise', wrong, 0, '');
    told('6 as usual again after', back / 1000, 5, 's');
  },
  async export(place) {
    const before = megabytes(place.pid);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, megabytes(place.pid));
    }, 100);
    const from = performance.now();
    const response = await fetch(place.url + pathOf(place, 'subscription-contract.export', {}), {
      headers: { authorization: place.token },
    });
    let first = NaN,
      bytes = 0,
      lines = 0;
    for await (const chunk of response.body!) {
      if (Number.isNaN(first)) first = performance.now() - from;
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
    }
    clearInterval(watch);
    console.log(
      `  ${(lines - 1).toLocaleString('en')} rows, ${(bytes / 1_048_576).toFixed(0)} MB in ${((performance.now() - from) / 1000).toFixed(1)} s (the largest store; the check speaks of 1,000,000 rows)`,
    );
    told('8 first byte of the export', first / 1000, 1, 's');
    told('8 memory of the server more than before', most - before, 64, 'MB');
  },
};

async function rates(services: Services, databaseUrl: string, seconds: number, only: string[]): Promise<void> {
  const { token } = await services.db.asSystem(trx => openSession(trx, 1, 1001, 24));
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (only.length && !only.includes(name)) continue;
    // A fresh process each, so that none inherits the memory of another.
    const server = await start({ DATABASE_URL: databaseUrl });
    try {
      await section({ ...server, token, services, databaseUrl, seconds });
    } finally {
      await server.stop();
    }
  }
  console.log(
    `  load of the machine at the end ${loadavg()[0]?.toFixed(1)}${failedAttempts.length ? `; missed: ${failedAttempts.join('; ')}` : '; every goal met'}`,
  );
  if (failedAttempts.length) process.exitCode = 1;
}

if (process.argv[1]?.endsWith('rates.ts')) {
  const { values } = parseArgs({
    options: {
      contracts: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
    },
  });
  const only = values.only.split(',').filter(Boolean);
  const unknown = only.find(name => !(name in SECTIONS));
  if (unknown) {
    console.error(`There is no "${unknown}". There are: ${Object.keys(SECTIONS).join(', ')}.`);
    process.exit(2);
  }
  await withSeeded({ contracts: Number(values.contracts), keep: values.keep }, (services, url) =>
    rates(services, url, Number(values.seconds), only),
  );
}
