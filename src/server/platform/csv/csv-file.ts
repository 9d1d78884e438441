// The one writer of CSV files: every answer that is one comes from here, so that spreadsheets read its letters and run nothing in it.
import { csvLine } from '../../../domain/csv/write.ts';
import { Reply } from '../context.ts';

/** Spreadsheets take a file for UTF-8 by this mark alone. */
const MARK = '\uFEFF';

/**
 * A CSV file as the answer of a call: the header, then `lines`, either rows of cells or text that `csvLine` made, written while it is
 * downloaded. Commas separate; cells are guarded as `csvLine` does.
 */
export function csvFile(name: string, head: readonly string[], lines: readonly (readonly string[])[] | AsyncIterable<string>): Reply {
  const first = `${MARK}${csvLine(head)}`;
  /** What the file holds is settled before its first letter leaves: rows that change while the header is sent change nothing. */
  async function* streamed(rows: AsyncIterable<string>): AsyncGenerator<string> {
    const reading = rows[Symbol.asyncIterator]();
    try {
      let piece = await reading.next();
      yield first;
      for (; !piece.done; piece = await reading.next()) yield piece.value;
    } finally {
      await reading.return?.();
    }
  }
  const content = Symbol.asyncIterator in lines ? streamed(lines) : `${first}${lines.map(csvLine).join('')}`;
  return new Reply(null, { file: { name, contentType: 'text/csv; charset=utf-8', content } });
}
