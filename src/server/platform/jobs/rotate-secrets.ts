// Encrypts with the newest key what was encrypted with an older one: at every start, so that a new PERENNIAL_SECRET takes hold by itself,
// and by a command.
import { rotateSecrets } from '../outgoing/secrets.ts';
import type { JobModule } from '../queue/job.ts';

export const rotate: JobModule = {
  name: 'rotate-secrets',
  atStart: true,
  async run(services, _data, job) {
    await rotateSecrets(services, job.signal);
  },
};
