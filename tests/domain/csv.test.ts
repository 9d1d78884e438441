// CSV as we write and read it: what goes out comes back unchanged, in whatever way a spreadsheet saves it.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOfCsv } from '../../src/admin/features/bulk-actions/selection/ids.ts';
import { decodeText } from '../../src/domain/csv/decode.ts';
import { isFormula, unguarded } from '../../src/domain/csv/guard.ts';
import { csvLine } from '../../src/domain/csv/write.ts';
import { CsvDamaged, readCsv } from '../../src/server/platform/csv/read-csv.ts';

const LIMITS = { rows: 1000, columns: 100, cells: 10_000 };
const read = (text: string): Promise<string[][]> => readCsv(text, {}, LIMITS);

describe('a line of CSV', () => {
  it('is read as the cells that it was written from, and quotes only where it must', () => {
    const rows = [
      ['plain', '12.50', ''],
      ['a, b', 'say "hi"', '"'],
      ['two\nlines', 'and\r\nthree', 'x\r'],
      ['semi;colon', 'tab\there', ' blank '],
      ['', '', ''],
      ['ünï', '😀', '""'],
    ];
    expect(parse(rows.map(csvLine).join(''), { relax_column_count: false })).toEqual(rows);
    expect(csvLine(['plain', 'a b', '1.5', ''])).toBe('plain,a b,1.5,\n');
    expect(csvLine(['a;b', 'c,d', 'e"f'])).toBe('"a;b","c,d","e""f"\n');
  });

  it('holds no formula, whatever a cell begins with, while figures stay figures', () => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠', ' =', '\u00A0＝', '\uFEFF=', '\u200B+', '\t', '\r', '\n'])
      expect(unguarded(parse(csvLine([`${sign}1+cmd|x`]))[0]?.[0] ?? '')).toBe(`${sign}1+cmd|x`);
    const written = (cell: string): string => parse(csvLine([cell]))[0]?.[0] ?? '';
    expect(['=1', '＝1', '\t=1', '\rx', '+49', '-a'].map(written).filter(isFormula)).toEqual([]);
    expect(csvLine(['-12.50', '-3', '02134', '’t', "'s"])).toBe("-12.50,-3,02134,’t,'s\n");
  });

  const piece = fc.constantFrom("'", '"', '=', '+', '-', '@', '＝', ',', ';', '\t', '\n', ' ', '0', '2134', 'a', 'é', '="', '".', 'sep=;');
  const cell = fc.array(piece, { maxLength: 6 }).map(parts => parts.join(''));
  const table = fc
    .tuple(fc.array(cell, { minLength: 2, maxLength: 4 }), fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 }))
    .map(([head, rows]) => [['Key', ...head], ...rows]);

  it('is read back unchanged by the server, with and without its byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(table, async rows => {
        const text = rows.map(csvLine).join('');
        expect(await read(text)).toEqual(rows);
        expect(await read(`\uFEFF${text}`)).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  const trimmed = table.map(rows => rows.map(row => row.map(one => one.trim())));
  it('is read by the browser as by the server', async () => {
    await fc.assert(
      fc.asyncProperty(trimmed, fc.constantFrom(',', ';', '\t'), async (rows, separator) => {
        const text = `sep=${separator}\r\n${rows.map(row => row.map(one => `"${one.replaceAll('"', '""')}"`).join(separator)).join('\r\n')}\r\n`;
        const filled = (all: string[][]): string[][] => all.filter(cells => cells.some(one => one !== ''));
        const seen = await readCsv(text, { trim: true }, LIMITS);
        expect(rowsOfCsv(text).map(({ cells }) => cells)).toEqual(filled(seen));
      }),
      { numRuns: 300 },
    );
  });
});

it('no other place writes a CSV file or decodes one', () => {
  const other = /['"`]text\/csv; charset|\.text\(\)[^;]*content|content: await \w+\.text\(\)|readAsText|\\uFEFF\$\{/;
  const files = ['src', 'renderers'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => (/\.tsx?$/.test(name) ? [`${folder}/${name}`] : [])),
  );
  expect(files.filter(file => other.test(readFileSync(file, 'utf8')))).toEqual(['src/server/platform/csv/csv-file.ts']);
});

describe('a file of a spreadsheet', () => {
  it('has one separator: of its first line, or of its header outside of quotes', async () => {
    expect(await read('sep=;\r\nid;name\r\n1;Lee, Mary\r\n')).toEqual([
      ['id', 'name'],
      ['1', 'Lee, Mary'],
    ]);
    expect(await read('id,name,date\n1,Lee; Mary,2027-03-05\n')).toEqual([
      ['id', 'name', 'date'],
      ['1', 'Lee; Mary', '2027-03-05'],
    ]);
    expect(await read('"a,b,c";d\n"1,2,3";4\n')).toEqual([
      ['a,b,c', 'd'],
      ['1,2,3', '4'],
    ]);
  });

  it('loses its guards of zeros, phone numbers and formulas, but no letter of a text', async () => {
    const cells = ["'02134", "'+16175550100", '"=""02134"""', "'s-Hertogenbosch", "'90s tee", "'=1+2", "''02134", "'2027-03-05"];
    const plain = ['02134', '+16175550100', '02134', "'s-Hertogenbosch", "'90s tee", '=1+2', "'02134", '2027-03-05'];
    expect((await read(`a,b,c,d,e,f,g,h\n${cells.join(',')}\n`))[1]).toEqual(plain);
    expect((await read('zip,x\n="02134",="007"\n'))[1]).toEqual(['02134', '007']);
    expect(rowsOfCsv('zip,x\n="02134",\'02134').at(1)?.cells).toEqual(['02134', '02134']);
  });

  it('is refused with row and column where letters were lost before it came', async () => {
    const refused = await read('a,Last name\nx,y\nx,Caf\uFFFD\n').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CsvDamaged);
    expect(refused).toMatchObject({ row: 3, column: 'Last name', message: expect.stringContaining('Row 3, column “Last name”') });
  });
});

describe('the bytes of a file', () => {
  const text = 'name;note\nCafé “Ärger” – 5 €;größer\n';
  const BYTES = { '€': 0x80, '“': 0x93, '”': 0x94, '–': 0x96 } as Record<string, number>;
  const western = Uint8Array.from([...text].map(letter => BYTES[letter] ?? letter.charCodeAt(0)));
  it('are read as UTF-8, UTF-16 or Windows-1252', () => {
    const utf16 = Buffer.from(text, 'utf16le');
    for (const [bytes, encoding] of [
      [Buffer.from(text), 'UTF-8'],
      [Buffer.from(`\uFEFF${text}`), 'UTF-8'],
      [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'UTF-16'],
      [utf16, 'UTF-16'],
      [Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'UTF-16'],
      [western, 'Windows-1252'],
    ] as const)
      expect(decodeText(bytes)).toEqual({ text, encoding });
    expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'UTF-8' });
  });
  it('are refused where they are no text, rather than read with question marks', () => {
    expect(decodeText(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0xff]))).toBeUndefined();
    expect(decodeText(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toBeUndefined();
    expect(decodeText(new Uint8Array([0x43, 0x61, 0x66, 0x81]))).toBeUndefined();
  });
});
