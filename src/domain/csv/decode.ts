// Bytes of a text file as text. Spreadsheets save in several encodings; what can't be read is refused, never replaced by question marks.

export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** 0x80 to 0x9F of Windows-1252; a blank: no character. The rest is as in Latin-1. (Node 20 decodes these wrongly.) */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const decoded = (bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

function windows1252(bytes: Uint8Array): string | undefined {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    const codes: number[] = [];
    for (const byte of bytes.subarray(at, at + 8192)) {
      const code = byte < 0x80 || byte > 0x9f ? byte : UPPER.charCodeAt(byte - 0x80);
      if (code === 0x20 && byte !== 0x20) return undefined;
      if (code < 0x20 && code !== 9 && code !== 10 && code !== 12 && code !== 13) return undefined;
      codes.push(code);
    }
    text += String.fromCharCode(...codes);
  }
  return text;
}

/** UTF-16 without a byte order mark: every other byte of what is written in Latin letters is zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const some = bytes.subarray(0, 1000);
  const zeros = [0, 0];
  for (const [at, byte] of some.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
  const [even, odd] = zeros as [number, number];
  return odd > some.length / 4 && even === 0 ? 'utf-16le' : even > some.length / 4 && odd === 0 ? 'utf-16be' : undefined;
}

/**
 * The text in a file, without byte order mark: UTF-8, UTF-16 by its mark or its zeros, else Windows-1252 as spreadsheets in western
 * languages save. Undefined for what is none of them, such as a picture or a workbook.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : utf16Of(bytes);
  const text = decoded(bytes, utf16 ?? 'utf-8');
  if (text !== undefined) return text.includes('\0') ? undefined : { text, encoding: utf16 ? 'UTF-16' : 'UTF-8' };
  const western = utf16 ? undefined : windows1252(bytes);
  return western === undefined ? undefined : { text: western, encoding: 'Windows-1252' };
}
