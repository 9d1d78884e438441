// A job: one file in jobs/ that exports its name, when it runs, and what it does.
import type { Job } from './queue.ts';
import type { Services } from '../services.ts';

export interface JobModule {
  /** Also the name of its queue: small letters, digits and hyphens. */
  name: string;
  /** A cron line (minutes at the finest, UTC); absent: it runs when it is sent. */
  cron?: string;
  /** Runs when a server starts as well, not at the next match of `cron` only. */
  atStart?: boolean;
  /**
   * A condition in SQL on a store `s`: each second the job is sent, with `{ storeId }`, for the stores that it holds for
   * (`events/sweep.ts`). So nothing that was written is missed, whichever process wrote it.
   */
  waiting?: string;
  /** How often a failed run is tried again (5) and after how many seconds at first (1, doubled each time). */
  retries?: number;
  retrySeconds?: number;
  /** Every step must be safe to repeat; look at `job.signal` between steps, it aborts when the process shuts down. */
  run(services: Services, data: any, job: Job<any>): Promise<void>; // any: each job names its own data
}
