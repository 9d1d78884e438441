// The configuration: what is read, what is refused, and that the list for the README is the list that is read.
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ConfigError, configVariables, hostGroups, readConfig } from '../../../src/server/platform/config.ts';

const mistakesOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The configuration was accepted.');
};

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      database: { kind: 'embedded' },
      dataFolder: './data',
      hosts: {},
      tokenHours: 168,
      smtpUrl: undefined,
      mailFrom: 'Perennial <no-reply@perennial.example>',
      errorDsn: undefined,
      statusKey: undefined,
      frameAncestors: [],
      demo: true,
      signUp: false,
      demoSize: 5000,
      seed: 1,
      supportEmail: 'support@perennial.example',
      translatorUrl: undefined,
      logLevel: 'info',
      publicUrl: undefined,
      trustedProxies: [],
      domainGuard: false,
      secrets: [],
      outgoingAllow: [],
      vendorUrl: undefined,
      workers: 2,
      quiet: false,
      processes: 0,
    });
  });

  it('reads every variable', () => {
    const env = {
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'postgresql://u:p@db.example:6543/shop',
      DATABASE_DIRECT_URL: 'postgresql://o:p@db.example:5432/shop',
      PERENNIAL_DATA: '/var/lib/perennial',
      PERENNIAL_HOST_MAIN: 'https://api.example.com/',
      PERENNIAL_HOST_API_SERVICE: 'http://10.0.0.1:8080/api',
      PERENNIAL_TOKEN_HOURS: '0.5',
      SMTP_URL: 'smtps://u:p@mail.example.com:465',
      MAIL_FROM: 'Shop <shop@example.com>',
      PERENNIAL_ERROR_DSN: 'https://key@errors.example.com/1',
      PERENNIAL_STATUS_KEY: 'watchdog-0123456789',
      PERENNIAL_FRAME_ANCESTORS: 'https://admin.example.com, https://other.example.com',
      PERENNIAL_DEMO: 'yes',
      PERENNIAL_DEMO_SIZE: '1000000',
      PERENNIAL_SEED: '42',
      LOG_LEVEL: 'WARN',
      PERENNIAL_PUBLIC_URL: 'https://shop.example.com/',
      PERENNIAL_TRUSTED_PROXIES: '10.0.0.7, 192.168.0.0/16 fd00::/8',
      PERENNIAL_PORTAL_URL: 'https://portal.example.com/',
      PERENNIAL_DOMAIN_GUARD: 'true',
      PERENNIAL_WORKERS: '0',
      PERENNIAL_PROCESSES: '3',
      PERENNIAL_SECRET: `${'a'.repeat(32)} ${'b'.repeat(40)}`,
      PERENNIAL_VENDOR_URL: 'http://vendors.internal:8080/',
      PERENNIAL_OUTGOING_ALLOW: '10.0.0.0/8, vendor.internal',
      PERENNIAL_SUPPORT_EMAIL: 'help@merchants.example',
      PERENNIAL_TRANSLATOR_URL: 'https://translator.example/v1',
    };
    expect(readConfig(env)).toEqual({
      port: 0,
      host: '::1',
      database: {
        kind: 'postgres',
        url: 'postgresql://u:p@db.example:6543/shop',
        directUrl: 'postgresql://o:p@db.example:5432/shop',
      },
      dataFolder: '/var/lib/perennial',
      hosts: { main: 'https://api.example.com', apiService: 'http://10.0.0.1:8080/api' },
      tokenHours: 0.5,
      smtpUrl: 'smtps://u:p@mail.example.com:465',
      mailFrom: 'Shop <shop@example.com>',
      errorDsn: 'https://key@errors.example.com/1',
      statusKey: 'watchdog-0123456789',
      frameAncestors: ['https://admin.example.com', 'https://other.example.com'],
      demo: true,
      signUp: false,
      demoSize: 1_000_000,
      seed: 42,
      supportEmail: 'help@merchants.example',
      translatorUrl: 'https://translator.example/v1',
      logLevel: 'warn',
      publicUrl: 'https://shop.example.com',
      trustedProxies: ['10.0.0.7', '192.168.0.0/16', 'fd00::/8'],
      portalUrl: 'https://portal.example.com',
      domainGuard: true,
      secrets: ['a'.repeat(32), 'b'.repeat(40)],
      outgoingAllow: ['10.0.0.0/8', 'vendor.internal'],
      vendorUrl: 'http://vendors.internal:8080',
      workers: 0,
      quiet: false,
      processes: 3,
    });
  });

  it('offers the demo by itself only when embedded', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/shop' }).demo).toBe(false);
    expect(readConfig({ PERENNIAL_DEMO: 'off' }).demo).toBe(false);
  });

  it('has several processes by itself only with PostgreSQL: one for each core but one, at most four', () => {
    const { processes } = readConfig({ DATABASE_URL: 'postgres://db/shop' });
    expect(processes).toBe(Math.min(Math.max(1, availableParallelism() - 1), 4));
    expect(readConfig({ PERENNIAL_PROCESSES: '0', DATABASE_URL: 'postgres://db/shop' }).processes).toBe(0);
    expect(mistakesOf({ PERENNIAL_PROCESSES: '1' }).message).toContain('needs DATABASE_URL');
    expect(mistakesOf({ PERENNIAL_PROCESSES: '2', DATABASE_URL: 'mysql://db/shop' }).mistakes.map(({ name }) => name)).toEqual([
      'DATABASE_URL',
    ]);
  });

  it('runs no jobs in a trial, and wants the sender of mail that is really sent', () => {
    expect(readConfig({ PERENNIAL_QUIET: 'on', PERENNIAL_WORKERS: '4' })).toMatchObject({ quiet: true, workers: 0 });
    const real = { DATABASE_URL: 'postgres://db/shop', SMTP_URL: 'smtp://mail.example.com' };
    expect(mistakesOf(real).message).toContain('MAIL_FROM=: is needed with SMTP_URL');
    expect(readConfig({ ...real, MAIL_FROM: 'shop@example.com' }).mailFrom).toBe('shop@example.com');
  });

  it('takes an empty value as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '  ', PERENNIAL_SEED: '' })).toEqual(readConfig({}));
  });

  it('names every wrong variable at once, with what would be right', () => {
    const error = mistakesOf({ PORT: '70000', LOG_LEVEL: 'loud', PERENNIAL_DEMO: 'maybe', PERENNIAL_HOST_USER: 'api.example.com' });
    expect(error.mistakes.map(({ name }) => name)).toEqual(['PERENNIAL_HOST_USER', 'PORT', 'PERENNIAL_DEMO', 'LOG_LEVEL']);
    expect(error.message).toContain('PORT="70000": must be a whole number from 0 to 65535.');
    expect(error.message).toContain('PERENNIAL_HOST_USER="api.example.com": must be an absolute address such as https://api.example.com.');
  });

  it.each([
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://db/shop'],
    ['DATABASE_URL', 'postgres://db'],
    ['PERENNIAL_HOST_BULK', 'https://u:p@api.example.com'],
    ['PERENNIAL_HOST_BULK', 'https://api.example.com?x=1'],
    ['PERENNIAL_HOST_EXTERNAL', 'ftp://api.example.com'],
    ['PERENNIAL_TOKEN_HOURS', '0'],
    ['PERENNIAL_TOKEN_HOURS', 'NaN'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['MAIL_FROM', 'Shop'],
    ['MAIL_FROM', 'Shop <shop@example.com>\r\nBcc: x@y.z'],
    ['PERENNIAL_ERROR_DSN', 'here'],
    ['PERENNIAL_FRAME_ANCESTORS', '*'],
    ['PERENNIAL_FRAME_ANCESTORS', 'https://admin.example.com/path'],
    ['PERENNIAL_DEMO_SIZE', '0'],
    ['PERENNIAL_DEMO_SIZE', '1000001'],
    ['PERENNIAL_SEED', '1e3'],
    ['PERENNIAL_PUBLIC_URL', 'shop.example.com'],
    ['PERENNIAL_TRUSTED_PROXIES', 'proxy.example.com'],
    ['PERENNIAL_TRUSTED_PROXIES', '10.0.0.0/0'],
    ['PERENNIAL_TRUSTED_PROXIES', '10.0.0.1 loopback'],
    ['PERENNIAL_PORTAL_URL', 'portal.example.com/?a=b'],
    ['PERENNIAL_DOMAIN_GUARD', '2'],
    ['PERENNIAL_WORKERS', '65'],
    ['PERENNIAL_PROCESSES', '-1'],
    ['PERENNIAL_PROCESSES', '1'],
  ])('refuses %s=%s', (name, value) => {
    expect(mistakesOf({ [name]: value }).mistakes.map(mistake => mistake.name)).toEqual([name]);
  });

  it('never prints a secret', () => {
    const { message } = mistakesOf({
      DATABASE_URL: 'mysql://root:hunter2@db.example/shop',
      SMTP_URL: 'hunter2',
      PERENNIAL_ERROR_DSN: 'ftp://hunter2@errors.example.com/1',
    });
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('root');
    expect(message).toContain('db.example');
  });

  it('asks back when a name is misspelt', () => {
    const error = mistakesOf({ PERENNIAL_HOTS_MAIN: 'https://api.example.com', PERENNIAL_SEEDS: '3' });
    expect(error.message).toContain('did you mean PERENNIAL_HOST_MAIN?');
    expect(error.message).toContain('did you mean PERENNIAL_SEED?');
    expect(() => readConfig({ PERENNIAL_SKIP_POSTGRES: '1' })).not.toThrow();
  });

  it('lists every variable for the README', () => {
    expect(new Set(configVariables.map(({ name }) => name)).size).toBe(configVariables.length);
    expect(configVariables.filter(({ name }) => name.startsWith('PERENNIAL_HOST_'))).toHaveLength(hostGroups.length);
    for (const { name, what, default: usual, right } of configVariables) {
      expect(what, name).toMatch(/^[A-Z].*\.$/);
      expect(usual, name).not.toBe('');
      // Every listed variable is really read: a value that cannot be right is refused under its name.
      if (name !== 'PERENNIAL_DATA') expect(mistakesOf({ [name]: '\u0000 <>' }).mistakes[0], right).toMatchObject({ name });
    }
  });
});
