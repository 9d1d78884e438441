// Names of the jobs of imports, for those who call them.
export const IMPORT_JOB = 'subscription-import';
export const PAYMENT_JOB = 'payment-migration';
export const IMPORT_TICK = 'subscription-import-tick';
