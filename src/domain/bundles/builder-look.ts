/** How the page looks on which customers fill a box, by the branding that a store saved or types. */
export interface BuilderLook {
  page: { background: string; color: string; borderRadius: number; maxWidth: number; fontFamily?: string };
  heading: string;
  /** Undefined: there is no wide picture. */
  hero?: { height: number; isCentered: boolean };
  hasSizes: boolean;
  hasFrequencies: boolean;
  isTabs: boolean;
  columns: { wide: number; narrow: number };
  ratio: string;
  hasPrice: boolean;
  hasPriceBefore: boolean;
  button: { background: string; color: string };
  /** Undefined: how full the box is stays unsaid. */
  progress?: { bar: string; track: string };
  summary: { isBeside: boolean; background: string };
  cart: { background: string; color: string };
  css: string;
}

const FONTS: Record<string, string> = { SANS: 'Helvetica, Arial, sans-serif', SERIF: 'Georgia, serif' };
const RATIOS: Record<string, string> = { SQUARE: '1', PORTRAIT: '3 / 4', LANDSCAPE: '4 / 3' };

const color = (value: unknown): string => (/^#[0-9A-Fa-f]{6}$/.test(String(value)) ? String(value) : 'transparent');
/** A number within bounds; what is not typed yet is the least. */
const within = (value: unknown, least: number, most: number): number => Math.min(most, Math.max(least, Number(value) || least));

/** The look of a page of branding, finished or not. */
export function builderLook(branding: Readonly<Record<string, unknown>>): BuilderLook {
  const { pageBackground, textColor, headingColor, fontFamily, borderRadius, pageWidth } = branding;
  const { showHero, heroHeight, heroAlignment, displayFrequencySelector, displaySizeSelector, selectorStyle } = branding;
  const { columnsDesktop, columnsMobile, imageRatio, buttonColor, buttonTextColor, showPrice, showCompareAtPrice } = branding;
  const { showProgressBar, barColor, trackColor, position, summaryBackground, ctaColor, ctaTextColor, customCss } = branding;
  const font = FONTS[String(fontFamily)];
  return {
    page: {
      background: color(pageBackground),
      color: color(textColor),
      borderRadius: within(borderRadius, 0, 32),
      maxWidth: within(pageWidth, 600, 1600),
      ...(font ? { fontFamily: font } : {}),
    },
    heading: color(headingColor),
    ...(showHero === true ? { hero: { height: within(heroHeight, 120, 720), isCentered: heroAlignment === 'CENTER' } } : {}),
    hasSizes: displaySizeSelector === true,
    hasFrequencies: displayFrequencySelector === true,
    isTabs: selectorStyle === 'TABS',
    columns: { wide: within(columnsDesktop, 2, 5), narrow: within(columnsMobile, 1, 2) },
    ratio: RATIOS[String(imageRatio)] ?? '1',
    hasPrice: showPrice === true,
    hasPriceBefore: showCompareAtPrice === true,
    button: { background: color(buttonColor), color: color(buttonTextColor) },
    ...(showProgressBar === true ? { progress: { bar: color(barColor), track: color(trackColor) } } : {}),
    summary: { isBeside: position === 'SIDE', background: color(summaryBackground) },
    cart: { background: color(ctaColor), color: color(ctaTextColor) },
    css: String(customCss ?? ''),
  };
}
