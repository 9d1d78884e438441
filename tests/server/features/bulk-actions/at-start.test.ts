// A bulk action whose worker died, and whose job was given up, is looked for when a server starts, not at the next full minute only.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

describe.each(oneEngine)('a server that starts (%s)', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, jobs: true, seed: { contracts: 5, stores: 1 } });
  });
  afterAll(() => server?.close());

  it('looks for bulk actions that lie without a worker before it says that it is ready', async () => {
    const {
      rows: [looks],
    } = await server.services.db.ownerQuery<{ n: number }>("select count(*) as n from pgboss.job where name = 'bulk-tick'");
    expect(Number(looks?.n)).toBeGreaterThan(0);
  });
});
