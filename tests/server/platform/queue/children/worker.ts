// A process that works on a queue until it is killed. usage: worker.ts <postgres address | data folder>
import { openDatabase } from '../../../../../src/server/platform/db/database.ts';
import { createQueue } from '../../../../../src/server/platform/queue/queue.ts';
import { scratch } from '../../db/scratch.ts';

const where = process.argv[2]!;
const db = await openDatabase({
  ...(where.startsWith('postgres:')
    ? { database: { kind: 'postgres', url: where } }
    : { database: { kind: 'embedded' }, dataFolder: where }),
  migrations: scratch,
});
const queue = createQueue(db);
queue.work('long', async ({ data }) => {
  process.send!({ running: data });
  await new Promise(() => undefined);
});
await queue.start();
process.send!({ started: true });
