// The real server over a fresh database of either kind, for a test file.
import { oneEngine, openTestDatabase, type EngineKind } from './database.ts';
import { productDefinitions } from './definitions.ts';
import { SEED, serve, type ServeOptions, type TestServer } from './serve.ts';

export type { Answered, CallOptions, Role, TestServer } from './serve.ts';
export interface TestServerOptions extends ServeOptions {
  engine?: EngineKind;
  connections?: number;
}

/** Stores that the seeds of several files make, by contracts and stores: they are copied. */
const COPIED = ['30/2', '4/1', '4/2', '6/1', '6/2', '60/1', '20/1', '5/1', '2/2', '60/2', '40/2', '20/2', '120/1', '12/1', '150/2'];

/** Starts a server of its own for a test file; close it in afterAll. */
export async function startTestServer({ engine = oneEngine[0]!, connections, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const { contracts, stores } = { ...SEED, ...options.seed };
  const { permissions } = options.services?.definitions ?? productDefinitions();
  const isCopied = engine === 'postgres' && options.seed !== false && COPIED.includes(`${contracts}/${stores}`);
  const database = await openTestDatabase(
    engine,
    connections ? { connections } : {},
    isCopied ? { contracts, stores, areas: Object.keys(permissions) } : undefined,
  );
  return serve(database, isCopied ? { ...options, seed: false } : options);
}
