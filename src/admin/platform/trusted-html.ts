// What the browser may read as HTML where no policy of its own made it. Under Trusted Types it reads nothing otherwise, and components of
// others do give it some: react-admin's inputs an empty line.

type Clean = (text: string) => string;
/** Text and entities alone make no element; anything else waits for a cleaner. */
let clean: Clean | undefined;

interface Policies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}
(window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('default', {
  createHTML: text => (clean ? clean(text) : text.includes('<') ? null : text),
});

/** Takes markup in as well from now on, cleaned. */
export function allowMarkup(by: Clean): void {
  clean = by;
}
