// A job as its handler gets it, for tests that run one without the queue.
import type { Job } from '../../src/server/platform/queue/queue.ts';

export const jobWith = (signal: AbortSignal = new AbortController().signal): Job => ({
  id: 'x',
  name: 'x',
  data: {},
  attempt: 1,
  signal,
  progressed: async () => undefined,
});
