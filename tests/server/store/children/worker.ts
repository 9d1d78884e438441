// A process that works on a queue until it is killed. usage: worker.ts <postgres address | data folder>
import { openDatabase } from '../../../../src/server/store/database.ts';
import { createQueue } from '../../../../src/server/store/queue.ts';
import { scratch } from '../scratch.ts';

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
