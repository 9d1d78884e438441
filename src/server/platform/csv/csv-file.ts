// The one writer of CSV files: every answer that is one comes from here, so that spreadsheets read its letters and run nothing in it.
import { csvLine } from '../../../domain/csv/write.ts';
import { Reply, type ReplyFile } from '../context.ts';

/** Spreadsheets take a file for UTF-8 by this mark alone. */
const MARK = '\uFEFF';

/**
 * A CSV file as the answer of a call: the header, then `lines`, either rows of cells or text that `csvLine` made, written while it is
 * downloaded. Commas separate; cells are guarded as `csvLine` does. `settle` is done before the header leaves: what it settles does not
 * change while the file is read.
 */
export function csvFile(
  name: string,
  head: readonly string[],
  lines: readonly (readonly string[])[] | AsyncIterable<string>,
  settle?: () => Promise<void>,
): Reply {
  const first = `${MARK}${csvLine(head)}`;
  async function* streamed(rows: AsyncIterable<string>): AsyncGenerator<string> {
    await settle?.();
    yield first;
    yield* rows;
  }
  const content = Symbol.asyncIterator in lines ? streamed(lines) : `${first}${lines.map(csvLine).join('')}`;
  return csvAsWritten(name, content);
}

/** A CSV file that `csvFile` has written before, as the answer of a call. */
export const csvAsWritten = (name: string, content: ReplyFile['content']): Reply =>
  new Reply(null, { file: { name, contentType: 'text/csv; charset=utf-8', content } });
