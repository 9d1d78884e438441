import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/platform/http/log.ts';
import { projectRoot } from '../../../../src/server/platform/definitions.ts';
import { loadModules } from '../../../../src/server/platform/modules.ts';
import { framesOf, ownPath } from '../../../../src/server/platform/outgoing/error-envelope.ts';
import { dsnReporter, sourceOf } from '../../../../src/server/platform/outgoing/error-reporting.ts';
import { ensureJudges } from '../../../../scripts/ensure.mjs';
import { definitionsWith } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe('a running server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 4, stores: 1 }, tables: ['start-up'], jobs: true, config: { workers: 0 } });
  });
  afterAll(() => server?.close());

  it('says that it lives, and whether it can work: not while starting or closing, not without its database', async () => {
    expect((await server.request('GET', '/healthz')).json).toEqual({ ok: true });
    expect((await server.request('GET', '/readyz')).json).toEqual({ ok: true });
    for (const state of ['starting', 'closing'] as const) {
      server.services.state = state;
      const { status, headers, json } = await server.request('GET', '/readyz');
      expect([status, headers.get('retry-after'), json.ok]).toEqual([503, '1', false]);
      expect((await server.request('GET', '/healthz')).status).toBe(200);
    }
    const closing = await server.call('start-up.session');
    expect([closing.status, closing.headers.get('connection')]).toEqual([200, 'close']);
    server.services.state = 'ready';
    // The admin of a trial says that it is one.
    expect((await server.call('start-up.session')).data.banners.isQuiet).toBeUndefined();
    server.services.config.quiet = true;
    expect((await server.call('start-up.session')).data.banners.isQuiet).toBe(true);
    server.services.config.quiet = false;
    const { db } = server.services;
    const ping = db.ping.bind(db);
    db.ping = () => Promise.reject(new Error('away'));
    expect((await server.request('GET', '/readyz')).status).toBe(503);
    db.ping = ping;
  });

  it('shows monitoring what waits and what it answered, in the form of Prometheus, and no one else', async () => {
    const { services } = server;
    const figures = async (authorization?: string) =>
      server.request('GET', '/metrics', { as: null, headers: authorization ? { authorization } : {} });
    const key = 'watchdog-0123456789';
    expect((await figures(`Bearer ${key}`)).status).toBe(401);
    services.config.statusKey = key;
    for (const wrong of [undefined, 'Bearer another-0123456789', key]) expect((await figures(wrong)).status).toBe(401);
    const nowhere = async (): Promise<number> =>
      Number(/perennial_requests_total\{name="none",status="404"\} (\d+)/.exec((await figures(`Bearer ${key}`)).text)?.[1] ?? 0);
    const before = await nowhere();
    await server.call('start-up.session');
    await server.request('GET', '/nowhere/ann@example.com', { as: null });
    await services.db.ownerQuery(`insert into outbox (store_id, template, recipient, subject, text, send_after)
      values (1, 'test', 'ann@example.com', 'x', 'x', now() - interval '90 seconds')`);

    const { status, headers, text } = await figures(`Bearer ${key}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    // Read by a reader that others wrote.
    const read = createRequire(join(ensureJudges(), 'package.json'))('parse-prometheus-text-format') as (text: string) => {
      name: string;
      help: string;
      metrics: { value?: string; labels?: Record<string, string> }[];
    }[];
    const families = read(text);
    const value = (name: string, labels: Record<string, string>): number =>
      Number(
        families
          .find(one => one.name === name)
          ?.metrics.find(one => Object.entries(labels).every(([label, wanted]) => one.labels?.[label] === wanted))?.value,
      );
    expect(families.every(one => one.help !== '')).toBe(true);
    expect(value('perennial_requests_total', { name: 'start-up.session', status: '200' })).toBeGreaterThan(0);
    expect(value('perennial_requests_total', { name: 'none', status: '404' })).toBe(before + 1);
    expect(value('perennial_waiting', { of: 'mail' })).toBe(1);
    expect(value('perennial_oldest_seconds', { of: 'mail' })).toBeGreaterThanOrEqual(90);
    expect(value('perennial_database_up', {})).toBe(1);
    expect(text).not.toMatch(/ann@example|fernandember/);
    // Whatever the alarms ask for is there, and the handbook says what to do.
    const alarms = readFileSync(join(projectRoot, 'docs/alarms.yml'), 'utf8');
    const handbook = readFileSync(join(projectRoot, 'docs/operate.md'), 'utf8');
    // The event loop is watched in servers alone.
    const known = new Set([...families.map(({ name }) => name), 'nodejs_eventloop_lag_p99_seconds']);
    for (const [, name] of alarms.matchAll(/\b((?:perennial|nodejs)_[a-z0-9_]+)/g))
      expect(known, name).toContain(name!.replace(/_(bucket|count|sum)$/, ''));
    const backlogs = new Set(families.find(one => one.name === 'perennial_waiting')!.metrics.map(({ labels }) => labels!.of!));
    for (const [, of] of alarms.matchAll(/of=~?"([^"]+)"/g))
      for (const one of of!.split('|').filter(word => !word.includes('.*'))) expect(backlogs).toContain(one);
    const named = [...alarms.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(handbook).toContain(`### ${name}\n`);

    const { ownerQuery } = services.db;
    services.db.ownerQuery = () => Promise.reject(new Error('away'));
    expect((await figures(`Bearer ${key}`)).text).toContain('perennial_database_up 0');
    services.db.ownerQuery = ownerQuery;
  });

  it('logs one line per call by its name, and neither tokens nor addresses', async () => {
    const token = await server.signIn('owner');
    await server.request('GET', `/host/user/session?q=${encodeURIComponent('ann@example.com')}`, { headers: { authorization: token } });
    await server.call('start-up.session');
    await server.request('GET', '/host/user/session', { headers: { authorization: 'wrong-token-with-ann@example.com' } });
    await expect
      .poll(() =>
        server.logged.some(
          line =>
            line.call === 'start-up.session' &&
            line.status === 200 &&
            line.storeId === 1 &&
            line.userId === 1001 &&
            typeof line.requestId === 'string',
        ),
      )
      .toBe(true);
    const text = JSON.stringify(server.logged);
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/ann@example|wrong-token/);
  });

  it('takes secrets and addresses out of what is logged', () => {
    const lines: string[] = [];
    const log = createLog('info');
    const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[
      Object.getOwnPropertySymbols(log).find(one => String(one) === 'Symbol(pino.stream)') as symbol
    ] as { write(line: string): void };
    stream.write = line => {
      lines.push(line);
    };
    log.info(
      {
        authorization: 'secret-one',
        user: { email: 'ann@example.com', token: 'secret-two' },
        err: new Error('No user ann@example.com here'),
      },
      'x',
    );
    expect(lines.join('')).not.toMatch(/secret-one|secret-two|ann@/);
    expect(lines.join('')).toContain('No user …@… here');
    expect(lines.join('')).toContain('running.test.ts'); // the stack stays readable
  });
});

