// Numbers as people type and paste them, read by their language, and written as it writes them.
import { intlLocale, t } from './t.ts';

/** A digit of any script: "１", "١", "१" as "1". Blocks of digits stand next to each other in tens. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
/** Signs of other keyboards, as ours has them. */
const SIGNS: Record<string, string> = {
  '，': ',',
  '．': '.',
  '٬': ',',
  '٫': '.',
  '−': '-',
  '–': '-',
  '－': '-',
  '＋': '+',
  '٪': '%',
  '％': '%',
};
const isArabic = (text: string): boolean => /[٬٫]/.test(text);

const separators = new Map<string, { group: string; decimal: string }>();
/** What separates thousands and decimals in the current language: "," and "." or the reverse. */
function separatorsOf(locale: string): { group: string; decimal: string } {
  let found = separators.get(locale);
  if (!found) {
    const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(part => part.type === 'decimal')?.value === ',' ? ',' : '.';
    separators.set(locale, (found = { decimal, group: decimal === ',' ? '.' : ',' }));
  }
  return found;
}

/** The text without units at its ends, in whatever case: "12 €", "USD 5", "3 days". */
function withoutUnits(text: string, units: readonly string[]): string {
  let bare = text.trim();
  for (const unit of units) {
    const small = unit.toLowerCase();
    if (small === '') continue;
    if (bare.toLowerCase().endsWith(small)) bare = bare.slice(0, -unit.length).trimEnd();
    else if (bare.toLowerCase().startsWith(small)) bare = bare.slice(unit.length).trimStart();
  }
  return bare;
}

/** Whether these are whole thousands: "1.250", "1.500.000", but not "0.500" or "1250.500". */
const isGrouped = (whole: string, group: string): boolean => {
  const [first = '', ...rest] = whole.replace(/^[+-]/, '').split(group);
  return rest.length > 0 && /^[1-9]\d{0,2}$/.test(first) && rest.every(part => /^\d{3}$/.test(part));
};

/**
 * Reads a typed number as a decimal string with a point, so that no digit is lost; undefined when it is none. The current language says
 * what separates: "1.250" is 1250 in German and 1.25 in English. What can mean one thing only is understood in any language: "1,250.5",
 * "1.250,5", "12,5", "0,500", "1 250". Digits may be of any script. `units` may stand beside it (a currency's sign, "%").
 */
export function readDecimal(typed: string, units: readonly string[] = []): string | undefined {
  const { group, decimal } = isArabic(typed) ? { group: ',', decimal: '.' } : separatorsOf(intlLocale());
  const ascii = typed.replace(/\p{Nd}/gu, asciiDigit).replace(/[，．٬٫−–－＋٪％]/g, sign => SIGNS[sign] ?? sign);
  let plain = withoutUnits(ascii, units).replace(/[\s'’_]/g, '');
  const [last, count] = [Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.')), plain.replace(/[^.,]/g, '').length];
  if (plain.includes(',') && plain.includes('.')) {
    // The last of both is where decimals begin; thousands stand before it alone.
    const [whole, other] = [plain.slice(0, last), plain[last] === ',' ? '.' : ','];
    if (!isGrouped(whole, other)) return undefined;
    plain = `${whole.replaceAll(other, '')}.${plain.slice(last + 1)}`;
  } else if (count > 1)
    plain = isGrouped(plain, group) ? plain.replaceAll(group, '') : isGrouped(plain, decimal) ? plain.replaceAll(decimal, '') : '';
  else if (plain[last] === group && isGrouped(plain, group)) plain = plain.replace(group, '');
  else plain = plain.replace(',', '.');
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(plain)
    ? plain
        .replace(/^\+/, '')
        .replace(/\.$/, '')
        .replace(/^(-?)\./, '$10.')
    : undefined;
}

/** A decimal string as an input holds it, in the current language: "1250.50", in German "1250,50". `readDecimal` takes it back. */
export const writeDecimal = (plain: string): string =>
  /^-?\d+\.\d+$/.test(plain) ? plain.replace('.', separatorsOf(intlLocale()).decimal) : plain;

/** Why a typed text is not taken: what was typed, and what would be right in the current language. */
export function noNumber(typed: string): string {
  const text = typed.trim().slice(0, 40);
  const example = (1250.5).toLocaleString(intlLocale(), { minimumFractionDigits: 2 });
  return t`“${text}” can't be read as a number. Write it with digits only, such as ${example}.`;
}

/** That a typed amount lost its minus, where nothing below 0 is possible: what was typed, and what was taken. */
export function noMinus(typed: string, taken: string): string {
  const text = typed.trim().slice(0, 40);
  const number = writeDecimal(taken);
  return t`“${text}” can't be taken: nothing below 0 is possible here. Leave the field with ${number}, or enter another number.`;
}
/** That a typed amount is below 0, where nothing below 0 is possible and nothing else was taken in its place. */
export function belowZero(typed: string): string {
  const text = typed.trim().slice(0, 40);
  return t`“${text}” is below 0, and nothing below 0 is possible here. Enter another number.`;
}
/** Whether a typed number has a sign below 0, of whatever keyboard. */
export const hasMinus = (typed: string): boolean => /[-−–－]/.test(typed);
