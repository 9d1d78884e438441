// The file of <perennial-box>.
export { PerennialBox as element } from './box.ts';
