// Which addresses the server may call: public ones, and what the configuration allows besides.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { t } from '../../../domain/text/t.ts';

/** A host name, an address or a network of PERENNIAL_OUTGOING_ALLOW. */
export interface Allowed {
  /** Names in small letters, as they stand in addresses. */
  readonly names: ReadonlySet<string>;
  readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
}
export const nothingAllowed: Allowed = { names: new Set(), networks: [] };

/**
 * Reads the entries of PERENNIAL_OUTGOING_ALLOW: "127.0.0.1", "10.0.0.0/8", "vendor.internal", and one port of a host: "127.0.0.1:8080".
 * @throws RangeError naming an entry that is none of these
 */
export function readAllowed(entries: readonly string[]): Allowed {
  const names = new Set<string>();
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (isIP(address)) {
      const whole = isIP(address) === 4 ? 32 : 128;
      const length = bits === undefined ? whole : Number(bits);
      if (!Number.isInteger(length) || length < 0 || length > whole) throw new RangeError(entry);
      networks.push([ipaddr.parse(address), length]);
    } else if (bits === undefined && /^[a-z0-9.-]+:\d{1,5}$/i.test(entry)) names.add(entry.toLowerCase());
    else if (bits === undefined && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(entry)) names.add(entry.toLowerCase());
    else throw new RangeError(entry);
  }
  return { names, networks };
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Allowed['networks'][number]): boolean =>
  address.kind() === network.kind() && address.match(network as never, bits);

/** Whether an address in numbers is one of the internet, or allowed. IPv4 inside IPv6 counts as IPv4. */
export function mayReach(address: string, allowed: Allowed): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return plain.range() === 'unicast' || allowed.networks.some(network => isIn(plain, network));
}

/** The host of an address as look-ups get it: without the brackets of IPv6 and a dot at its end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const USUAL_PORTS = new Set(['', '80', '443']);

/**
 * Why an address may not be called, as a sentence; undefined where nothing speaks against it. A name is looked at again once its addresses
 * are known. `new URL` has brought all ways of writing an IPv4 address (2130706433, 0x7f.1) into the usual one.
 */
export function objection(url: URL, allowed: Allowed): string | undefined {
  const host = hostOf(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return t`Only https and http addresses can be called.`;
  if (url.username || url.password) return t`The address must not hold a name or a password.`;
  const isNamed = allowed.names.has(host) || allowed.names.has(url.host);
  const isAllowedAddress = isIP(host) > 0 && allowed.networks.some(network => isIn(ipaddr.process(host), network));
  if (isIP(host) && !isNamed && !mayReach(host, allowed)) return t`${host} is not a public address.`;
  if (!USUAL_PORTS.has(url.port) && !isNamed && !isAllowedAddress) return t`Port ${url.port} can't be called, only 443 and 80.`;
  return undefined;
}
