// What the server puts into the page: where the host groups live, and whether people on another store's address are signed out.

export interface PageConfig {
  /** Addresses of host groups that are not this server. */
  hosts: Partial<Record<string, string>>;
  domainGuard: boolean;
  /** The languages of the admin, each in its own words; English stands first. */
  languages: { code: string; name: string }[];
}

function read(): PageConfig {
  const text =
    typeof document === 'undefined' ? '' : (document.querySelector('meta[name="perennial-config"]')?.getAttribute('content') ?? '');
  const given = (text ? JSON.parse(text) : {}) as Partial<PageConfig>;
  return { hosts: given.hosts ?? {}, domainGuard: given.domainGuard ?? false, languages: given.languages ?? [] };
}
export const config: PageConfig = read();

/** The nonce that styles made at run time must carry. */
export const nonce = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '');
