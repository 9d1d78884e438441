// Elements without markup in strings: nothing that a merchant or a translator wrote becomes HTML.

type Child = Node | string | false | null | undefined;
type Value = string | boolean | number | null | undefined | ((event: Event) => void);

/** An element with attributes (`true`: empty, `false` and nothing: left out; `onchange`, `onclick`…: a listener) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(child => child !== false && child !== null && child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';
/** A picture of one line, which says nothing that words beside it don't. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
