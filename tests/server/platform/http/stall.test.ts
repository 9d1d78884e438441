// One request that was made to be expensive holds no other up: measured is the longest gap between two turns of the event loop while it is
// answered.
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputSchema } from '../../../../src/contract/request.ts';
import type { JsonObject, JsonValue, Schema } from '../../../../src/contract/types.ts';
import { compileValidator } from '../../../../src/contract/validation/compile.ts';
import { validate } from '../../../../src/contract/validation/validate.ts';
import { readCsv } from '../../../../src/server/platform/csv/read-csv.ts';
import { MEGABYTE } from '../../../../src/server/platform/http/body-limits.ts';
import { parseBody } from '../../../../src/server/platform/http/body.ts';
import { hashRequest } from '../../../../src/server/platform/http/idempotency.ts';
import { withStandIns } from '../../../../src/server/platform/http/long-texts.ts';
import { productDefinitions } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const COMMAS = 5_200_000;
/** A header, and commas as far as a file may go. */
const commas = (header: string, line: number): string => `${header}\n${`${','.repeat(line)}\n`.repeat(Math.floor(COMMAS / (line + 1)))}`;

describe('a request that was made to be expensive', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 4, stores: 1 }, tables: ['sign-in', 'bulk-actions', 'product-import'] });
  });
  afterAll(() => server?.close());
  /** The longest gap (ms) while `work` goes on. */
  const longestGap = async (work: () => Promise<unknown>): Promise<number> => {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await work();
    delays.disable();
    return delays.max / 1e6;
  };
  const atOnce = (text: string): number => {
    const begun = performance.now();
    parse(text, { relax_column_count: true, skip_records_with_empty_values: true });
    return performance.now() - begun;
  };

  it.each<[string, string, (content: string) => JsonObject, string]>([
    [
      'bulk-actions.entityCount',
      'subscription_id',
      content => ({ selection: { mode: 'CSV', fileName: 'a.csv', content } }),
      'more than 1,000,000 cells',
    ],
    ['product-import.preview', `handle,title${','.repeat(98)}`, content => ({ fileName: 'a.csv', content }), 'more than'],
  ])('%s reads a file of commas in steps, and no further than it may go', async (call, header, input, sentence) => {
    const content = commas(header, 99);
    const whole = atOnce(content);
    const given = input(content);
    let told = '';
    const gap = await longestGap(async () => {
      told = JSON.stringify((await server.call(call, given)).body);
    });
    expect({ gap, whole, isShort: gap < whole / 3 }).toMatchObject({ isShort: true });
    expect(told).toContain(sentence);
  });

  it('refuses more names than anything has, from strangers too, and answers with no more than fifty fields', async () => {
    const names = (n: number): JsonObject => ({
      email: 'unknown@nowhere.example',
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`unknown${i}`, 1])),
    });
    const many = await server.call('sign-in.requestLink', names(19_000), { as: null });
    expect([many.status, many.body.message]).toEqual([400, 'An object of the body has more than 1,000 members.']);
    const some = await server.call('sign-in.requestLink', names(950), { as: null });
    expect([some.status, some.body.errors?.length]).toEqual([422, 50]);
    expect(some.body.message).toBe('"unknown0" is not a field of “Send a sign-in link”. And 949 more fields are not valid.');
    expect(JSON.stringify(some.body).length).toBeLessThan(JSON.stringify(names(950)).length);
    const ids = await server.call('bulk-actions.entityCount', {
      selection: { mode: 'IDS', ids: Array.from({ length: 90_000 }, () => true) },
    });
    expect([ids.status, ids.body.errors?.length]).toEqual([422, 50]);
    expect(ids.body.message).toBe(
      'Enter at most 10,000 ids. Start one bulk action for each part. And at least 999 more fields are not valid.',
    );
  });
});

