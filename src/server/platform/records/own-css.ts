// CSS of a store's own (`"format": "css"`): it may change how something looks, and load nothing. Read as browsers read it, so that no
// comment, string or escape hides anything; what is not on the lists is refused.
import * as csstree from 'css-tree';
import type { FieldError, JsonValue, Schema } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

/** Rules about rules; none of them names another file. */
const AT_RULES = new Set(['media', 'supports', 'container', 'layer', 'keyframes']);
/** Besides what the package knows as a property of CSS. */
const LOADING = new Set(['src', 'behavior', 'binding']);
/** Functions that reckon, mix colours, move, or draw shapes and gradients. */
const FUNCTIONS = new Set(
  (
    'var env calc min max clamp round mod rem abs sign sin cos tan asin acos atan atan2 pow sqrt hypot log exp ' +
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient ' +
    'minmax repeat fit-content cubic-bezier steps linear counter counters circle ellipse inset polygon path rect xywh ' +
    'matrix matrix3d perspective rotate rotate3d rotatex rotatey rotatez scale scale3d scalex scaley scalez skew skewx skewy ' +
    'translate translate3d translatex translatey translatez ' +
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia'
  ).split(' '),
);

/** A name as a browser takes it: without escapes, prefix of a vendor and capitals. */
const plain = (name: string): string => csstree.keyword(csstree.ident.decode(name)).basename.toLowerCase();

/** What is wrong with some CSS, as one sentence; undefined: nothing. */
export function cssProblem(css: string): string | undefined {
  let found: string | undefined;
  const wrong = (sentence: string): void => void (found ??= sentence);
  const broken = (line: number): string => t`Line ${line} can't be read as CSS.`;
  const loads = (what: string): string => t`Leave out ${what}: CSS of your own loads nothing from elsewhere.`;
  const unknown = (what: string): string => t`Leave out ${what}: it is not known here.`;
  try {
    const tree = csstree.parse(css, {
      positions: true,
      parseCustomProperty: true,
      onParseError: ({ line }: csstree.SyntaxParseError) => wrong(broken(line)),
    });
    if (!isClosed(css)) wrong(t`A comment, a text or a brace does not end.`);
    csstree.walk(tree, node => {
      const line = node.loc?.start.line ?? 1;
      if (node.type === 'Raw') wrong(broken(line));
      else if (node.type === 'Url') wrong(loads('url()'));
      else if (node.type === 'Atrule' && !AT_RULES.has(plain(node.name))) wrong(loads(`@${csstree.ident.decode(node.name)}`));
      else if (node.type === 'Function' && !FUNCTIONS.has(plain(node.name))) wrong(loads(`${csstree.ident.decode(node.name)}()`));
      else if (node.type === 'Declaration') {
        const name = csstree.ident.decode(node.property).toLowerCase();
        if (LOADING.has(plain(name))) wrong(loads(name));
        else if (!name.startsWith('--') && !csstree.lexer.getProperty(name)) wrong(unknown(name));
      }
    });
  } catch {
    // Nested deeper than it can be read.
    wrong(broken(1));
  }
  return found;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** Whether every comment, text and bracket ends: what follows the CSS in a page must not be taken into it. */
function isClosed(css: string): boolean {
  const open: string[] = [];
  let isSound = true;
  csstree.tokenize(css, (type, start, end) => {
    const text = css.slice(start, end);
    const { Comment, String: Text, Function: Call } = csstree.tokenTypes;
    if (type === Comment) isSound &&= text.length >= 4 && text.endsWith('*/');
    else if (type === Text) isSound &&= text.length >= 2 && text.endsWith(text.charAt(0));
    else if (type === Call) open.push(')');
    else if (CLOSING[text]) open.push(CLOSING[text]);
    else if (text === '}' || text === ')' || text === ']') isSound &&= open.pop() === text;
  });
  return isSound && open.length === 0;
}

/** What is wrong with the CSS in a record or a page of settings, wherever its schema has a field for some. */
export function cssErrors(schema: Schema, value: JsonValue | undefined, pointer = ''): FieldError[] {
  if (typeof value === 'string') {
    const problem = schema.format === 'css' && value ? cssProblem(value) : undefined;
    return problem === undefined ? [] : [{ pointer, rule: 'css', message: problem }];
  }
  if (Array.isArray(value)) return schema.items ? value.flatMap((one, i) => cssErrors(schema.items as Schema, one, `${pointer}/${i}`)) : [];
  if (!value || typeof value !== 'object') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => cssErrors(inner, value[name], `${pointer}/${name}`));
}
