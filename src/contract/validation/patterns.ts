/** Is this an e-mail address, a domain, a merchant token? The one place that knows: formats of schemas, forms and pages ask here. */

const LOCAL = /^[^\s@"(),:;<>[\\\].]+(\.[^\s@"(),:;<>[\\\].]+)*$/;
const HOST_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const DOMAIN_PART = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/;
const DOMAIN_ENDING = /^[A-Za-z]{2,6}$/;
const MERCHANT_TOKEN = /^[0-9a-fA-F]{32}$/;

/** A general address pattern (D092, S206): name@host.ending, of the lengths that mail servers accept; the name may be in any script. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split('.');
  const ending = labels.at(-1) ?? '';
  return (
    LOCAL.test(text.slice(0, at)) &&
    labels.length > 1 &&
    ending.length > 1 &&
    /[A-Za-z]/.test(ending) &&
    labels.every(label => HOST_LABEL.test(label))
  );
}

/**
 * Name parts of letters, digits and hyphens that do not start with a hyphen, then a dot and an ending
 * of 2 to 6 letters (D093-D095, S207-S210).
 */
export function isDomain(text: string): boolean {
  const parts = text.split('.');
  const ending = parts.pop() ?? '';
  return parts.length > 0 && parts.every(part => DOMAIN_PART.test(part)) && DOMAIN_ENDING.test(ending);
}

/** Exactly 32 hex characters (D102, S211, S212). */
export function isMerchantToken(text: string): boolean {
  return MERCHANT_TOKEN.test(text);
}
