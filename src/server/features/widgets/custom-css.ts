// CSS of the merchant's own: it may change how something looks, and load nothing.
import type { FieldError, JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

const wrong = (rule: string, message: string): FieldError[] => [{ pointer: '/customCss', rule, message }];

/** What is wrong with it: pages of the store would fetch what it imports, from wherever that is. */
export const cssErrors = (css: JsonValue | undefined): FieldError[] =>
  typeof css === 'string' && /@import/i.test(css) ? wrong('import', t`Leave out @import: a widget loads nothing from elsewhere.`) : [];

/** The same for pages of a customer, where an address could tell somebody else what stands there. */
export function pageCssErrors(css: JsonValue | undefined): FieldError[] {
  if (typeof css !== 'string') return [];
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '');
  if (bare.includes('\\')) return wrong('escape', t`Leave out the backslash: it can hide what a rule loads.`);
  const found = /@import|@font-face|@namespace|(?:url|image-set|image|src|element|cross-fade)\s*\(/i.exec(bare)?.[0];
  const what = found?.replace(/\s*\($/, '');
  if (what) return wrong('load', t`Leave out ${what}: the portal loads nothing from elsewhere.`);
  const open = bare.split('{').length - bare.split('}').length;
  if (open > 0) return wrong('braces', t`An opening brace is not closed.`);
  return open < 0 || bare.includes('/*') ? wrong('braces', t`There is a closing brace too many, or a comment that does not end.`) : [];
}
