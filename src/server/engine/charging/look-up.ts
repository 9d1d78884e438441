// When a charge is looked up again that the provider is still processing.

const MINUTE_MS = 60_000;
/** Minutes after the charge; later every hour. */
const FIRST_MINUTES = [1, 5, 30];

/** The next look-up of a charge that was first made at `since`, and was still being processed at `now`. */
export function nextLookUp(since: Date, now: Date): Date {
  const next = FIRST_MINUTES.find(minutes => since.getTime() + minutes * MINUTE_MS > now.getTime());
  return new Date(next === undefined ? now.getTime() + 60 * MINUTE_MS : since.getTime() + next * MINUTE_MS);
}
