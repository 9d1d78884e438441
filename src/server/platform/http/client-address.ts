// From which address a request comes: the one place that decides whether a proxy is believed. Limits and logs by address all ask here.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Whether an address belongs to one of the configured proxies. */
export type Trusts = (address: string, hop: number) => boolean;

/** Without proxies no header is believed. @throws TypeError for what is neither an address nor a network */
export const trustIn = (proxies: readonly string[]): Trusts => (proxies.length ? proxyAddr.compile([...proxies]) : () => false);

/** The eight groups of an IPv6 address, however it is written: "::1" gives seven times 0 and 1. */
function groupsOf(address: string): number[] {
  const [unscoped = ''] = address.split('%', 1);
  // The last two groups may be written as an IPv4 address.
  const text = unscoped.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(group => group.toString(16)).join(':'),
  );
  const [before = [], after = []] = text.split('::').map(half => half.split(':').filter(group => group !== ''));
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].map(group => Number.parseInt(group, 16));
}

/**
 * Addresses look the same wherever they come from: without a port that a proxy added, and "::ffff:10.0.0.1" or "::ffff:a00:1" as
 * "10.0.0.1".
 */
function plain(written: string): string {
  const address = written.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups[5] !== 0xffff || groups.slice(0, 5).some(group => group !== 0)) return address;
  return groups
    .slice(6)
    .flatMap(group => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * The address that sent the request: that of the connection; where this is a trusted proxy's, the last address of X-Forwarded-For
 * that is none.
 */
export const clientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>, trusts: Trusts): string =>
  plain(proxyAddr(request as IncomingMessage, trusts) ?? '');

/** As what an address counts where those of one are limited: everybody who has IPv6 has at least all addresses of a /64 to choose from. */
export const networkOf = (address: string): string =>
  isIPv6(address)
    ? `${groupsOf(address)
        .slice(0, 4)
        .map(group => group.toString(16))
        .join(':')}::/64`
    : address;
