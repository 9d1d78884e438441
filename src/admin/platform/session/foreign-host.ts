// The guard against working in one store on another store's address.

/** Names of this machine, and addresses in numbers: they name no store, so there is nothing to compare. */
const namesNoStore = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$/.test(host) || host.includes(':');

/**
 * Whether the browser is on another store's address: the first label of its host name differs from the first label of the store's
 * domain, ignoring case (S164, S168). Never on names of this machine.
 */
export function isForeignHost(hostname: string, storeDomain: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return !namesNoStore(host) && host.split('.')[0] !== storeDomain.toLowerCase().split('.')[0];
}
