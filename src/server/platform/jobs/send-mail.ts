// Sends the mail that is due: at once after something was put into the outbox, and every minute for what was to wait.
import { sendDueMail } from '../mail/outbox.ts';
import type { JobModule } from '../queue/job.ts';

export const sendMail: JobModule = {
  name: 'send-mail',
  cron: '* * * * *',
  async run(services, _data, job) {
    await sendDueMail(services.db, services.transport, services.log, job.signal);
  },
};
