// Reads and checks the environment variables at start; a wrong one stops the start with a sentence that says what would be right.
import { availableParallelism } from 'node:os';
import { closest, distance } from 'fastest-levenshtein';
import {
  configVariables,
  hostGroups,
  hostVariable,
  logLevels,
  type ConfigVariable,
  type HostGroup,
  type LogLevel,
} from './config-variables.ts';
import { readAllowed } from './outgoing/addresses.ts';
import { trustIn } from './http/client-address.ts';

export { configVariables, hostGroups, logLevels, type ConfigVariable, type HostGroup, type LogLevel } from './config-variables.ts';

/** The configuration of the server. Everything is checked; nothing else reads `process.env`. */
export interface Config {
  /** TCP port; 0 lets the system choose a free one. */
  readonly port: number;
  readonly host: string;
  /** `postgres` when DATABASE_URL is set, else the embedded database in the data folder. */
  readonly database: { readonly kind: 'embedded' } | { readonly kind: 'postgres'; readonly url: string; readonly directUrl?: string };
  /** Folder for the embedded database, its backups, uploaded files and the outbox. */
  readonly dataFolder: string;
  /** Absolute addresses without a trailing slash; absent groups are served by this process. */
  readonly hosts: Readonly<Partial<Record<HostGroup, string>>>;
  /** Lifetime of a sign-in token in hours. */
  readonly tokenHours: number;
  /** SMTP server; absent: mail goes to the outbox only. */
  readonly smtpUrl?: string;
  readonly mailFrom: string;
  /** Where undeliverable mail comes back to: "bounces@mail.example.com", each e-mail with a mark of its own before the "@". */
  readonly bounceAddress?: string;
  /** What the mail server that takes it there sends to /in/mail. */
  readonly bounceKey?: string;
  /** Where questions from the help center are sent. */
  readonly supportEmail: string;
  /** Where errors are reported; absent: only to the log. */
  readonly errorDsn?: string;
  /** What opens the details of /readyz; absent: nothing does. */
  statusKey?: string;
  /** Origins allowed to embed the admin in a frame; none by default. */
  readonly frameAncestors: readonly string[];
  /** Create the demo store when the database is empty, and offer its users at sign-in. */
  readonly demo: boolean;
  /** Serve a shop of each store that takes test cards (docs/shop.md); absent: where there is a demo. */
  readonly shop?: boolean;
  /** People may open a store of their own at the sign-in page. */
  signUp: boolean;
  /** Number of contracts of the demo store. */
  readonly demoSize: number;
  /** The demo store is the same for the same seed. */
  readonly seed: number;
  readonly logLevel: LogLevel;
  /** Address of the admin as people type it, without a trailing slash; absent: host and port. */
  readonly publicUrl?: string;
  /** Where this process listens, once it does: for links in e-mails where there is no public address. */
  ownAddress?: string;
  /** Addresses and networks of the proxies in front; what they say about who is calling is believed, and no other sender. */
  readonly trustedProxies: readonly string[];
  /** Address under which customers reach their own pages, without a trailing slash; absent: that of the product. */
  readonly portalUrl?: string;
  /** A program that translates texts over HTTP; absent: a stand-in that works offline. */
  readonly translatorUrl?: string;
  /** Log people out when the host name does not belong to their store (S164). */
  readonly domainGuard: boolean;
  /** What secrets are sealed with: the first seals, all of them open. */
  readonly secrets: readonly string[];
  /** Hosts and networks that may be called although they are not public, at any port. */
  readonly outgoingAllow: readonly string[];
  /** Stands in for the servers of all other apps, each at <this>/<key>, without a trailing slash; absent: their own. */
  readonly vendorUrl?: string;
  /** How many jobs of a kind are run at once; 0 answers calls only. */
  readonly workers: number;
  /** A trial of a backup: no jobs, no mail, no call to another server. */
  quiet: boolean;
  /** Processes that answer calls, next to one that runs jobs; 0: one process does both. */
  readonly processes: number;
}

/**
 * A core is left to jobs and to a database on the same machine. Each process takes up to 14 connections: more are for those who have set
 * the database up for them.
 */
const usualProcesses = (): number => Math.min(Math.max(1, availableParallelism() - 1), 4);

/** A wrong variable: its name, the value as it may be shown, and what would be right. */
export interface ConfigMistake {
  readonly name: string;
  readonly value: string;
  readonly problem: string;
}

