// The link by which a store refers others. It names the store by the first part of its domain, and an invitation by its own code.

const PLATFORM = '.myshopify.com';

/** Where a link leads within the admin. `invitation` is the code of a referral. */
export function linkPath(domain: string, invitation?: string): string {
  const name = domain.endsWith(PLATFORM) ? domain.slice(0, -PLATFORM.length) : domain;
  return `/login?ref=${encodeURIComponent(invitation === undefined ? name : `${name}~${invitation}`)}`;
}

/** The domains that a link may mean, and the code of the invitation it came with. */
export function readRef(ref: string): { domains: string[]; invitation: string | undefined } {
  const [name = '', invitation] = ref.split('~');
  return { domains: [name, `${name}${PLATFORM}`], invitation };
}
