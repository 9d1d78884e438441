// Writing CSV: one way for the browser and the server.

const cellOf = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * One line of a CSV file with its end. Cells that hold a comma, a quote, an end of line, or what others take for a comma, stand in quotes.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\n`;