/** Thrown once with every wrong variable, so that a person corrects them in one go. */
export class ConfigError extends Error {
  readonly mistakes: readonly ConfigMistake[];
  constructor(mistakes: readonly ConfigMistake[]) {
    super(['The configuration is wrong:', ...mistakes.map(m => `  ${m.name}=${m.value}: ${m.problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

class Wrong extends Error {}

const whole = (text: string, least: number, most: number): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw new Wrong();
  return value;
};

const toggle = (text: string): boolean => {
  const value = text.toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(value)) return true;
  if (['off', 'false', 'no', '0'].includes(value)) return false;
  throw new Wrong();
};

const address = (text: string, protocols: readonly string[]): URL => {
  if (!URL.canParse(text)) throw new Wrong();
  const url = new URL(text);
  if (!protocols.includes(url.protocol)) throw new Wrong();
  return url;
};

/** An absolute http(s) address without a trailing slash, query or fragment. */
const webAddress = (text: string): string => {
  const url = address(text, ['http:', 'https:']);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') throw new Wrong();
  return url.href.replace(/\/+$/, '');
};

const origin = (text: string): string => {
  const url = address(text, ['http:', 'https:']);
  if (url.origin !== text.replace(/\/$/, '').toLowerCase()) throw new Wrong();
  return url.origin;
};

/** An address or a network in numbers. */
const network = (text: string): string => {
  if (!/[.:]/.test(text)) throw new Wrong();
  try {
    trustIn([text]);
  } catch {
    throw new Wrong();
  }
  return text;
};

/** How a value may be shown: passwords and keys are never printed. */
const shown = (variable: ConfigVariable, value: string): string => {
  if (!variable.secret) return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (!URL.canParse(value)) return '***';
  const url = new URL(value);
  return url.host === '' ? '***' : `"${url.protocol}//***@${url.host}"`;
};

/**
 * Reads the configuration.
 * @param env the environment, e.g. `process.env`; an empty value counts as absent
 * @throws ConfigError naming every wrong variable
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: ConfigMistake[] = [];
  const byName = new Map(configVariables.map(variable => [variable.name, variable]));

  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const variable = byName.get(name);
    if (!variable) throw new Error(`${name} is missing in configVariables.`);
    const text = env[name]?.trim();
    if (text === undefined || text === '') return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      mistakes.push({ name, value: shown(variable, text), problem: error.message || `must be ${variable.right}.` });
      return undefined;
    }
  };

  const databaseAddress = (text: string): string => {
    const parsed = address(text, ['postgres:', 'postgresql:']);
    if (parsed.pathname.length < 2)
      throw new Wrong('names no database; it must be an address such as postgres://user:password@host:5432/database.');
    return text;
  };
  const url = read('DATABASE_URL', databaseAddress);
  const directUrl = read('DATABASE_DIRECT_URL', text => {
    if (url === undefined) throw new Wrong('needs DATABASE_URL, the address of the pooler in front of this server.');
    return databaseAddress(text);
  });
  const hosts: Partial<Record<HostGroup, string>> = {};
  for (const group of hostGroups) {
    const host = read(hostVariable(group), webAddress);
    if (host !== undefined) hosts[group] = host;
  }

  const quiet = read('PERENNIAL_QUIET', toggle) ?? false;
  const config: Config = {
    port: read('PORT', text => whole(text, 0, 65_535)) ?? 3000,
    host:
      read('HOST', text => {
        if (!/^[\w.:-]+$/.test(text)) throw new Wrong();
        return text;
      }) ?? '127.0.0.1',
    database: url === undefined ? { kind: 'embedded' } : { kind: 'postgres', url, ...(directUrl === undefined ? {} : { directUrl }) },
    dataFolder: read('PERENNIAL_DATA', text => text) ?? './data',
    hosts,
    tokenHours:
      read('PERENNIAL_TOKEN_HOURS', text => {
        const hours = Number(text);
        if (!(hours > 0 && hours <= 8760)) throw new Wrong();
        return hours;
      }) ?? 168,
    smtpUrl: read('SMTP_URL', text => (address(text, ['smtp:', 'smtps:']), text)),
    mailFrom:
      read('MAIL_FROM', text => {
        if (!/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text)) throw new Wrong();
        return text;
      }) ?? 'Perennial <no-reply@perennial.example>',
    bounceAddress: read('MAIL_BOUNCE_ADDRESS', text => {
      // Room for the mark: a local part has 64 characters at most (RFC 5321).
      if (!/^[^\s@<>+]{1,16}@[^\s@<>]+$/.test(text)) throw new Wrong();
      if (!env['MAIL_BOUNCE_KEY']?.trim()) throw new Wrong('needs MAIL_BOUNCE_KEY: without it what comes back is read by no one.');
      return text;
    }),
    bounceKey: read('MAIL_BOUNCE_KEY', text => {
      if (!/^\S{16,}$/.test(text)) throw new Wrong();
      return text;
    }),
    supportEmail:
      read('PERENNIAL_SUPPORT_EMAIL', text => {
        if (!/^[^\s@<>]+@[^\s@<>]+$/.test(text)) throw new Wrong();
        return text;
      }) ?? 'support@perennial.example',
    errorDsn: read('PERENNIAL_ERROR_DSN', text => (address(text, ['http:', 'https:']), text)),
    statusKey: read('PERENNIAL_STATUS_KEY', text => {
      if (!/^\S{16,}$/.test(text)) throw new Wrong();
      return text;
    }),
    frameAncestors: read('PERENNIAL_FRAME_ANCESTORS', text => (text === 'none' ? [] : text.split(/[\s,]+/).map(origin))) ?? [],
    demo: read('PERENNIAL_DEMO', toggle) ?? url === undefined,
    shop: read('PERENNIAL_SHOP', toggle),
    signUp: read('PERENNIAL_SIGN_UP', toggle) ?? false,
    demoSize: read('PERENNIAL_DEMO_SIZE', text => whole(text, 1, 1_000_000)) ?? 5000,
    seed: read('PERENNIAL_SEED', text => whole(text, 0, 4_294_967_295)) ?? 1,
    logLevel:
      read('LOG_LEVEL', text => {
        const level = logLevels.find(name => name === text.toLowerCase());
        if (!level) throw new Wrong();
        return level;
      }) ?? 'info',
    publicUrl: read('PERENNIAL_PUBLIC_URL', webAddress),
    trustedProxies: read('PERENNIAL_TRUSTED_PROXIES', text => (text === 'none' ? [] : text.split(/[\s,]+/).map(network))) ?? [],
    portalUrl: read('PERENNIAL_PORTAL_URL', webAddress),
    translatorUrl: read('PERENNIAL_TRANSLATOR_URL', webAddress),
    domainGuard: read('PERENNIAL_DOMAIN_GUARD', toggle) ?? false,
    secrets:
      read('PERENNIAL_SECRET', text => {
        const secrets = text.split(/\s+/);
        if (secrets.some(secret => secret.length < 32)) throw new Wrong();
        return secrets;
      }) ?? [],
    outgoingAllow:
      read('PERENNIAL_OUTGOING_ALLOW', text => {
        const entries = text === 'none' ? [] : text.split(/[\s,]+/);
        try {
          readAllowed(entries);
        } catch {
          throw new Wrong();
        }
        return entries;
      }) ?? [],
    vendorUrl: read('PERENNIAL_VENDOR_URL', webAddress),
    workers: quiet ? 0 : (read('PERENNIAL_WORKERS', text => whole(text, 0, 64)) ?? 2),
    quiet,
    processes:
      read('PERENNIAL_PROCESSES', text => {
        const processes = whole(text, 0, 64);
        if (processes > 0 && !env['DATABASE_URL']?.trim())
          throw new Wrong('needs DATABASE_URL: the embedded database is opened by one process.');
        return processes;
      }) ?? (url === undefined ? 0 : usualProcesses()),
  };

  if (config.smtpUrl !== undefined && !env['MAIL_FROM']?.trim() && !config.demo)
    mistakes.push({
      name: 'MAIL_FROM',
      value: '',
      problem: 'is needed with SMTP_URL: the address that letters come from, which the mail server may send for.',
    });

  // A misspelt name would be ignored in silence; two letters away from a known one it is surely meant.
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('PERENNIAL_') || byName.has(name) || value === undefined) continue;
    const nearest = closest(name, [...byName.keys()]);
    if (distance(name, nearest) <= 2)
      mistakes.push({ name, value: '***', problem: `is not a variable of Perennial; did you mean ${nearest}?` });
  }

  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

/** Whether there are shops on this installation. */
export const hasShop = ({ shop, demo }: Pick<Config, 'shop' | 'demo'>): boolean => shop ?? demo;

/**
 * Demands what real use of PostgreSQL needs besides; the embedded database and demo stores make a secret of their own.
 * @throws ConfigError without PERENNIAL_SECRET
 */
export function demandSecret({ secrets, database, demo }: Config): void {
  if (secrets.length > 0 || database.kind === 'embedded' || demo) return;
  const problem =
    'is needed with DATABASE_URL: keys of other services are sealed with it. Set it to at least 32 random characters, such as ' +
    '`openssl rand -base64 32` gives, keep it, and give the same one to every server of this database.';
  throw new ConfigError([{ name: 'PERENNIAL_SECRET', value: '', problem }]);
}
