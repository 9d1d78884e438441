// Stands in for the URI library by which rjsf looks up `$ref`s. Ours are followed when the definitions are loaded, so there are none to look up;
// what is left is what the platform itself can do.

const resolve = (base: string, reference: string): string => (URL.canParse(reference, base) ? new URL(reference, base).href : reference);
const equal = (a: string, b: string): boolean => a === b;
export default { resolve, equal };
