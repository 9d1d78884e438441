// A process that works on a queue until it is killed; a job ends when the parent sends a message. usage: worker.ts <postgres address | data folder> [queue]
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
queue.work(process.argv[3] ?? 'long', async ({ data }) => {
  process.send!({ running: data });
  await new Promise(resolve => {
    process.once('message', resolve);
  });
});
await queue.start();
process.send!({ started: true });
