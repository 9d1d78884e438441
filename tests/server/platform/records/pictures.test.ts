// Every field that takes a picture: what an upload answers can be saved there, and every record of the demo store as it is.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputSchema } from '../../../../src/contract/request.ts';
import { compileValidator } from '../../../../src/contract/validation/compile.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../../../src/contract/types.ts';
import { seedDemo } from '../../../../src/server/features/demo/demo.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

interface Field {
  /** "streak" or "settings/bundle-branding". */
  of: string;
  path: string[];
  schema: Schema;
}
/** Where a schema has a field that satisfies `is`; a list is walked by its items ("0"). */
function fieldsOf(of: string, schema: Schema, is: (schema: Schema, name: string) => boolean, path: string[] = []): Field[] {
  const here = is(schema, path.at(-1) ?? '') ? [{ of, path, schema }] : [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsOf(of, one, is, [...path, name]));
  return [...here, ...inner, ...(schema.items ? fieldsOf(of, schema.items, is, [...path, '0']) : [])];
}
const isPicture = ({ 'x-ui': hints }: Schema): boolean => hints?.widget === 'image';
const isCss = ({ type }: Schema, name: string): boolean => type === 'string' && /css/i.test(name);

describe('fields that take a picture', () => {
  let server: TestServer;
  let fields: Field[];
  const all = (is: (schema: Schema, name: string) => boolean): Field[] => {
    const { entities, settings } = server.services.definitions;
    return [
      ...Object.entries(entities).flatMap(([name, schema]) => fieldsOf(name, schema, is)),
      ...Object.entries(settings).flatMap(([name, schema]) => fieldsOf(`settings/${name}`, schema, is)),
    ];
  };
  beforeAll(async () => {
    server = await startTestServer({ engine: 'postgres', seed: false, config: { demoSize: 200 } });
    await seedDemo(server.services);
    fields = all(isPicture);
  });
  afterAll(() => server?.close());

  const upload = async (field: Field): Promise<string> => {
    const content = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#1f5132' } })
      .png()
      .toBuffer();
    const call = String(field.schema['x-ui']?.options?.call);
    const { status, data } = await server.call(call, { name: 'a.png', content: content.toString('base64') });
    expect([call, status]).toEqual([call, 200]);
    return String(data.url);
  };

  it('take what their upload answers, a picture of the demo store, and a link', async () => {
    expect(fields.map(({ of }) => of)).toEqual(expect.arrayContaining(['bundle', 'campaign', 'streak', 'checkout-upgrade']));
    for (const field of fields)
      for (const address of [await upload(field), '/demo/moss-matcha.svg', 'https://cdn.example/a.png?v=1'])
        expect([field.of, field.path, address, compileValidator(field.schema)(address)]).toEqual([field.of, field.path, address, true]);
    for (const field of fields)
      for (const address of ['/etc/passwd', '//evil.example/a.png', 'javascript:alert(1)', '/media/../x.png'])
        expect([field.of, field.path, address, compileValidator(field.schema)(address)]).toEqual([field.of, field.path, address, false]);
  });

  const callOf = (does: Call['does'], of: string): Call | undefined =>
    Object.values(server.services.definitions.calls).find(one => one.does === does && one.of === of && !one.set && !one.part && !one.like);
  /** The key of a record under the name that the call has for it. */
  const keyOf = (call: Call, id: JsonValue | undefined): JsonObject => ({
    [call.in.find(({ name, as }) => (as ?? name) === 'id')?.name ?? 'id']: id ?? null,
  });
  /** What a form would send: the members that the call takes. */
  const writable = (call: Call, record: JsonObject): JsonObject => {
    const takes = inputSchema(call, server.services.definitions.ambient).properties ?? {};
    const named = { ...record, ...keyOf(call, record.id) };
    return Object.fromEntries(Object.entries(named).filter(([name, value]) => takes[name] && !takes[name].readOnly && value !== null));
  };
  const put = (value: JsonValue | undefined, [name, ...rest]: string[], url: string): JsonValue | undefined => {
    if (name === undefined) return url;
    if (Array.isArray(value)) return value.map(one => put(one, rest, url) as JsonValue);
    if (!value || typeof value !== 'object') return rest.length ? value : { [name]: url };
    const inner = put(value[name], rest, url);
    return inner === undefined ? value : { ...value, [name]: inner };
  };

  it('keep it: saved into a record of the demo store and read back', async () => {
    const saved: string[] = [];
    for (const entity of new Set(fields.map(({ of }) => of).filter(of => !of.startsWith('settings/')))) {
      const [read, update, list] = [callOf('read', entity), callOf('update', entity), callOf('list', entity)];
      // Parts of a record are saved with it.
      if (!read || !update || !list) continue;
      saved.push(entity);
      const rows = (await server.call(list.name)).data as JsonObject[];
      for (const { id } of rows) {
        const { data: before } = await server.call(read.name, keyOf(read, id));
        const same = await server.call(update.name, writable(update, before));
        expect([entity, id, same.status, same.body.errors ?? []]).toEqual([entity, id, 200, []]);
      }
      const first = rows[0];
      expect([entity, first !== undefined]).toEqual([entity, true]);
      let { data: record } = await server.call(read.name, keyOf(read, first!.id));
      for (const field of fields.filter(({ of }) => of === entity)) {
        const url = await upload(field);
        record = { ...(put(record, field.path, url) as JsonObject), version: record.version };
        const done = await server.call(update.name, writable(update, record));
        expect([entity, field.path, done.status, done.body.errors ?? []]).toEqual([entity, field.path, 200, []]);
        record = (await server.call(read.name, keyOf(read, first!.id))).data;
        if (JSON.stringify(put({}, field.path, url)) !== '{}') expect(JSON.stringify(record)).toContain(url);
      }
    }
    expect(saved).toEqual(expect.arrayContaining(['bundle', 'campaign', 'streak', 'checkout-upgrade']));
  });

  it('CSS of a store’s own is read by the parser wherever it can be written', async () => {
    const css = all(isCss);
    expect(css.length).toBeGreaterThanOrEqual(7);
    for (const { of, path, schema } of css) expect([of, path, schema.format]).toEqual([of, path, 'css']);
    const design = await server.call('settings.get', { settingsPage: 'bundle-branding' });
    const { version, ...page } = design.data;
    const refused = await server.call('settings.set', {
      settingsPage: 'bundle-branding',
      ...page,
      version,
      customCss: '@\\69mport "//x";',
    });
    expect([refused.status, refused.body.errors?.[0]]).toMatchObject([422, { pointer: '/customCss', rule: 'css' }]);
  });
});
