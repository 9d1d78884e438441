// A chart as a picture for letters: an SVG of the data that pages draw, on white, with its figures in words of the current language.
import type { JsonObject } from '../../contract/types.ts';
import { t } from '../text/t.ts';
import { briefFigure, dayWords, figureWords } from './figure-words.ts';
import type { Grain } from './facts.ts';

type Value = string | number | null;
interface Series {
  label: string;
  unit: string;
  points: { x: string; label?: string; y: Value }[];
}
interface Tile {
  label: string;
  unit: string;
  value: Value;
  changePercent: number | null;
}
/** One bar: what it is of, its parts one after the other, and what it comes to in words. */
interface Bar {
  label: string;
  parts: number[];
  words: string;
}

/** As wide as the column of a letter; it is drawn twice as large, for sharp screens. */
const WIDTH = 536;
const COLOURS = ['#0f7f69', '#4a7fc9', '#d08a1d', '#8a63b8', '#c2506b', '#6f8a2f'];
const PALE = ['#7fbcb0', '#9fbce2', '#e5c187', '#c2add8', '#de9fae', '#b3c28e'];
const [INK, SOFT, RULE] = ['#1d211b', '#5c5f58', '#e4e5e0'];
/** Bars and parts that are drawn; the table beside the picture has all. */
const MOST_BARS = 12;

const colour = (i: number): string => (i < 6 ? COLOURS[i] : PALE[i % 6]) ?? INK;
const escape = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
const number = (value: Value | undefined): number => Number(value ?? 0);
/** How many letters there are room for, at this size. */
const fit = (text: string, width: number, size: number): string => {
  const most = Math.floor(width / (size * 0.56));
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…`;
};
interface Words {
  size?: number;
  fill?: string;
  anchor?: 'start' | 'middle' | 'end';
  width?: number;
}
/** A length as SVG has it. */
const px = (value: number): string => value.toFixed(1);
const words = (text: string, x: number, y: number, { size = 12, fill = SOFT, anchor = 'start', width = WIDTH }: Words = {}): string =>
  `<text x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}" text-anchor="${anchor}">${escape(fit(text, width, size))}</text>`;
const box = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(Math.max(0, width))}" height="${px(Math.max(0, height))}" fill="${fill}"/>`;

const whole = (height: number, drawn: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * 2}" height="${height * 2}" viewBox="0 0 ${WIDTH} ${height}" ` +
  `font-family="Inter, sans-serif"><rect width="${WIDTH}" height="${height}" fill="#ffffff"/>${drawn}</svg>`;

/** Names of series, as many lines as they need. */
function legend(labels: readonly string[]): { drawn: string; height: number } {
  if (labels.length < 2) return { drawn: '', height: 0 };
  let [x, y, drawn] = [0, 14, ''];
  for (const [i, label] of labels.entries()) {
    const text = fit(label, 220, 12);
    const width = 18 + text.length * 6.8;
    if (x > 0 && x + width > WIDTH) [x, y] = [0, y + 20];
    drawn += box(x, y - 9, 10, 10, colour(i)) + words(text, x + 15, y, { fill: INK });
    x += width + 12;
  }
  return { drawn, height: y + 14 };
}

/** A step of an axis that people count in: 1, 2, 2.5 or 5 times a power of ten. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1));
  return ([1, 2, 2.5, 5, 10].find(step => step * power * 4 >= span) ?? 10) * power;
}

const PLOT = { left: 56, height: 180, bottom: 26 };

/** Lines, or bars beside or on each other, over days, weeks or months. */
function overTime(series: readonly Series[], kind: 'line' | 'bar' | 'stacked', grain: Grain): string {
  const unit = series[0]?.unit ?? 'count';
  const drawn = series.filter(one => one.unit === unit);
  const points = drawn[0]?.points ?? [];
  const at = (one: Series, n: number): number => number(one.points[n]?.y);
  const sums = points.map((_, n) => drawn.reduce((all, one) => all + at(one, n), 0));
  const values = kind === 'stacked' ? sums : drawn.flatMap(one => one.points.map(({ y }) => number(y)));
  const wanted = stepOf(Math.max(...values, 0) - Math.min(...values, 0) || 4);
  const step = unit === 'count' ? Math.max(1, wanted) : wanted;
  const [top, low] = [Math.ceil(Math.max(...values, 0) / step) * step || step, Math.floor(Math.min(...values, 0) / step) * step];
  const names = legend(drawn.map(one => one.label));
  const y = (value: number): number => names.height + 10 + PLOT.height * (1 - (value - low) / (top - low));
  const room = (WIDTH - PLOT.left) / Math.max(1, points.length);
  const x = (n: number): number => PLOT.left + room * (n + 0.5);
  let picture = names.drawn;
  for (let value = low; value <= top + step / 2; value += step)
    picture +=
      box(PLOT.left, y(value), WIDTH - PLOT.left, 1, RULE) +
      words(briefFigure(Number(value.toPrecision(12)), unit), PLOT.left - 8, y(value) + 4, { anchor: 'end', size: 11 });
  if (kind === 'line')
    for (const [i, one] of drawn.entries()) {
      const line = points.map((_, n) => `${px(x(n))},${px(y(at(one, n)))}`).join(' ');
      picture += `<polyline points="${line}" fill="none" stroke="${colour(i)}" stroke-width="2" stroke-linejoin="round"/>`;
      if (points.length === 1) picture += `<circle cx="${x(0)}" cy="${y(at(one, 0))}" r="3" fill="${colour(i)}"/>`;
    }
  else
    points.forEach((_, n) => {
      let [above, below] = [0, 0];
      for (const [i, one] of drawn.entries()) {
        const value = at(one, n);
        const width = Math.min(40, room * 0.7) / (kind === 'bar' ? drawn.length : 1);
        const left = kind === 'bar' ? x(n) + width * (i - drawn.length / 2) : x(n) - width / 2;
        const from = kind === 'bar' ? 0 : value < 0 ? below : above;
        picture += box(left, y(Math.max(from, from + value)), width, Math.abs(y(from) - y(from + value)), colour(i));
        if (value < 0) below += value;
        else above += value;
      }
    });
  // As many days as there is room for, the last of them always.
  const each = Math.max(1, Math.ceil(64 / room));
  points.forEach((point, n) => {
    const isLast = n === points.length - 1;
    if (!isLast && (n % each !== 0 || points.length - 1 - n < each)) return;
    const anchor = isLast && room < 60 && points.length > 1 ? 'end' : 'middle';
    picture += words(dayWords(point.x, grain, true), anchor === 'end' ? WIDTH : x(n), y(low) + 20, { anchor, size: 11 });
  });
  return whole(names.height + 10 + PLOT.height + PLOT.bottom + 6, picture);
}

