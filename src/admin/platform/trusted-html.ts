// What the browser may read as HTML where no policy of its own made it. Under Trusted Types it reads nothing otherwise, and components of
// others do give it some: react-admin's inputs an empty line.

type Clean = (text: string) => string;
/** Text and entities alone make no element; anything else waits for a cleaner. */
let clean: Clean | undefined;
/** The picture in the style sheet of the colour picker, which writes it by itself. */
const PICKER = {
  begin: '.react-colorful{',
  picture: '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill-opacity=".05"><path d="M8 0h8v8H8zM0 8h8v8H0z"/></svg>',
};
const isPicker = (text: string): boolean => text.startsWith(PICKER.begin) && !text.replaceAll(PICKER.picture, '').includes('<');

interface Policies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}
(window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('default', {
  createHTML: text => (isPicker(text) ? text : clean ? clean(text) : text.includes('<') ? null : text),
});

/** Takes markup in as well from now on, cleaned. */
export function allowMarkup(by: Clean): void {
  clean = by;
}
