// The real server in this process, on a free port: what tests and torture of calls talk to.
import type { FastifyInstance } from 'fastify';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { buildRequest } from '../../src/contract/request.ts';
import { at } from '../../src/contract/paths.ts';
import type { ErrorAnswer, JsonObject, JsonValue, PageInfo } from '../../src/contract/types.ts';
import { createApp, type AppOptions } from '../../src/server/platform/http/app.ts';
import { openSession } from '../../src/server/platform/auth/sessions.ts';
import { readConfig, type Config } from '../../src/server/platform/config.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { openServices, type ServiceOptions, type Services } from '../../src/server/platform/services.ts';
import type { Database } from '../../src/server/platform/db/database.ts';
import { ask } from './ask.ts';
import { productDefinitions } from './definitions.ts';

export type Role = 'owner' | 'admin' | 'mixed' | 'readOnly';
export interface Answered {
  status: number;
  headers: Headers;
  /** The whole answer. */
  body: JsonObject & Partial<ErrorAnswer> & { pageInfo?: PageInfo };
  /** What stands at the call's `out`. */
  data: any; // any: every test knows the shape of the call it makes
}
export interface CallOptions {
  /** A token, or a role of the first store; absent: the owner. null: no token. */
  as?: Role | string | null;
  key?: string;
  version?: number;
  headers?: Record<string, string>;
}
export interface TestServer {
  url: string;
  services: Services;
  app: FastifyInstance;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  /** A token of a seeded user: of the first store, or of another. */
  signIn(role: Role, storeId?: number): Promise<string>;
  /** Makes a call of the catalogue as a client does. */
  call(name: string, input?: JsonObject, options?: CallOptions): Promise<Answered>;
  /** Any request. */
  request(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Uint8Array; as?: CallOptions['as'] },
  ): Promise<{ status: number; headers: Headers; text: string; json: any }>; // any: see Answered
  /** Waits for work that goes on after answers, such as mail. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
export interface ServeOptions {
  /** Subscriptions and stores of the seed; 30 in 2 stores by default. false: an empty database. */
  seed?: { contracts?: number; stores?: number } | false;
  config?: Partial<Config>;
  services?: Partial<ServiceOptions>;
  app?: AppOptions;
  /** Serves only these call tables. */
  tables?: string[];
  /** Runs the queue and the jobs; off by default. */
  jobs?: boolean;
}

/** The stores of a seed that says nothing else. */
export const SEED = { contracts: 30, stores: 2 };

/** What secrets of tests are sealed with. */
export const TEST_SECRET = 'a secret of tests that belongs to no installation';

const ROLE_INDEX: Record<Role, number> = { owner: 1, admin: 2, mixed: 3, readOnly: 4 };

/** Serves over an open database, which `close` removes. */
export async function serve(
  database: { readonly db: Database; remove(): Promise<void> },
  { seed = {}, config: over = {}, services: more = {}, app: appOptions = {}, tables, jobs = false }: ServeOptions = {},
): Promise<TestServer> {
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info', base: undefined },
    new Writable({
      write(chunk, _encoding, done) {
        logged.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    }),
  );
  const config: Config = { ...readConfig({}), port: 0, demo: true, secrets: [TEST_SECRET], outgoingAllow: ['127.0.0.1'], ...over };
  let services: Services | undefined;
  try {
    const open = await openServices(config, { db: database.db, log, definitions: productDefinitions(), ...more });
    services = open;
    if (tables)
      open.reload({
        ...open.definitions,
        calls: Object.fromEntries(Object.entries(open.definitions.calls).filter(([, call]) => tables.includes(call.table))),
      });
    if (seed)
      await seedStores(database.db, {
        ...SEED,
        ...seed,
        areas: Object.keys(open.definitions.permissions),
      });
    const app = await createApp(open, { logger: log, ...appOptions });
    if (jobs) await open.start();
    else open.state = 'ready';
    await app.listen({ port: 0, host: '127.0.0.1' });
    const bound = app.server.address();
    const url = `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}`;
    open.address = url;
    const tokens = new Map<string, string>();
    const signIn = async (role: Role, storeId = 1): Promise<string> => {
      const { token } = await open.db.asSystem(trx => openSession(trx, storeId, storeId * 1000 + ROLE_INDEX[role], config.tokenHours));
      return token;
    };
    const tokenFor = async (as: CallOptions['as']): Promise<string | undefined> => {
      if (as === null) return undefined;
      const role = as ?? 'owner';
      if (!(role in ROLE_INDEX)) return role;
      let token = tokens.get(role);
      if (!token) tokens.set(role, (token = await signIn(role as Role)));
      return token;
    };
    const server: TestServer = {
      url,
      services: open,
      app,
      logged,
      signIn,
      async call(name, input = {}, options = {}) {
        const call = open.definitions.calls[name];
        if (!call) throw new Error(`There is no call ${name}.`);
        const request = buildRequest(open.definitions, call, input, {});
        const token = await tokenFor(options.as);
        const response = await ask(url + request.url, {
          method: request.method,
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
          headers: {
            ...request.headers,
            ...(token ? { authorization: token } : {}),
            ...(options.key ? { 'idempotency-key': options.key } : {}),
            ...(options.version === undefined ? {} : { 'if-match': String(options.version) }),
            ...options.headers,
          },
        });
        const body = JSON.parse(response.text) as Answered['body'];
        return {
          status: response.status,
          headers: response.headers,
          body,
          data: response.ok ? at(body as JsonValue, call.out) : undefined,
        };
      },
      async request(method, path, options = {}) {
        const token = await tokenFor(options.as ?? null);
        const { status, headers, text } = await ask(url + path, {
          method,
          headers: { ...(token ? { authorization: token } : {}), ...options.headers },
          ...(options.body === undefined ? {} : { body: options.body }),
        });
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          json = undefined;
        }
        return { status, headers, text, json };
      },
      settled: () => open.idle(),
      async close() {
        await app.close();
        await open.close();
        await database.remove();
      },
    };
    return server;
  } catch (error) {
    await services?.close();
    await database.remove();
    throw error;
  }
}
