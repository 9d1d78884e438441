// Sends the mail that is due: at once after something was put into the outbox, and every minute for what was to wait.
import { mailBase } from '../mail/letterhead.ts';
import { sendDueMail } from '../mail/outbox.ts';
import type { JobModule } from '../queue/job.ts';

export const sendMail: JobModule = {
  name: 'send-mail',
  cron: '* * * * *',
  async run(services, _data, job) {
    const { db, transport, log, definitions, config, secrets } = services;
    const isTracked = config.smtpUrl !== undefined && config.publicUrl !== undefined;
    const returnAddress = config.bounceAddress;
    await sendDueMail(db, transport, log, { definitions, secrets, base: mailBase(services), isTracked, returnAddress, signal: job.signal });
  },
};
