// The apostrophe before a cell that a spreadsheet would calculate or shorten: what needs one, and what it is taken off from.

/** Some spreadsheets read the wide forms of the signs too, and look past what is blank before them. */
const FORMULA = /^[\s\uFEFF\u200B]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** A number below zero is a value, not a formula: figures are to stay figures. */
const NEGATIVE = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** What spreadsheets shorten or turn into a date unless an apostrophe stands before it: a postal code, a phone number, a long id. */
const FIGURES = /^\d[\d\s().\-/]*(?:E\d+)?$/i;
/** Text as the result of a formula, another way to keep zeros: ="02134". */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Whether a spreadsheet would run this cell as a formula. */
export const isFormula = (cell: string): boolean => FORMULA.test(cell) && !NEGATIVE.test(cell);

/** Whether the apostrophe that a cell begins with is a guard, and no letter of its text as in “’s-Hertogenbosch” typed with '. */
export function isGuarded(cell: string): boolean {
  const rest = /^'+/.exec(cell);
  return rest !== null && (FORMULA.test(cell.slice(rest[0].length)) || FIGURES.test(cell.slice(rest[0].length)));
}

/** A cell without what guards it: `'02134`, `'+1617…` and `="02134"` as text. What `csvLine` wrote comes back as it was. */
export function unguarded(cell: string): string {
  if (cell.startsWith("'")) return isGuarded(cell) ? cell.slice(1) : cell;
  return cell.startsWith('="') ? (TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell) : cell;
}