async function breakHere(): Promise<never> {
  throw new TypeError('It broke.');
}

/** Of a method, a constructor, a callback, and code that waited. */
async function stacks(): Promise<string[]> {
  class Shop {
    constructor(isOpen: boolean) {
      if (!isOpen) throw new Error('closed');
    }
    sell(): string {
      return [1].map(() => new Error('sold out').stack ?? '')[0] ?? '';
    }
  }
  const found = [new Shop(true).sell()];
  try {
    found.push(String(new Shop(false)));
  } catch (error) {
    found.push((error as Error).stack ?? '');
  }
  const waited = async (): Promise<never> => {
    await Promise.resolve();
    throw new Error('late');
  };
  await waited().catch((error: Error) => found.push(error.stack ?? ''));
  return found;
}

describe('error reports', () => {
  it('S307 S308 reach the service with shop, source function and file, from the server and from the page', async () => {
    // Read by the service's own package.
    const required = createRequire(join(ensureJudges(), 'package.json'));
    const { createStackParser, parseEnvelope } = required('@sentry/core');
    const { nodeStackLineParser } = required('@sentry/core/server');
    const received: { headers: http.IncomingHttpHeaders; url: string; header: any; item: any; event: any }[] = []; // any: what is tested
    const service = http.createServer((request, response) => {
      let text = '';
      request
        .on('data', chunk => {
          text += String(chunk);
        })
        .on('end', () => {
          const [header, [[item, event] = []]] = parseEnvelope(text);
          received.push({ headers: request.headers, url: request.url ?? '', header, item, event });
          response.end('{}');
        });
    });
    await new Promise<void>(resolve => {
      service.listen(0, '127.0.0.1', resolve);
    });
    const bound = service.address();
    const reporter = dsnReporter(`http://public@127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}/42`, {
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    });
    const modules = await loadModules();
    const handlers = new Map(modules.handlers);
    handlers.set('broken.break', breakHere as never);
    const definitions = definitionsWith({
      'schemas/calls/broken.json': {
        title: 'Broken',
        host: 'main',
        base: '/api/test',
        permission: null,
        calls: { break: { route: 'POST /break', does: 'command' } },
      },
    });
    const server = await startTestServer({
      seed: { contracts: 4, stores: 1 },
      tables: ['start-up', 'broken'],
      services: { reporter, definitions, modules: { ...modules, handlers } },
    });
    try {
      const { body } = await server.call('broken.break');
      expect(
        (await server.call('start-up.reportError', { message: 'Boom in the page', source: 'drawChart', file: 'src/admin/chart.tsx' }))
          .status,
      ).toBe(200);
      await reporter.close();
      expect(received).toHaveLength(2);
      expect(received[0]).toMatchObject({
        url: '/api/42/envelope/',
        item: { type: 'event' },
        event: {
          platform: 'node',
          transaction: 'breakHere',
          exception: { values: [{ type: 'TypeError', value: 'It broke.' }] },
          tags: { shop: 'fernandember.myshopify.com', source_function: 'breakHere', request_id: body.requestId, origin: 'server' },
        },
      });
      const { header, event } = received[0]!;
      expect([header.event_id, Number.isNaN(Date.parse(header.sent_at))]).toEqual([event.event_id, false]);
      expect(header.dsn).toMatch(/^http:\/\/public@127\.0\.0\.1:\d+\/42$/);
      const { frames } = event.exception.values[0].stacktrace;
      expect(frames.at(-1)).toMatchObject({ function: 'breakHere', in_app: true, lineno: expect.any(Number) });
      expect(event.tags.file).toMatch(/running\.test\.ts$/);
      expect(received[0]?.headers['x-sentry-auth']).toContain('sentry_key=public');
      expect(received[1]?.event).toMatchObject({
        platform: 'javascript',
        transaction: 'drawChart',
        exception: {
          values: [{ value: 'Boom in the page', stacktrace: { frames: [{ function: 'drawChart', filename: 'src/admin/chart.tsx' }] } }],
        },
        tags: { shop: 'fernandember.myshopify.com', file: 'src/admin/chart.tsx', origin: 'admin' },
      });
      expect((await server.call('start-up.reportError', { message: 'x' }, { as: null })).status).toBe(401);
      // The frames of real stacks, beside those that the package finds in them.
      const judged = createStackParser(nodeStackLineParser());
      for (const stack of await stacks()) {
        const ours = framesOf(stack).toReversed();
        const theirs = (judged(stack) as { function?: string; filename: string; lineno?: number; colno?: number }[]).filter(
          // Without Node's own functions, which stand in no file.
          one => one.lineno !== undefined,
        );
        expect(ours.length, stack).toBeGreaterThan(0);
        expect(ours.map(({ lineno, colno }) => [lineno, colno])).toEqual(theirs.map(({ lineno, colno }) => [lineno, colno]));
        expect(ours.map(one => one.filename)).toEqual(theirs.map(one => ownPath(one.filename)));
        expect(ours.map(one => (one.function ?? '?').replace(/^.*\./, ''))).toEqual(
          theirs.map(one => (one.function ?? '?').replace(/^.*\./, '')),
        );
      }
    } finally {
      await server.close();
      service.close();
    }
  });

  it('never get in the way: an unreachable service, a flood', async () => {
    const warned: string[] = [];
    const reporter = dsnReporter('http://public@127.0.0.1:9/1', {
      info: () => undefined,
      warn: (_details, message) => {
        warned.push(message);
      },
      error: () => undefined,
    });
    for (let i = 0; i < 100; i++) reporter.report({ message: 'x', origin: 'server' });
    await reporter.close();
    expect(warned).toHaveLength(30);
    expect(
      sourceOf(
        'Error: x\n    at Object.<anonymous> (node:internal/x:1:1)\n    at async chargeNow (file:///srv/app/src/server/engine/charging/charge.ts:10:5)',
      ),
    ).toEqual({ sourceFunction: 'chargeNow', file: 'src/server/engine/charging/charge.ts' });
    expect(sourceOf(undefined)).toEqual({});
  });
});
