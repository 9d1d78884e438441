// By which names people reach this server. A foreign name that was made to lead here (DNS rebinding) shows in the Host header of what its
// page asks.
import { isIP } from 'node:net';
import type { Config } from '../config.ts';

/** What HOST says for every network interface: the name of none. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

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
 * Whether a Host header names this server: this machine, or what HOST and PERENNIAL_PUBLIC_URL say. Any other name, also one without a dot,
 * may be made to lead
 * here by anyone who controls the names of a network; an operator who uses one sets PERENNIAL_PUBLIC_URL. Absent: no browser asked.
 */
export function isOwnHost(host: string | undefined, config: Pick<Config, 'host' | 'publicUrl'>): boolean {
  if (host === undefined) return true;
  const name = nameOf(host);
  if (isLoopbackName(name)) return true;
  return [config.host, config.publicUrl && new URL(config.publicUrl).hostname].some(
    own => own !== undefined && own !== '' && !EVERYWHERE.has(own) && nameOf(own) === name,
  );
}
