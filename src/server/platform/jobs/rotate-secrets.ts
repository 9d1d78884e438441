// Encrypts with the newest key what was encrypted with an older one: at every start, so that a new PERENNIAL_SECRET takes hold by itself,
// and by a command.
import { rotateSecrets } from '../outgoing/secrets.ts';
import type { JobModule } from '../queue/job.ts';

export const rotate: JobModule = {
  name: 'rotate-secrets',
  atStart: true,
  async run(services, _data, job) {
    const { sealed, unreadable } = await rotateSecrets(services, job.signal);
    if (unreadable > 0)
      services.log.error(
        { unreadable },
        "Secrets can't be opened: PERENNIAL_SECRET lacks the key they were sealed with. Put it behind the first one and start again.",
      );
    else if (services.config.secrets.length > 1)
      services.log.info({ sealed }, 'Every secret is sealed with the first key of PERENNIAL_SECRET: the others may be taken out of it.');
  },
};
