// The file of <perennial-gift>.
export { PerennialGift as element } from './gift.ts';
