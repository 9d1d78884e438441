// How much one bulk action takes.

/**
 * Subscriptions that a filter finds. They are frozen to rows in one statement of the request that starts it, and are
 * worked off, counted and downloaded in the database, so that no process holds them all. The embedded database answers
 * no other call meanwhile, so the limit is lower.
 */
export const MAX_FILTERED = { postgres: 250_000, embedded: 50_000 } as const;
/** Ids that are named, and rows of a file: they travel in one request. */
export const MAX_GIVEN = 10_000;
