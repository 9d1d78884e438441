// A file that a person chose, as text: read by its bytes, because the browser's own way replaces what it can't decode without a word.
import { decodeText } from '../../domain/csv/decode.ts';
import { t } from '../../domain/text/t.ts';
import { notify } from './notices/notices.tsx';

/** The text in a file; a notice says when it was not saved as UTF-8. @throws Error with a sentence for a file that holds no text */
export async function readTextFile(file: File): Promise<string> {
  const read = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (!read) throw new Error(t`“${file.name}” isn't text that can be read. Save it again as UTF-8 and choose it once more.`);
  if (read.encoding === 'Windows-1252')
    notify(t`“${file.name}” isn't saved as UTF-8 and was read as Windows-1252. Check that letters with accents are right.`);
  return read.text;
}
