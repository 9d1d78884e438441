// Vite plugin: draws each icon of lucide by one path instead of several shapes. A list's page has some thirty icons; their shapes were an eighth of its nodes.
import type { Plugin } from 'vite';

/** A shape of an icon: ["circle", { cx: "12", cy: "12", r: "10" }] */
export type Shape = [tag: string, attributes: Record<string, string>];

const PAIR = /^m\s*([-+]?(?:\d+\.?\d*|\.\d+))[\s,]*([-+]?(?:\d+\.?\d*|\.\d+))[\s,]*/;
/** A path that begins where it says, whatever stands before it: a first "m" means "M", and what follows its pair of numbers are steps. */
function absolute(d: string): string {
  const first = PAIR.exec(d);
  if (!first) return d;
  const rest = d.slice(first[0].length);
  return `M${first[1]} ${first[2]}${/^[-+.\d]/.test(rest) ? 'l' : ''}${rest}`;
}

const around = (cx: number, cy: number, rx: number, ry: number): string =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

/** The path of a shape; undefined for one that has a fill of its own, or that is none of SVG's basic shapes. */
function pathOf([tag, { key: _key, ...given }]: Shape): string | undefined {
  if (given.fill !== undefined) return undefined;
  const n = (name: string): number => Number(given[name] ?? 0);
  switch (tag) {
    case 'path':
      return absolute(given.d ?? '');
    case 'circle':
      return around(n('cx'), n('cy'), n('r'), n('r'));
    case 'ellipse':
      return around(n('cx'), n('cy'), n('rx'), n('ry'));
    case 'line':
      return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`;
    case 'polyline':
    case 'polygon':
      return `M${(given.points ?? '').trim()}${tag === 'polygon' ? 'z' : ''}`;
    case 'rect': {
      const [x, y, w, h] = [n('x'), n('y'), n('width'), n('height')];
      const rx = Math.min(Number(given.rx ?? given.ry ?? 0), w / 2);
      const ry = Math.min(Number(given.ry ?? given.rx ?? 0), h / 2);
      if (rx === 0 || ry === 0) return `M${x} ${y}h${w}v${h}h${-w}z`;
      const turn = (dx: number, dy: number): string => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
      return `M${x + rx} ${y}h${w - 2 * rx}${turn(rx, ry)}v${h - 2 * ry}${turn(-rx, ry)}h${2 * rx - w}${turn(-rx, -ry)}v${2 * ry - h}${turn(rx, -ry)}z`;
    }
    default:
      return undefined;
  }
}

/** The same picture in as few shapes as can be. */
export function onePath(shapes: Shape[]): Shape[] {
  const paths = shapes.map(pathOf);
  const d = paths.filter(path => path !== undefined).join('');
  return [...(d ? [['path', { d, key: 'p' }] satisfies Shape] : []), ...shapes.filter((_, i) => paths[i] === undefined)];
}

export function iconPlugin(): Plugin {
  return {
    name: 'perennial-icons',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[\w-]+\.m?js/ },
      handler(code) {
        const found = /node: (\[[\s\S]*?\])(?=,\n {2}aliases|\n\})/.exec(code);
        if (!found?.[1]) return undefined;
        // The library's own file: a list of literals.
        const shapes = new Function(`return ${found[1]}`)() as Shape[];
        return { code: code.replace(found[1], () => JSON.stringify(onePath(shapes))), map: { mappings: '' } };
      },
    },
  };
}
