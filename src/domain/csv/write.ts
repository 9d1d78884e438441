// Writing CSV: one way for the browser and the server, which `read.ts` takes back unchanged.
import { isFormula, isGuarded } from './guard.ts';

const quoted = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
/** What most cells begin with: nothing that has to be looked at further. */
const PLAIN = /^[\p{L}\d]/u;

/**
 * One line of a CSV file with its end. Cells that hold a comma, a quote, an end of line, or what others take for a comma, stand in quotes;
 * a cell that a spreadsheet would run as a formula, or that looks as if it had been guarded already, begins with an apostrophe.
 */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(cell => quoted(!PLAIN.test(cell) && (isFormula(cell) || isGuarded(cell)) ? `'${cell}` : cell)).join(',')}\n`;
