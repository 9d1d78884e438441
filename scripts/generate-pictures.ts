// Draws the demo store's product pictures into public/demo: one calm still life for each product, from simple shapes and its own colours.
import { mkdirSync, writeFileSync } from 'node:fs';
import { PRODUCTS } from '../src/server/features/demo/catalogue.ts';

const PALETTES = [
  ['#e9efe6', '#2f5d50', '#c8a45c'],
  ['#f4e9df', '#7a3e22', '#e2b07a'],
  ['#e6eef2', '#2c4a5c', '#9fc2c9'],
  ['#f3ecf4', '#5c3b66', '#d3a8c4'],
  ['#f5f0dd', '#5e5a1f', '#d7c45a'],
  ['#ece7e1', '#33302c', '#b98b6a'],
];

const shapes: Record<string, (dark: string, light: string) => string> = {
  Coffee: (dark, light) =>
    `<path d="M64 46h72l8 22v86a8 8 0 0 1-8 8H64a8 8 0 0 1-8-8V68z" fill="${dark}"/><path d="M64 46h72l4 11H60z" fill="${light}"/><rect x="74" y="88" width="52" height="44" rx="6" fill="${light}"/><path d="M92 110c0-9 16-9 16 0s-16 9-16 0zm8-7c-4 5 4 9 0 14" fill="none" stroke="${dark}" stroke-width="3" stroke-linecap="round"/>`,
  Tea: (dark, light) =>
    `<rect x="60" y="62" width="80" height="100" rx="10" fill="${dark}"/><rect x="56" y="50" width="88" height="20" rx="6" fill="${light}"/><path d="M100 132c-18-10-16-34 0-44 16 10 18 34 0 44zm0-44v52" fill="none" stroke="${light}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`,
  Wellness: (dark, light) =>
    `<rect x="66" y="70" width="68" height="92" rx="14" fill="${dark}"/><rect x="74" y="44" width="52" height="22" rx="5" fill="${light}"/><rect x="66" y="92" width="68" height="44" fill="${light}"/><path d="M100 102v24m-12-12h24" stroke="${dark}" stroke-width="5" stroke-linecap="round"/>`,
  Pantry: (dark, light) =>
    `<path d="M62 78c0-8 6-14 14-14h48c8 0 14 6 14 14v70a14 14 0 0 1-14 14H76a14 14 0 0 1-14-14z" fill="${dark}"/><rect x="68" y="44" width="64" height="18" rx="4" fill="${light}"/><circle cx="100" cy="114" r="24" fill="${light}"/><path d="M90 114l8 8 14-16" fill="none" stroke="${dark}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>`,
  Gear: (dark, light) =>
    `<path d="M58 72h68v64a22 22 0 0 1-22 22H80a22 22 0 0 1-22-22z" fill="${dark}"/><path d="M126 86h10a16 16 0 0 1 0 32h-10" fill="none" stroke="${dark}" stroke-width="9"/><path d="M78 58c-6-8 6-12 0-20m16 20c-6-8 6-12 0-20m16 20c-6-8 6-12 0-20" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round"/>`,
  'Gift card': (dark, light) =>
    `<rect x="38" y="62" width="124" height="80" rx="12" fill="${dark}"/><path d="M38 92h124M100 62v80" stroke="${light}" stroke-width="7"/><path d="M100 92c-22-4-30-28-14-28 8 0 14 14 14 28 0-14 6-28 14-28 16 0 8 24-14 28z" fill="none" stroke="${light}" stroke-width="6" stroke-linejoin="round"/>`,
};

const folder = new URL('../public/demo/', import.meta.url);
mkdirSync(folder, { recursive: true });
PRODUCTS.forEach((product, i) => {
  const [ground, dark, light] = PALETTES[(i * 5 + product.title.length) % PALETTES.length]!;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" role="img"><rect width="200" height="200" fill="${ground}"/><ellipse cx="100" cy="166" rx="58" ry="7" fill="${dark}" opacity=".18"/>${shapes[product.type]!(dark!, light!)}</svg>\n`;
  writeFileSync(new URL(`${product.handle}.svg`, folder), svg);
});
