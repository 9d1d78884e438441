/**
 * Decimals of the currencies that have not two, after ISO 4217. The browser's own tables round some of them for display (forints,
 * rupiah), which would show another amount than the one that is charged. Small, because the first
 * list needs it; money.ts has the full data.
 */
const NOT_TWO: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(NOT_TWO).flatMap(([digits, codes]) => codes.split(' ').map((code): [string, number] => [code, Number(digits)])),
);

/** Decimals to show an amount with: 0 for JPY, 3 for KWD, 2 for most. */
export const digitsOf = (currency: string): number => DIGITS.get(currency) ?? 2;
