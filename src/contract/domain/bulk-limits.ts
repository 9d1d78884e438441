// How much one bulk action takes; the admin says so before the server has to.

/** Subscriptions that a filter finds. Rows are frozen and worked off in the database, so that no process holds them all. */
export const MOST_FILTERED = 250_000;
/** Ids that are named, and rows of a file: they travel in one request. */
export const MOST_GIVEN = 10_000;
