// The clock of the store, which the demo's owner can move.

/** Store clock minus this computer's, in ms: the demo store's clock can be moved. */
let ahead = 0;
/** Sets the clock by a moment that the server told. */
export function setStoreClock(now: string): void {
  const far = Date.parse(now) - Date.now();
  ahead = Number.isFinite(far) ? far : 0;
}
/** The store's present moment in ms. */
export const storeNow = (): number => Date.now() + ahead;
