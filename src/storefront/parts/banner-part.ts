// The file of <perennial-banner>.
export { PerennialBanner as element } from './banner.ts';
