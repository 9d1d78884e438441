// What drawing an SVG costs, found out before it is drawn: a few hundred bytes can ask for years of work (D124).
import { SaxesParser } from 'saxes';

/** Elements that are drawn in the end, each as often as something refers to it. A detailed logo has some hundreds. */
const MOST_DRAWN = 10_000;
/** One step of a filter goes over the whole picture, as many elements do. */
const FILTER_STEP = 500;
/** Pixels around each one that a step of a filter looks at for the cost of one step. */
const LOOKED_AT = 16;
/** Deeper than any drawing program nests. */
const MOST_DEPTH = 100;
/** The widest picture that is drawn (pixels). */
export const LONGEST_SIDE = 1600;

interface Element {
  cost: number;
  children: Element[];
  /** Ids of what is drawn with it: by href, or url(#…) of any attribute. */
  refs: string[];
}

const numbers = (text = ''): number[] =>
  text
    .trim()
    .split(/[\s,]+/)
    .map(Number)
    .filter(Number.isFinite);
/** What makes lengths inside of a picture longer than its own units say. */
const ENLARGES = /\b(?:scale|matrix|zoom)/i;
/** How many pixels the longer side of a picture is drawn with for each unit of its view box, at most. */
function pixelsOfUnit({ width, height, viewBox }: Readonly<Record<string, string>>): number {
  const [, , wide = 0, high = 0] = numbers(viewBox);
  const side = Math.max(wide, high);
  if (!(side > 0)) return 1;
  const given = [width, height].map(text => (/^\s*[\d.]+(?:px)?\s*$/.test(text ?? '') ? Number.parseFloat(text ?? '') : LONGEST_SIDE));
  return Math.min(LONGEST_SIDE, Math.max(...given)) / side;
}
/** How many steps an element of a filter is: some look around each pixel, or go over the picture again and again. */
function stepsOf(name: string, attributes: Readonly<Record<string, string>>, unit: number): number {
  const around = (widths: number[]): number => Math.max(1, widths.reduce((all, one) => all * Math.max(1, one), 1) / LOOKED_AT);
  const both = (text: string | undefined): number[] => {
    const [x = 0, y = x] = numbers(text);
    return [x, y];
  };
  if (name === 'feMorphology') return around(both(attributes.radius).map(radius => 2 * radius * unit + 1));
  if (name === 'feConvolveMatrix') return around(both(attributes.order ?? '3'));
  return name === 'feTurbulence' ? Math.max(1, ...numbers(attributes.numOctaves)) : 1;
}

/** The same as functions of CSS. */
const FILTERS = /\b(?:blur|drop-shadow|brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)\(/gi;
const filtersIn = (text: string): number => (text.match(FILTERS)?.length ?? 0) * FILTER_STEP;
const REFERENCE = /url\([\s"']*#([^"')\s]+)/gi;
/** Pictures inside of a picture: those of pixels alone, within the file. */
const PIXELS = /^\s*data:image\/(?:png|jpe?g|gif|webp)[;,]/i;

/** Why an SVG is not drawn: it can't be read, it loads something, or it asks for too much work. */
export type SvgRefusal = 'BROKEN' | 'LOADS' | 'ELABORATE';

/** Undefined: it may be drawn. */
export function svgRefusal(text: string): SvgRefusal | undefined {
  const root: Element = { cost: 0, children: [], refs: [] };
  const byId = new Map<string, Element>();
  const open: Element[] = [root];
  let refusal: SvgRefusal | undefined;
  const refuse = (why: SvgRefusal): void => void (refusal ??= why);
  let styles = '';
  let isStyle = false;
  let unit: number | undefined;
  /** Whether a length of a filter counts in units of the picture, and whether anything makes them longer than the picture's own. */
  let measures = false;
  let isEnlarged = false;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => refuse('BROKEN'));
  parser.on('doctype', doctype => {
    if (/\[|<!ENTITY/i.test(doctype)) refuse('LOADS');
  });
  parser.on('processinginstruction', () => refuse('LOADS'));
  parser.on('opentag', ({ local, attributes }) => {
    // It would read other files; scripts and pages inside are not drawn by anything here.
    if (local === 'include') refuse('LOADS');
    if (open.length > MOST_DEPTH) refuse('ELABORATE');
    const given = Object.fromEntries(Object.values(attributes).map(one => (typeof one === 'string' ? [one, ''] : [one.local, one.value])));
    if (given.viewBox !== undefined && unit !== undefined) isEnlarged = true;
    unit ??= pixelsOfUnit(given);
    if (given.primitiveUnits === 'objectBoundingBox') isEnlarged = true;
    if (local === 'feMorphology') measures = true;
    const isStep = /^fe[A-Z]/.test(local);
    const element: Element = { cost: isStep ? FILTER_STEP * stepsOf(local, given, unit) : 1, children: [], refs: [] };
    for (const attribute of Object.values(attributes)) {
      const value = typeof attribute === 'string' ? attribute : attribute.value;
      const name = typeof attribute === 'string' ? '' : attribute.local;
      if (name === 'id') byId.set(value, element);
      if (name === 'href' && local !== 'a') {
        if (value.startsWith('#')) element.refs.push(value.slice(1));
        else if (!PIXELS.test(value)) refuse('LOADS');
      }
      if ((name === 'transform' || name === 'style') && ENLARGES.test(value)) isEnlarged = true;
      element.cost += filtersIn(value);
      for (const [, id = ''] of value.matchAll(REFERENCE)) element.refs.push(id);
    }
    open.at(-1)?.children.push(element);
    open.push(element);
    isStyle = local === 'style';
  });
  const addStyle = (words: string): void => {
    if (isStyle) styles += words;
  };
  parser.on('text', addStyle);
  parser.on('cdata', addStyle);
  parser.on('closetag', () => {
    open.pop();
    isStyle = false;
  });
  try {
    parser.write(text).close();
  } catch {
    refuse('BROKEN');
  }
  if (refusal) return refusal;
  if (/@import|\\/i.test(styles)) return 'LOADS';
  if (measures && (isEnlarged || ENLARGES.test(styles))) return 'ELABORATE';
  return drawnBy(root, byId, styles) > MOST_DRAWN ? 'ELABORATE' : undefined;
}

/** How much is drawn in the end; infinite where something refers to itself. */
function drawnBy(root: Element, byId: ReadonlyMap<string, Element>, styles: string): number {
  const known = new Map<Element, number>();
  const costOf = (element: Element): number => {
    const before = known.get(element);
    if (before !== undefined) return before;
    known.set(element, Infinity);
    const refs = element.refs.reduce((sum, id) => sum + ofId(id), 0);
    const sum = element.cost + refs + element.children.reduce((total, child) => total + costOf(child), 0);
    known.set(element, sum);
    return sum;
  };
  const ofId = (id: string): number => {
    const target = byId.get(id);
    return target ? costOf(target) : 0;
  };
  const own = costOf(root);
  // A rule of a style sheet may mean any element: each may draw what costs most of what the rules refer to.
  const most = [...styles.matchAll(REFERENCE)].reduce((most, [, id = '']) => Math.max(most, ofId(id)), filtersIn(styles));
  return most > 0 ? own * (1 + most) : own;
}
