// What has to be known of a CSV file before its cells are: what separates them. One way for the browser and the server.

/** So much (characters) of a header is looked at. */
export const HEADER = 65_536;
/** The line by which a file tells its separator to spreadsheets, which do not show it. */
const SEP_LINE = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i;

/**
 * The text of a file without byte order mark and without a first line such as `sep=;`, and the one separator of all its rows: what that
 * line says, or what stands most often in the header outside of quotes. Spreadsheets of some countries save with semicolons or tabs.
 */
export function separated(file: string): { text: string; separator: string } {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file;
  const stated = SEP_LINE.exec(text.slice(0, 20));
  if (stated) return { text: text.slice(stated[0].length), separator: stated[1] as string };
  const counts = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const character of text.slice(0, HEADER)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (character in counts) counts[character as keyof typeof counts]++;
  }
  const separator = (Object.keys(counts) as (keyof typeof counts)[]).reduce((best, next) => (counts[next] > counts[best] ? next : best));
  return { text, separator };
}

/** Cells such as ="02134", which many programs write without the quotes that CSV asks for. No quoted cell can hold what this finds. */
const RAW_FORMULA = /([\t,;|\r\n])="([^"\r\n\t,;|]+)"(?=[\t,;|\r\n]|$)/g;

/**
 * A piece of a file with its raw text formulas quoted as CSV asks for.
 * @param isLineStart whether the piece begins a line
 */
export function withQuotedFormulas(piece: string, isLineStart: boolean): string {
  if (!piece.includes('="')) return piece;
  const whole = isLineStart ? `\n${piece}` : piece;
  const quoted = whole.replace(RAW_FORMULA, '$1"=""$2"""');
  return isLineStart ? quoted.slice(1) : quoted;
}
