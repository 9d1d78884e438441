// By which names people reach this server. A foreign name that was made to lead here (DNS rebinding) shows in the Host header of what its page asks.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Config } from '../config.ts';

/** The name in a Host header, in small letters and without its port: "[::1]:3000" gives "::1". */
const nameOf = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));

/** Whether the browser reached this server by a name of this machine itself. */
export const isThisMachine = (host: string): boolean => isLoopbackName(nameOf(host));

/**
 * Whether a Host header names this server: this machine, any address in numbers (no name leads there, so none can be bent), a name without a dot (of this
 * machine's own network), what HOST and PERENNIAL_PUBLIC_URL say, or the machine's name. Absent: no browser asked.
 */
export function isOwnHost(host: string | undefined, config: Pick<Config, 'host' | 'publicUrl'>): boolean {
  if (host === undefined) return true;
  const name = nameOf(host);
  if (isLoopbackName(name) || isIP(name) !== 0 || (name !== '' && !name.includes('.'))) return true;
  return [config.host, config.publicUrl && new URL(config.publicUrl).hostname, hostname()].some(
    own => own !== undefined && own !== '' && nameOf(own) === name,
  );
}

/** Says that something without proof of who asks is only given at the server's own address. */
export const elsewhere = (what: string, address: string): string =>
  `${what} at ${address} only. To use another address, set PERENNIAL_PUBLIC_URL to it and start the server again.`;
