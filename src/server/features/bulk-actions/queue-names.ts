// Names of the queues of bulk actions, apart from the code that runs them so that a request loads none of it.
export const BULK_JOB = 'bulk-action';
export const BULK_TICK = 'bulk-tick';
