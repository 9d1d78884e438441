// The real server over a fresh database of either kind, for a test file.
import { oneEngine, openTestDatabase, type EngineKind } from './database.ts';
import { serve, type ServeOptions, type TestServer } from './serve.ts';

export type { Answered, CallOptions, Role, TestServer } from './serve.ts';
export interface TestServerOptions extends ServeOptions {
  engine?: EngineKind;
  connections?: number;
}

/** Starts a server of its own for a test file; close it in afterAll. */
export const startTestServer = async ({ engine = oneEngine[0]!, connections, ...options }: TestServerOptions = {}): Promise<TestServer> =>
  serve(await openTestDatabase(engine, connections ? { connections } : {}), options);
