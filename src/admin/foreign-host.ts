// The guard against working in one store on another store's address.

/**
 * Whether the browser is on another store's address (S164): both names lie under the same parent ("a.example.com" and "b.example.com")
 * and their first labels differ, ignoring case. A host under another parent (localhost, an own address of the admin) names no store.
 */
export function isForeignHost(hostname: string, storeDomain: string): boolean {
  const [first, ...rest] = hostname.toLowerCase().split('.');
  const [own, ...ownRest] = storeDomain.toLowerCase().split('.');
  return rest.length > 1 && rest.join('.') === ownRest.join('.') && first !== own;
}