const BAR = { left: 170, right: 110, height: 28 };
/** A bar for each group, with what it comes to at its end. */
function bars(all: readonly Bar[], parts: readonly string[] = []): string {
  const shown = all.slice(0, MOST_BARS);
  const sizes = shown.map(bar => bar.parts.reduce((sum, part) => sum + Math.abs(part), 0));
  const most = Math.max(...sizes, 0) || 1;
  const names = legend(parts);
  const room = WIDTH - BAR.left - BAR.right;
  const rows = shown.map((bar, n) => {
    const y = names.height + n * BAR.height;
    let x = BAR.left;
    const drawn = bar.parts.map((part, i) => {
      const width = (Math.abs(part) / most) * room;
      x += width;
      return box(x - width, y + 7, width, 14, colour(i));
    });
    return (
      words(bar.label, BAR.left - 12, y + 18, { anchor: 'end', fill: INK, width: BAR.left - 16 }) +
      drawn.join('') +
      words(bar.words, x + 8, y + 18, { fill: INK, width: BAR.right })
    );
  });
  return whole(names.height + Math.max(1, rows.length) * BAR.height + 4, names.drawn + rows.join(''));
}

/** Figures beside each other, each with its change. */
function tiles(all: readonly Tile[], currency: string): string {
  const [width, height] = [WIDTH / 3, 84];
  const drawn = all.map(({ label, unit, value, changePercent }, i) => {
    const [x, y] = [(i % 3) * width, Math.floor(i / 3) * height];
    const change =
      changePercent === null
        ? ''
        : `${changePercent > 0 ? '+' : ''}${figureWords(changePercent, 'percent', currency)} ${t`on the days before`}`;
    return (
      words(label, x, y + 16, { width: width - 12 }) +
      words(figureWords(value, unit, currency), x, y + 44, { size: 22, fill: INK, width: width - 8 }) +
      words(change, x, y + 64, { size: 11, width: width - 12 })
    );
  });
  return whole(Math.ceil(all.length / 3) * height, drawn.join(''));
}

/** The picture of what the verb `chart` answers; undefined where there is nothing to draw. `currency`: the store's. */
export function chartPicture(data: JsonObject, currency: string): string | undefined {
  const grain = String(data.grain ?? 'day') as Grain;
  const say = (value: Value, unit: string): string => figureWords(value, unit, currency);
  if (Array.isArray(data.items)) return data.items.length ? tiles(data.items as unknown as Tile[], currency) : undefined;
  if (Array.isArray(data.rows)) {
    const [column] = (data.columns ?? []) as { label: string; unit: string }[];
    const rows = data.rows as { key: string; label: string; values: Value[] }[];
    if (!column || rows.length === 0) return undefined;
    // A table over time begins with its last days.
    if (data.grain !== undefined)
      return overTime([{ ...column, points: rows.toReversed().map(row => ({ x: row.key, y: row.values[0] ?? null })) }], 'bar', grain);
    return bars(rows.map(({ label, values: [value = null] }) => ({ label, parts: [number(value)], words: say(value, column.unit) })));
  }
  const series = (data.series ?? []) as unknown as Series[];
  const [first] = series;
  if (!first?.points.length) return undefined;
  if (data.xType === 'DATE') return overTime(series, data.type === 'line' ? 'line' : data.type === 'stacked' ? 'stacked' : 'bar', grain);
  if (data.type === 'stacked' && series.length > 1) {
    const drawn = series.filter(one => one.unit === first.unit);
    return bars(
      first.points.map((point, n) => {
        const parts = drawn.map(one => number(one.points[n]?.y));
        const sum = parts.reduce((all, part) => all + part, 0);
        return { label: point.label ?? point.x, parts, words: briefFigure(sum, first.unit) };
      }),
      drawn.map(one => one.label),
    );
  }
  const sum = first.points.reduce((all, { y }) => all + number(y), 0);
  return bars(
    first.points.map(({ x, label, y }) => ({
      label: label ?? x,
      parts: [number(y)],
      words: say(y, first.unit) + (data.type === 'pie' && sum > 0 ? ` · ${briefFigure((number(y) / sum) * 100, 'percent')}` : ''),
    })),
  );
}
