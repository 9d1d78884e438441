import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demandSecret, readConfig } from '../../../../src/server/platform/config.ts';
import { SecretBox, secretBoxOf } from '../../../../src/server/platform/outgoing/secret-box.ts';
import { maskOf, readSecret, rotateSecrets, writeSecret } from '../../../../src/server/platform/outgoing/secrets.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { maskSecrets } from '../../../../src/server/platform/records/secret-fields.ts';
import { oneEngine, temporaryFolder } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const place = { storeId: 1, table: 'thing', column: 'key', id: 7 };
const OLD = 'an-older-secret-of-thirty-two-characters';
const NEW = 'the-newer-secret-of-thirty-two-characters';

describe('sealing', () => {
  it('opens what it sealed, at its place only, and nothing that was changed', () => {
    const box = new SecretBox(() => [OLD]);
    const sealed = box.seal('pk_live_1234', place);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
    expect(box.seal('pk_live_1234', place)).not.toBe(sealed);
    expect(box.open(sealed, place)).toBe('pk_live_1234');
    for (const other of [{ storeId: 2 }, { table: 'x' }, { column: 'x' }, { id: 8 }])
      expect(() => box.open(sealed, { ...place, ...other })).toThrow("can't be opened");
    expect(() => box.open(`${sealed.slice(0, -2)}xx`, place)).toThrow("can't be opened");
    expect(() => new SecretBox(() => [NEW]).open(sealed, place)).toThrow('PERENNIAL_SECRET must hold');
    expect(new SecretBox(() => [NEW, OLD]).open(sealed, place)).toBe('pk_live_1234');
  });

  it('makes a secret beside embedded data once, which only its owner reads, and keeps reading it behind one that is given', () => {
    const dataFolder = path.join(temporaryFolder(), 'data');
    const config = { ...readConfig({}), dataFolder };
    const sealed = secretBoxOf(config).seal('text', place);
    expect(fs.statSync(path.join(dataFolder, 'secret.key')).mode & 0o077).toBe(0);
    expect(secretBoxOf(config).open(sealed, place)).toBe('text');
    expect(secretBoxOf({ ...config, secrets: [NEW] }).open(sealed, place)).toBe('text');
  });

  it('demands a secret for real use of PostgreSQL, in a sentence', () => {
    const url = 'postgres://a:b@localhost/c';
    expect(() => demandSecret(readConfig({ DATABASE_URL: url }))).toThrow(/PERENNIAL_SECRET.*is needed with DATABASE_URL/);
    expect(() => demandSecret(readConfig({ DATABASE_URL: url, PERENNIAL_SECRET: NEW }))).not.toThrow();
    expect(() => demandSecret(readConfig({ DATABASE_URL: url, PERENNIAL_DEMO: 'on' }))).not.toThrow();
    expect(() => demandSecret(readConfig({}))).not.toThrow();
    expect(() => readConfig({ PERENNIAL_SECRET: 'short' })).toThrow('at least 32 characters');
    expect(() => readConfig({ PERENNIAL_OUTGOING_ALLOW: '10.0.0.0/99' })).toThrow('PERENNIAL_OUTGOING_ALLOW');
  });

  it('shows four characters of a long secret and none of a short one', () => {
    expect([maskOf('pk_live_1234'), maskOf('abcdefg')]).toEqual(['••••1234', '••••']);
  });
});

describe.each(oneEngine)('secrets on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine });
  });
  afterAll(() => server?.close());

  it('a mask goes to no other address or service, in no entity: the secret is entered again there', () => {
    const { definitions } = server.services;
    const tried: string[] = [];
    for (const entity of Object.keys(definitions.entities)) {
      const shape = server.services.shape(entity);
      const secrets = Object.fromEntries(shape.secrets.map(name => [name, maskOf('a secret of some length')]));
      const places = Object.entries(shape.schema.properties ?? {}).flatMap(([name, { format, oneOf, enum: choices, readOnly }]) => {
        const [one, two] =
          oneOf?.map(option => option.const) ??
          choices ??
          (/^(uri|domain)$/.test(format ?? '') ? ['https://one.example', 'https://two.example'] : []);
        return readOnly || one === undefined || two === undefined ? [] : [{ name, one, two }];
      });
      for (const secret of shape.secrets)
        for (const { name, one, two } of places) {
          tried.push(`${entity}.${secret}`);
          const before = { ...secrets, [name]: one };
          const goesTo = (value: unknown) => () => maskSecrets(shape, { ...before, [name]: value } as JsonObject, before as JsonObject);
          expect(goesTo(one), `${entity}.${name}`).not.toThrow();
          expect(goesTo(two), `${entity}.${name}`).toThrow();
        }
    }
    expect(tried).toContain('payment-provider.apiKey');
  });

  it('keeps them sealed, and seals them again with another key in steps that may be stopped', async () => {
    const { db } = server.services;
    const old = new SecretBox(() => [OLD]);
    await db.inStore(1, async trx => {
      for (let i = 0; i < 130; i++) await writeSecret({ trx, secrets: old }, { ...place, id: i }, `secret number ${i}`);
    });
    const { rows } = await db.ownerQuery<{ sealed: string }>('select sealed from secrets');
    expect(rows).toHaveLength(130);
    expect(rows.some(({ sealed }) => sealed.includes('secret'))).toBe(false);
    const both = { ...server.services, db, secrets: new SecretBox(() => [NEW, OLD]) };
    const stop = new AbortController();
    let looks = 0;
    const signal = { throwIfAborted: () => (looks++ > 0 ? stop.signal.throwIfAborted() : undefined) } as AbortSignal;
    stop.abort(new Error('killed'));
    await expect(rotateSecrets(both, signal)).rejects.toThrow('killed');
    const left = async (): Promise<number> =>
      (await db.ownerQuery<{ n: number }>(`select count(*)::integer as n from secrets where sealed not like 'v1.${both.secrets.keyId}.%'`))
        .rows[0]?.n ?? -1;
    expect(await left()).toBe(30);
    expect(await rotateSecrets(both)).toEqual({ sealed: 30, unreadable: 0 });
    expect(await left()).toBe(0);
    const alone = new SecretBox(() => [NEW]);
    await db.inStore(1, async trx => {
      expect(await readSecret({ trx, secrets: alone }, { ...place, id: 129 })).toBe('secret number 129');
      expect(await writeSecret({ trx, secrets: alone }, { ...place, id: 129 }, null)).toBe('');
      expect(await readSecret({ trx, secrets: alone }, { ...place, id: 129 })).toBeUndefined();
    });
    expect(await rotateSecrets({ ...both, secrets: new SecretBox(() => [OLD]) })).toEqual({ sealed: 0, unreadable: 129 });
  });
});
