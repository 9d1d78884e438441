// Subscriptions named by their numbers: pasted, or in the first column of a CSV file. Pure; errors name the line where they stand.
import { unguarded } from '../../../../domain/csv/guard.ts';
import { separated, withQuotedFormulas } from '../../../../domain/csv/read.ts';
import { csvLine } from '../../../../domain/csv/write.ts';
import { subscriptionNumber } from '../../../../domain/text/subscription-number.ts';
import { t } from '../../../../domain/text/t.ts';

/** What was found: ids in their order without repetitions, and what is no number, with its line (1 is the first). */
export interface FoundIds {
  ids: number[];
  wrong: { line: number; text: string }[];
  repeated: number;
}

function gather(words: Iterable<{ line: number; text: string }>): FoundIds {
  const seen = new Set<number>();
  const found: FoundIds = { ids: [], wrong: [], repeated: 0 };
  for (const { line, text } of words) {
    const id = subscriptionNumber(text);
    if (id === undefined) found.wrong.push({ line, text });
    else if (seen.has(id)) found.repeated++;
    else {
      seen.add(id);
      found.ids.push(id);
    }
  }
  return found;
}

/** Ids typed or pasted: one per line, or with commas, semicolons or spaces between them. */
export const idsOfText = (text: string): FoundIds =>
  gather(
    text.split(/\r?\n/).flatMap((line, i) =>
      line
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(word => ({ line: i + 1, text: word.slice(0, 60) })),
    ),
  );

/**
 * The cells of a CSV text (RFC 4180: quotes, doubled quotes, line ends within quotes), each row with its line in the file, as
 * the server reads them.
 */
export function rowsOfCsv(text: string): { line: number; cells: string[] }[] {
  const { text: raw, separator } = separated(text);
  const content = withQuotedFormulas(raw, true);
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let from = 1;
  const endRow = (): void => {
    cells.push(unguarded(cell.trim()));
    if (cells.some(one => one !== '')) rows.push({ line: from, cells });
    cells = [];
    cell = '';
  };
  for (let i = 0; i < content.length; i++) {
    const letter = content[i] as string;
    if (quoted) {
      if (letter === '"' && content[i + 1] === '"') {
        cell += '"';
        i++;
      } else if (letter === '"') quoted = false;
      else {
        cell += letter;
        if (letter === '\n') line++;
      }
    } else if (letter === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (letter === separator) {
      cells.push(unguarded(cell.trim()));
      cell = '';
    } else if (letter === '\n') {
      endRow();
      from = ++line;
    } else if (letter !== '\r') cell += letter;
  }
  endRow();
  return rows;
}

export const ID_COLUMN = 'subscription_id';

/** Ids of a CSV file whose first column is headed `subscription_id`. @returns a sentence instead where the file can't be read at all */
export function idsOfCsv(text: string): FoundIds | string {
  const [head, ...rows] = rowsOfCsv(text);
  if (!head) return t`This file is empty.`;
  if ((head.cells[0] ?? '').toLowerCase() !== ID_COLUMN)
    return t`The first column must be headed ${ID_COLUMN}. This file begins with “${(head.cells[0] ?? '').slice(0, 40)}”.`;
  if (rows.length === 0) return t`This file has no rows below its head.`;
  return gather(rows.map(({ line, cells }) => ({ line, text: (cells[0] ?? '').slice(0, 60) })));
}

/**
 * The file again, written in one way: all rows and columns as they were read here, so that the server finds the
 * same, and its result has a line for each.
 */
export function csvOf(text: string): string {
  return rowsOfCsv(text)
    .map(({ cells }) => csvLine(cells))
    .join('');
}
