// From which address a request comes: the one place that decides whether a proxy is believed. Limits and logs by address all ask here.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Whether an address belongs to one of the configured proxies. */
export type Trusts = (address: string, hop: number) => boolean;

/** Without proxies nobody is believed. @throws TypeError for what is neither an address nor a network */
export const trustIn = (proxies: readonly string[]): Trusts => (proxies.length ? proxyAddr.compile([...proxies]) : () => false);

/**
 * The address of whoever sent the request: that of the connection; where this is a trusted proxy's, the last address of X-Forwarded-For that is none.
 * IPv4 addresses look the same on every socket ("::ffff:10.0.0.1" is "10.0.0.1").
 */
export const clientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>, trusts: Trusts): string =>
  (proxyAddr(request as IncomingMessage, trusts) ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
