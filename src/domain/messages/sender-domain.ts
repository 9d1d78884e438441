// An own domain to send from: which addresses may, the records that its owner puts into DNS, and what was found there.
import { getDomain, getPublicSuffix, parse } from 'tldts';
import free from './free-mail.json' with { type: 'json' };
import { later } from '../text/t.ts';

export type RecordType = 'TXT' | 'CNAME' | 'MX';
export interface DomainRecord {
  type: RecordType;
  host: string;
  value: string;
  verified: boolean;
}
export type DomainStatus = 'NOT_VERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED';

const FREE = new Set(free);
export const NOT_OWN = later`Use an address on your own domain`;

/** The host of an address, in the letters of DNS; undefined where it can't be anybody's own domain. */
export function ownDomain(address: string): string | undefined {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const { hostname, isIp } = parse(host);
  const registered = getDomain(host);
  if (!hostname || isIp || !registered || hostname === getPublicSuffix(host) || FREE.has(registered)) return undefined;
  return hostname;
}

/** What the owner of a domain puts into DNS: a proof, the key of signatures, and where undeliverable mail comes back. */
export const recordsFor = (domain: string, token: string, mailHost: string): DomainRecord[] =>
  (
    [
      ['TXT', `_perennial.${domain}`, `perennial-verify=${token}`],
      ['CNAME', `perennial._domainkey.${domain}`, `dkim.${mailHost}`],
      ['MX', `bounces.${domain}`, `feedback.${mailHost}`],
    ] as const
  ).map(([type, host, value]) => ({ type, host, value, verified: false }));

const plain = (name: string): string => name.trim().replace(/\.$/, '').toLowerCase();

/** Whether one of the values that stand in DNS is the one that is wanted. */
export const isFound = ({ type, value }: DomainRecord, found: readonly string[]): boolean =>
  type === 'TXT' ? found.some(one => one.trim() === value) : found.some(one => plain(one) === plain(value));

/** What follows from a check of all records: one that was right and is not any more has failed. */
export const statusAfter = (before: DomainStatus, records: readonly DomainRecord[]): DomainStatus =>
  records.every(({ verified }) => verified) ? 'VERIFIED' : before === 'VERIFIED' || before === 'FAILED' ? 'FAILED' : 'PENDING';
