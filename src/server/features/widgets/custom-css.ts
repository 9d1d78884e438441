// CSS of the merchant's own: it may change how a widget looks, and load nothing.
import type { FieldError, JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

/** What is wrong with it: pages of the store would fetch what it imports, from wherever that is. */
export const cssErrors = (css: JsonValue | undefined): FieldError[] =>
  typeof css === 'string' && /@import/i.test(css)
    ? [{ pointer: '/customCss', rule: 'import', message: t`Leave out @import: a widget loads nothing from elsewhere.` }]
    : [];
