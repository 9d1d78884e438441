// Stands in for the URI library by which rjsf and ajv look up `$ref`s. Ours are followed when the definitions are loaded, so there are none
// to look up; what is left is what the platform itself can do. An address is kept as its text. (Both kinds of export: the development
// server's bundle asks by name.)

interface Parsed {
  text: string;
}
export const parse = (text: string): Parsed => ({ text });
export const serialize = ({ text }: Parsed): string => text;
export const resolve = (base: string, reference: string): string =>
  URL.canParse(reference, base) ? new URL(reference, base).href : reference;
export const equal = (a: string, b: string): boolean => a === b;
export default { parse, serialize, resolve, equal };
