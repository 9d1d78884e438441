// An own domain to send from: which addresses may, the records that its owner puts into DNS, and what was found there.
import { getDomain, getPublicSuffix, parse } from 'tldts';
import free from './free-mail.json' with { type: 'json' };
import { later } from '../text/t.ts';

export type DomainRecord = {
  type: 'TXT';
  host: string;
  value: string;
  verified: boolean;
};
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

/** The public half of what a domain's e-mails are signed with: the name it has in DNS, and the key in base64. */
export interface SigningKey {
  selector: string;
  publicKey: string;
}

const keyRecord = (domain: string, { selector, publicKey }: SigningKey): DomainRecord => ({
  type: 'TXT',
  host: `${selector}._domainkey.${domain}`,
  value: `v=DKIM1; k=rsa; p=${publicKey}`,
  verified: false,
});
const isProof = ({ host }: DomainRecord): boolean => host.startsWith('_perennial.');

/**
 * What the owner of a domain puts into DNS: a proof, and the key of signatures. Undeliverable mail comes back to an address of ours, so no
 * record is needed for it.
 */
export const recordsFor = (domain: string, token: string, key: SigningKey): DomainRecord[] => [
  { type: 'TXT', host: `_perennial.${domain}`, value: `perennial-verify=${token}`, verified: false },
  keyRecord(domain, key),
];

/** The records of a domain with this key: what is right already stays as it is, records of another key or kind go. */
export function recordsWithKey(records: readonly DomainRecord[], domain: string, key: SigningKey): DomainRecord[] {
  const wanted = keyRecord(domain, key);
  return [...records.filter(isProof), records.find(({ host, value }) => host === wanted.host && value === wanted.value) ?? wanted];
}

/** Tags of a key may be written with and without spaces and a semicolon at the end. */
const withoutSpaces = (text: string): string => text.replace(/\s+/g, '').replace(/;$/, '');

/** Whether one of the values that stand in DNS is the one that is wanted. */
export const isFound = ({ value }: DomainRecord, found: readonly string[]): boolean =>
  found.some(one => withoutSpaces(one) === withoutSpaces(value));

/** What follows from a check of all records: one that was right and is not any more has failed. */
export const statusAfter = (before: DomainStatus, records: readonly DomainRecord[]): DomainStatus =>
  records.every(({ verified }) => verified) ? 'VERIFIED' : before === 'VERIFIED' || before === 'FAILED' ? 'FAILED' : 'PENDING';
