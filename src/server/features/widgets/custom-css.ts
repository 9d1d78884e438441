// CSS of the merchant's own: it may change how something looks, and load nothing.
import type { FieldError, JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

const wrong = (rule: string, message: string): FieldError[] => [{ pointer: '/customCss', rule, message }];

/** What is wrong with it: pages of the store would fetch what it imports, from wherever that is. */
export const cssErrors = (css: JsonValue | undefined): FieldError[] =>
  typeof css === 'string' && /@import/i.test(css) ? wrong('import', t`Leave out @import: a widget loads nothing from elsewhere.`) : [];

/** Without its comments; undefined where one does not end. */
function uncommented(css: string): string | undefined {
  const [first = '', ...rest] = css.split('/*');
  const after = rest.map(part => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : undefined));
  return after.includes(undefined) ? undefined : [first, ...after].join('');
}

/** The same for pages of a customer, where an address could tell somebody else what stands there. */
export function pageCssErrors(css: JsonValue | undefined): FieldError[] {
  if (typeof css !== 'string') return [];
  const bare = uncommented(css);
  if (bare === undefined) return wrong('comment', t`A comment does not end.`);
  if (bare.includes('\\')) return wrong('escape', t`Leave out the backslash: it can hide what a rule loads.`);
  const what = /@import|@font-face|@namespace|(?:url|image-set|image|src|element|cross-fade)(?=\s*\()/i.exec(bare)?.[0];
  if (what) return wrong('load', t`Leave out ${what}: the portal loads nothing from elsewhere.`);
  const open = bare.split('{').length - bare.split('}').length;
  return open === 0 ? [] : wrong('braces', open > 0 ? t`An opening brace is not closed.` : t`There is a closing brace too many.`);
}
