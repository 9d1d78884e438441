// The number of a subscription as people write it: of the store or of the platform.

/** "1042", "#1042" and the platform's long form "gid://shopify/SubscriptionContract/1042" -> 1042; undefined for what is no number. */
export function subscriptionNumber(text: string): number | undefined {
  const digits = /^(?:#|gid:\/\/[\w/]+\/)?(\d{1,16})$/i.exec(text.trim())?.[1];
  const id = digits === undefined ? NaN : Number(digits);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
