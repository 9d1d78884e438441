// Translates the texts of a store into one of its languages.
import type { JobModule } from '../../../platform/queue/job.ts';
import type { RunData } from '../../../platform/queue/system-run.ts';
import { TRANSLATE_JOB, failTranslation, runTranslation } from '../translate/translation-run.ts';
import { translatorOf } from '../translate/translator.ts';

const RETRIES = 3;

export const translateTexts: JobModule = {
  name: TRANSLATE_JOB,
  retries: RETRIES,
  async run(services, data: RunData, job) {
    try {
      await runTranslation(services, data, translatorOf(services.config), job.signal);
    } catch (error) {
      if (!job.signal.aborted && job.attempt > RETRIES) await failTranslation(services, data);
      throw error;
    }
  },
};
