// How well a colour can be read on another: the ratio of WCAG 2.

/** "#1F6FEB" and "#fff" -> red, green and blue from 0 to 1; undefined for what is no such colour. */
function channels(color: string): [number, number, number] | undefined {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6})(?:[\da-f]{2})?)$/i.exec(color) ?? [];
  const hex = short ? [...short].map(one => one + one).join('') : long;
  if (hex === undefined) return undefined;
  return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number];
}

function luminance(color: string): number | undefined {
  const [red, green, blue] = channels(color)?.map(one => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)) ?? [];
  return red === undefined || green === undefined || blue === undefined ? undefined : 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Small text is read well from here on. */
export const READABLE = 4.5;

/** From 1 (the same colour) to 21 (black on white), cut to one digit; undefined where one of them is no colour. */
export function contrast(color: string, on: string): number | undefined {
  const [a, b] = [luminance(color), luminance(on)];
  if (a === undefined || b === undefined) return undefined;
  return Math.floor(((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)) * 10) / 10;
}
