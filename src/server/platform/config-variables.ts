// The environment variables that the server reads, as the README tells them.
/** The host groups of the call catalogue. Without an address of its own a group is served by this process under a prefix. */
export const hostGroups = [
  'main',
  'app',
  'v2',
  'bulk',
  'apiService',
  'widgetEngine',
  'themeEngine',
  'reporting',
  'alertCentre',
  'user',
  'external',
  'rest',
] as const;
export type HostGroup = (typeof hostGroups)[number];

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** One line of the README's table of variables. */
export interface ConfigVariable {
  readonly name: string;
  readonly what: string;
  /** As shown to people, e.g. `3000`, `off`, or a sentence. */
  readonly default: string;
  /** What a right value looks like; ends the sentence "… must be". */
  readonly right: string;
  readonly secret?: boolean;
}

export const hostVariable = (group: HostGroup): string => `PERENNIAL_HOST_${group.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`;

/** Every variable the server reads, in the order of the README. */
export const configVariables: readonly ConfigVariable[] = [
  { name: 'PORT', what: 'Port to listen on; 0 chooses a free one.', default: '3000', right: 'a whole number from 0 to 65535' },
  {
    name: 'HOST',
    what: 'Address to listen on; 0.0.0.0 for every network interface.',
    default: '127.0.0.1',
    right: 'an IP address or a host name',
  },
  {
    name: 'DATABASE_URL',
    what: 'PostgreSQL 15 or later; without it the embedded database is used.',
    default: 'embedded',
    right: 'an address such as postgres://user:password@host:5432/database',
    secret: true,
  },
  {
    name: 'DATABASE_DIRECT_URL',
    what:
      'Address of the PostgreSQL server itself, where DATABASE_URL is that of a pooler in transaction mode (pgbouncer): for what needs ' +
      'connections of its own. Its user owns the tables; the one of DATABASE_URL needs the role perennial_app alone.',
    default: 'DATABASE_URL leads to the server',
    right: 'an address such as postgres://owner:password@host:5432/database',
    secret: true,
  },
  {
    name: 'PERENNIAL_DATA',
    what: 'Folder of the embedded database, its backups and uploaded files.',
    default: './data',
    right: 'a path to a folder',
  },
  ...hostGroups.map((group): ConfigVariable => ({
    name: hostVariable(group),
    what: `Address of the "${group}" host group, to use another back end for its calls.`,
    default: 'this server',
    right: 'an absolute address such as https://api.example.com',
  })),
  {
    name: 'PERENNIAL_TOKEN_HOURS',
    what: 'Hours until a sign-in expires.',
    default: '168',
    right: 'a number of hours above 0, at most 8760',
  },
  {
    name: 'SMTP_URL',
    what: 'Mail server; without it mail stays in the outbox, which can be read in the admin.',
    default: 'outbox only',
    right: 'an address such as smtps://user:password@mail.example.com:465',
    secret: true,
  },
  {
    name: 'MAIL_FROM',
    what: 'Sender of the mail.',
    default: 'Perennial <no-reply@perennial.example>',
    right: 'an e-mail address, or a name with the address in angle brackets',
  },
  {
    name: 'MAIL_BOUNCE_ADDRESS',
    what:
      'Where undeliverable mail comes back to, each with a mark before the "@" (bounces+…@mail.example.com). docs/mail.md says how the ' +
      'mail server passes it on.',
    default: 'the sender of the mail',
    right: 'an e-mail address such as bounces@mail.example.com, with at most 16 characters and no "+" before the "@"',
  },
  {
    name: 'MAIL_BOUNCE_KEY',
    what: 'What the mail server sends as `Authorization: Bearer …` with mail that came back, to /in/mail.',
    default: 'none: nothing is taken there',
    right: 'at least 16 characters without spaces',
    secret: true,
  },
  {
    name: 'PERENNIAL_SUPPORT_EMAIL',
    what: 'Where questions from the help center are sent.',
    default: 'support@perennial.example',
    right: 'an e-mail address',
  },
  {
    name: 'PERENNIAL_ERROR_DSN',
    what: 'Where errors are reported.',
    default: 'the log only',
    right: 'an address such as https://key@errors.example.com/1',
    secret: true,
  },
  {
    name: 'PERENNIAL_STATUS_KEY',
    what:
      'What the monitoring of the server sends as `Authorization: Bearer …` to /metrics (docs/operate.md) and to /readyz?details. ' +
      'Without it no one is shown the figures.',
    default: 'none',
    right: 'at least 16 characters without spaces',
    secret: true,
  },
  {
    name: 'PERENNIAL_FRAME_ANCESTORS',
    what: 'Origins that may show the admin in a frame, separated by spaces.',
    default: 'none',
    right: 'origins such as https://admin.example.com, separated by spaces',
  },
  {
    name: 'PERENNIAL_DEMO',
    what: 'Create the demo store in an empty database and offer its users at sign-in.',
    default: 'on when embedded, else off',
    right: 'on or off',
  },
  {
    name: 'PERENNIAL_SHOP',
    what: 'Serve a shop of each store at /shop/<store>, with test cards, or by the page of the store’s provider (docs/shop.md).',
    default: 'as PERENNIAL_DEMO',
    right: 'on or off',
  },
  {
    name: 'PERENNIAL_SIGN_UP',
    what: 'Let people open a store of their own at the sign-in page. They enter it by a link that is sent to their address.',
    default: 'off',
    right: 'on or off',
  },
  { name: 'PERENNIAL_DEMO_SIZE', what: 'Contracts in the demo store.', default: '5000', right: 'a whole number from 1 to 1000000' },
  {
    name: 'PERENNIAL_SEED',
    what: 'Seed of the demo store: the same number gives the same store.',
    default: '1',
    right: 'a whole number from 0 to 4294967295',
  },
  { name: 'LOG_LEVEL', what: 'Least serious messages that are logged.', default: 'info', right: `one of ${logLevels.join(', ')}` },
  {
    name: 'PERENNIAL_PUBLIC_URL',
    what:
      'Address of the admin as people type it; used in mails and links. A demo signs people in at this address, at HOST, and on ' +
      'its own machine.',
    default: 'host and port',
    right: 'an absolute address such as https://admin.example.com',
  },
  {
    name: 'PERENNIAL_TRUSTED_PROXIES',
    what:
      'Addresses and networks of the proxies in front of the server, separated by spaces: their X-Forwarded-For says who is ' +
      'calling. Without it all that comes through a proxy counts as one address.',
    default: 'none',
    right: 'addresses or networks such as 127.0.0.1 and 10.0.0.0/8, separated by spaces',
  },
  {
    name: 'PERENNIAL_TRANSLATOR_URL',
    what: 'Program that translates texts: POST { source, target, texts } answers { texts }. Without it letters get marks, to try it out.',
    default: 'the stand-in',
    right: 'an absolute address such as https://translate.example.com/v1',
    secret: true,
  },
  {
    name: 'PERENNIAL_PORTAL_URL',
    what:
      'Address under which customers reach their pages, such as a page of the store that takes cards too and passes the rest on, ' +
      'with host name and cookies.',
    default: 'the address of the product',
    right: 'an absolute address such as https://shop.example.com',
  },
  {
    name: 'PERENNIAL_DOMAIN_GUARD',
    what: "Log people out when the first part of the host name is not their store's.",
    default: 'off',
    right: 'on or off',
  },
  {
    name: 'PERENNIAL_SECRET',
    what:
      'What keys and passwords of other services are sealed with: at least 32 characters, several separated by spaces. The first ' +
      'seals, all of them open; to change it, put the new one in front of the old one.',
    default: 'made beside the embedded data; needed on PostgreSQL',
    right: 'at least 32 characters, several separated by spaces',
    secret: true,
  },
  {
    name: 'PERENNIAL_OUTGOING_ALLOW',
    what: 'Hosts and networks that may be called although they are not on the internet, at any port, separated by spaces.',
    default: 'none',
    right: 'names, addresses or networks such as vendor.internal and 10.0.0.0/8, separated by spaces',
  },
  {
    name: 'PERENNIAL_VENDOR_URL',
    what:
      'Address that stands in for the servers of the apps a store connects, each at <address>/<key>: a proxy, or a simulator. A host ' +
      'that is not public belongs into PERENNIAL_OUTGOING_ALLOW as well.',
    default: "the apps' own; a demo has a simulator",
    right: 'an absolute address such as http://vendors.internal:8080',
  },
  {
    name: 'PERENNIAL_WORKERS',
    what: 'Jobs of a kind that are run at once; 0 answers calls only.',
    default: '2',
    right: 'a whole number from 0 to 64',
  },
  {
    name: 'PERENNIAL_QUIET',
    what:
      'For a trial of a backup: no jobs, no mail, no call to another server, so no customer is charged or written to; the admin says so. ' +
      '`npm run sign-in -- <address>` prints a link to come in by.',
    default: 'off',
    right: 'on or off',
  },
  {
    name: 'PERENNIAL_PROCESSES',
    what:
      'Processes that answer calls on PostgreSQL, next to one that runs jobs; 0 does both in one process, as it always is with ' +
      'the embedded database.',
    default: 'one for each core but one, at most 4',
    right: 'a whole number from 0 to 64',
  },
];