/** How often others get their turn while `work` goes on. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let goesOn = true;
  const turn = (): void => {
    turns++;
    if (goesOn) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  goesOn = false;
  return turns;
}

describe('a file of many columns', () => {
  it('is refused by its header, before it is parsed', async () => {
    const limits = { rows: 1000, columns: 500, cells: 1_000_000 };
    const heads = (n: number) => Array.from({ length: n }, (_, i) => `"head ${i}"`);
    for (const delimiter of [',', ';', '\t']) {
      const file = heads(300_000).join(delimiter);
      expect(await turnsOf(() => expect(readCsv(file, {}, limits)).rejects.toMatchObject({ what: 'columns' }))).toBeLessThan(3);
      expect((await readCsv(`${heads(500).join(delimiter)}\n1`, {}, limits))[0]).toHaveLength(500);
    }
  });
});

describe('a body with a long text', () => {
  const long = (text: string, n: number): string => text.repeat(Math.ceil(n / text.length));
  /** As it comes over the network: in pieces, wherever they are cut. */
  const read = (value: unknown, piece = 65_521) => {
    const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    return parseBody(Array.from({ length: Math.ceil(bytes.length / piece) }, (_, i) => bytes.subarray(i * piece, (i + 1) * piece)));
  };

  it('is read in steps: others get their turn all the time', async () => {
    for (const text of ['"', 'plain ', '\u20ac', '\\', ',\n']) {
      const body = Buffer.from(JSON.stringify({ content: long(text, 15_000_000) }));
      expect([text, (await turnsOf(() => parseBody([body]))) > 3]).toEqual([text, true]);
    }
  });

  it('is hashed in steps, to the same hash as at once', async () => {
    for (const text of ['x', '"', '\u20ac', '\u{1f600}', 'a\u{1f600}']) {
      const input = { b: [1, { content: long(text, 200_001) }], a: null };
      const whole = JSON.stringify({ a: null, b: input.b });
      expect((await hashRequest('some.call', input, 3)).equals(createHash('sha256').update(`some.call\n3\n${whole}`).digest())).toBe(true);
    }
    const input = { content: long('x', 15_000_000) };
    expect(await turnsOf(() => hashRequest('some.call', input, 1))).toBeGreaterThan(3);
  });

  it('is no more than a few characters to its schema, in every call that takes files, and is judged as a whole', async () => {
    const definitions = productDefinitions();
    const filled = (schema: Schema, name: string): JsonValue | undefined =>
      (schema.maxLength ?? 0) > MEGABYTE
        ? long('QUJD', 70_000)
        : Object.entries(schema.properties ?? {}).reduce<JsonObject | undefined>((all, [one, field]) => {
            const value = filled(field, `${name}.${one}`);
            return value === undefined ? all : { ...all, [one]: value };
          }, undefined);
    let files = 0;
    for (const call of Object.values(definitions.calls)) {
      const schema = inputSchema(call, definitions.ambient);
      const given = filled(schema, call.name);
      if (given === undefined) continue;
      files++;
      const text = JSON.stringify(await withStandIns(schema, given as JsonObject));
      expect([call.name, text.length < 500]).toEqual([call.name, true]);
    }
    expect(files).toBeGreaterThan(5);
    const schema = inputSchema(definitions.calls['email-branding.image']!, definitions.ambient);
    const judged = async (content: string): Promise<unknown> => {
      const given = { name: 'a.png', content };
      const errors = validate(schema, compileValidator(schema), await withStandIns(schema, given));
      expect(errors).toEqual(validate(schema, compileValidator(schema), given));
      return errors.map(({ rule }) => rule);
    };
    const fine = long('QUJD', 131_072);
    expect(await judged(fine)).toEqual([]);
    expect(await judged(`${fine}QQ==`)).toEqual([]);
    for (const wrong of [
      `${fine}Q===`,
      `${fine}=Q`,
      `${fine.slice(0, 65_535)}=${fine.slice(65_536)}`,
      `${fine.slice(0, 70_000)} ${fine}`,
      `${fine}-_AB`,
    ])
      expect(await judged(wrong)).toEqual(['pattern']);
    expect(await judged(long('QUJD', 2_900_004))).toEqual(['maxLength']);
  });

  it('means the same as read at once, wherever it is cut', async () => {
    for (const n of [65_535, 65_536, 65_537, 131_080, 200_001])
      for (const text of ['x', '"', '\\', '\n', '\u20ac', '\u{1f600}', '\u0001', 'a\\u"']) {
        const value = { before: ['x'], content: long(text, n), 1: { after: long(text, n), more: text } };
        expect(JSON.stringify(await read(value)) === JSON.stringify(value)).toBe(true);
      }
    for (const piece of [1, 7, 100])
      expect(await read({ a: 'x\u20ac\ufeffy', b: '\u{1f600}' }, piece)).toEqual({ a: 'x\u20ac\ufeffy', b: '\u{1f600}' });
    expect([await read('\ufeff{"a":1}'), await read('')]).toEqual([{ a: 1 }, undefined]);
    for (const piece of [1, 3])
      await expect(parseBody([Buffer.from('{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')].slice(0, piece))).rejects.toThrow();
    const escapes = `{"content":"${'\\ud83d\\ude00'.repeat(20_000)}"}`;
    expect(JSON.stringify(await read(escapes)) === JSON.stringify(JSON.parse(escapes))).toBe(true);
  });

  it('is refused for the same reasons, and for more than 2 MB besides', async () => {
    const x = 'x'.repeat(70_000);
    for (const [body, sentence] of [
      [`{"a":"${x}\\u12"}`, 'not valid JSON'],
      [`{"a":"${x}\n"}`, 'not valid JSON'],
      [`{"a":"${x}`, 'not valid JSON'],
      [`{"a":"${x}""}`, 'not valid JSON'],
      [`{"a":"${x}\\q"}`, 'not valid JSON'],
      [`{"a":"${x}\\ud800"}`, 'half of a Unicode character'],
      [`{"a":"${x}\\u0000"}`, 'NUL character'],
      [`{"a":"${x}","a":1}`, 'gives "a" twice'],
      [`{"${x}":1}`, 'name of the body is too long'],
      [`{"a":1${' '.repeat(2_200_000)}}`, 'larger than 2 MB'],
    ] as const)
      await expect(read(body), sentence).rejects.toThrow(sentence);
  });
});
