// Everything a server process holds open: configuration, database, definitions, queue, gateway, mail.
import type { IncomingMessage } from 'node:http';
import type { Definitions } from '../../contract/types.ts';
import type { Config } from './config.ts';
import { loadDefinitions, projectRoot } from './definitions.ts';
import type { Handler, PublicHandler } from './context.ts';
import type { Beginning } from './auth/open-store.ts';
import { Sessions } from './auth/sessions.ts';
import { newToken } from './auth/tokens.ts';
import type { FullGateway } from './gateway/gateway.ts';
import { Gateways } from './gateway/gateways.ts';
import type { HostedPages } from './gateway/hosted-pages.ts';
import { StripeClient } from './gateway/stripe-client.ts';
import { StripeGateway } from './gateway/stripe-gateway.ts';
import { StripePages } from './gateway/stripe-pages.ts';
import { StripeRecords } from './gateway/stripe-records.ts';
import { TestGateway } from './gateway/test-gateway.ts';
import { clientAddress, trustIn, type Trusts } from './http/client-address.ts';
import { KeyLocks } from './http/idempotency.ts';
import { Shares } from './http/shares.ts';
import { outboxOnly, smtpTransport, type MailTransport } from './mail/mail-transport.ts';
import { realRecords, type DomainRecords } from './outgoing/domain-records.ts';
import { loadModules, withVerbs, type Modules } from './modules.ts';
import { dsnReporter, noReporter, type Reporter } from './outgoing/error-reporting.ts';
import { createOutgoing, type Outgoing } from './outgoing/outgoing.ts';
import { readAllowed } from './outgoing/addresses.ts';
import { secretBoxOf, type SecretBox } from './outgoing/secret-box.ts';
import type { DeliverySender } from './deliveries/sender.ts';
import type { Incoming } from './http/incoming.ts';
import type { PublicPage } from './http/public-pages.ts';
import type { EventConsumer } from './events/consumer.ts';
import { lookForWaiting, raiseEpoch } from './events/sweep.ts';
import { openDatabase, type Database, type OpenOptions } from './db/database.ts';
import { silent, type StoreLog } from './db/engine.ts';
import { createQueue, type Queue } from './queue/queue.ts';
import { readColumns, entityMappingOf, type Columns, type EntityMapping } from './records/entity-mapping.ts';
import type { Registry } from './records/registry.ts';
import type { Backlog } from './metrics/backlog.ts';
import type { Retention } from './records/retention.ts';
import { processText } from './metrics/process-metrics.ts';
import { VisitCounts } from './records/visit-counts.ts';

export interface Services {
  readonly config: Config;
  readonly log: StoreLog;
  readonly db: Database;
  /** The definitions in use; `reload` replaces them while developing. */
  readonly definitions: Definitions;
  readonly handlers: Map<string, Handler & PublicHandler>;
  /** What features add to the generic verbs. */
  readonly registry: Registry;
  /** What follows events, in the order in which they are delivered. */
  readonly consumers: readonly EventConsumer[];
  /** Who makes requests of deliveries, by name. */
  readonly senders: ReadonlyMap<string, DeliverySender>;
  /** Pages for customers, who do not sign in. */
  readonly pages: readonly PublicPage[];
  /** What takes events of other servers. */
  readonly incoming: readonly Incoming[];
  /** What waits for work, which features add to the figures of the monitoring. */
  readonly backlogs: readonly Backlog[];
  /** How long rows of features are kept. */
  readonly retention: readonly Retention[];
  /** What every store begins with. */
  readonly beginnings: readonly Beginning[];
  /** What the processes of this server counted, in the text format of Prometheus. */
  readonly processText: () => Promise<string>;
  /** Calls other servers. */
  readonly outgoing: Outgoing;
  /** Seals and opens secrets. */
  readonly secrets: SecretBox;
  readonly queue: Queue;
  readonly gateway: FullGateway;
  /** Pages of payment providers, on which customers enter cards. */
  readonly hostedPages: HostedPages;
  /** What is there at a store's Stripe account. */
  readonly stripe: StripeRecords;
  readonly transport: MailTransport;
  readonly domainRecords: DomainRecords;
  /** `kick`: there is new mail in the outbox. */
  readonly mailer: { kick(): void };
  readonly reporter: Reporter;
  readonly sessions: Sessions;
  readonly keyLocks: KeyLocks;
  /** Who may have how much of the machine's time. */
  readonly shares: Shares;
  readonly visits: VisitCounts;
  /** From which address a request comes, for limits and logs. */
  readonly clientAddress: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
  /** Without it the outbox page can't be opened; all processes of a server know the same one. */
  outboxKey: string;
  /** Where this process can be reached, once it listens: http://127.0.0.1:3000 */
  address: string;
  /** starting: not ready yet; ready; closing: takes no new work. */
  state: 'starting' | 'ready' | 'closing';
  shape(entity: string): EntityMapping;
  /** Lets work go on after the answer; `close` waits for it. */
  background(work: Promise<unknown>): void;
  /** Resolves when nothing of that is left. */
  idle(): Promise<void>;
  reload(definitions: Definitions): void;
  /** Starts the queue and, unless this process has no workers, the jobs. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  log?: StoreLog;
  /** Other definitions than the project's, in tests. */
  definitions?: Definitions;
  /** A database that is open already; closing it stays with the code that opened it. */
  db?: Database;
  /** Further options of the database. */
  database?: Partial<OpenOptions>;
  modules?: Modules;
  transport?: MailTransport;
  domainRecords?: DomainRecords;
  reporter?: Reporter;
  outgoing?: Outgoing;
  gateway?: FullGateway;
  /** Is called when this process, which runs no jobs, has sent one to a queue. */
  jobSent?: (queue: string) => void;
  /** What all processes of this server counted; absent: this one is alone. */
  processText?: () => Promise<string>;
}

/**
 * Opens everything. Closes again what was opened when something later fails. @throws FolderLocked, MigrationError, DefinitionError, Error
 */
export async function openServices(config: Config, options: ServiceOptions = {}): Promise<Services> {
  const log = options.log ?? silent;
  const definitions = options.definitions ?? loadDefinitions(projectRoot);
  const modules = options.modules ?? (await loadModules());
  const db = options.db ?? (await openDatabase({ database: config.database, dataFolder: config.dataFolder, log, ...options.database }));
  try {
    const columns = await readColumns(db.kysely);
    return new OpenServices(config, log, definitions, modules, db, columns, options);
  } catch (error) {
    if (!options.db) await db.close();
    throw error;
  }
}

class OpenServices implements Services {
  definitions: Definitions;
  readonly handlers: Map<string, Handler & PublicHandler>;
  readonly registry: Registry;
  readonly consumers: readonly EventConsumer[];
  readonly senders: ReadonlyMap<string, DeliverySender>;
  readonly pages: readonly PublicPage[];
  readonly incoming: readonly Incoming[];
  readonly backlogs: readonly Backlog[];
  readonly retention: readonly Retention[];
  readonly beginnings: readonly Beginning[];
  readonly processText: () => Promise<string>;
  readonly outgoing: Outgoing;
  readonly secrets: SecretBox;
  readonly queue: Queue;
  readonly gateway: FullGateway;
  readonly hostedPages: HostedPages;
  readonly stripe: StripeRecords;
  readonly transport: MailTransport;
  readonly domainRecords: DomainRecords;
  readonly mailer: { kick(): void };
  readonly reporter: Reporter;
  readonly sessions: Sessions;
  readonly keyLocks = new KeyLocks();
  readonly visits: VisitCounts;
  readonly shares: Shares;
  readonly clientAddress: Services['clientAddress'] = request => clientAddress(request, this.#trusts);
  outboxKey = newToken();
  #address = '';
  get address(): string {
    return this.#address;
  }
  /** Links in e-mails lead here where there is no public address. */
  set address(address: string) {
    this.#address = address;
    this.config.ownAddress = address;
  }
  state: Services['state'] = 'starting';
  readonly config: Config;
  readonly log: StoreLog;
  readonly db: Database;
  readonly #columns: Columns;
  readonly #jobs: Modules['jobs'];
  readonly #ownsDb: boolean;
  readonly #trusts: Trusts;
  readonly #underWay = new Set<Promise<unknown>>();
  #shapes = new Map<string, EntityMapping>();
  #stopLooking: () => void = () => undefined;

  constructor(
    config: Config,
    log: StoreLog,
    definitions: Definitions,
    modules: Modules,
    db: Database,
    columns: Columns,
    options: ServiceOptions,
  ) {
    this.config = config;
    this.log = log;
    this.definitions = definitions;
    this.handlers = withVerbs(modules, definitions);
    this.registry = modules;
    this.consumers = modules.consumers;
    this.senders = new Map(modules.senders.map(sender => [sender.name, sender]));
    this.pages = modules.pages;
    this.incoming = modules.incoming;
    this.backlogs = modules.backlogs;
    this.retention = modules.retention;
    this.beginnings = modules.beginnings;
    this.processText = options.processText ?? processText;
    this.outgoing = options.outgoing ?? createOutgoing({ allowed: readAllowed(config.outgoingAllow), isQuiet: config.quiet, log });
    this.secrets = secretBoxOf(config);
    this.db = db;
    this.#columns = columns;
    this.#jobs = modules.jobs;
    this.#ownsDb = !options.db;
    this.shares = new Shares(log);
    this.visits = new VisitCounts(db, work => this.background(work));
    this.#trusts = trustIn(config.trustedProxies);
    this.queue = createQueue(db, { workers: config.workers, log, ...(options.jobSent ? { sent: options.jobSent } : {}) });
    const stripe = new StripeClient(this);
    this.gateway = options.gateway ?? new Gateways({ TEST: new TestGateway(db), STRIPE: new StripeGateway(stripe) });
    this.hostedPages = new StripePages(stripe);
    this.stripe = new StripeRecords(stripe);
    this.transport = options.transport ?? (config.smtpUrl ? smtpTransport(config.smtpUrl, config.mailFrom) : outboxOnly);
    this.domainRecords = options.domainRecords ?? realRecords;
    this.reporter = options.reporter ?? (config.errorDsn && !config.quiet ? dsnReporter(config.errorDsn, log) : noReporter);
    this.sessions = new Sessions(
      db,
      config.tokenHours,
      () => this.definitions,
      work => this.background(work),
    );
    for (const job of this.#jobs) {
      this.queue.define(job.name, { retries: job.retries, retrySeconds: job.retrySeconds });
      if (config.workers > 0) this.queue.work<Record<string, unknown>>(job.name, running => job.run(this, running.data, running));
    }
    this.mailer = {
      kick: () => {
        if (this.state === 'ready' && this.#jobs.some(job => job.name === 'send-mail'))
          this.background(this.queue.send('send-mail', {}, { singletonKey: 'send-mail' }));
      },
    };
    for (const [name, schema] of Object.entries(definitions.entities)) if (schema['x-record']) this.shape(name);
  }

  shape(entity: string): EntityMapping {
    let shape = this.#shapes.get(entity);
    if (!shape) this.#shapes.set(entity, (shape = entityMappingOf(this.definitions, this.#columns, entity, this.registry.rules[entity])));
    return shape;
  }

  background(work: Promise<unknown>): void {
    const watched = work.catch((error: unknown) => this.log.warn({ err: error }, 'Work in the background failed.'));
    this.#underWay.add(watched);
    void watched.finally(() => this.#underWay.delete(watched));
  }

  async idle(): Promise<void> {
    while (this.#underWay.size) await Promise.allSettled(this.#underWay);
  }

  reload(definitions: Definitions): void {
    this.definitions = definitions;
    this.#shapes = new Map();
    this.sessions.forget();
  }

  async start(): Promise<void> {
    await raiseEpoch(this.db);
    await this.queue.start();
    for (const { name, cron, atStart } of this.config.workers > 0 ? this.#jobs : []) {
      if (cron) await this.queue.schedule(name, cron);
      if (atStart) await this.queue.send(name, {}, { singletonKey: 'schedule' });
    }
    this.state = 'ready';
    if (this.config.workers > 0) this.#stopLooking = lookForWaiting(this, this.#jobs);
  }

  async close(): Promise<void> {
    this.state = 'closing';
    this.#stopLooking();
    await this.idle();
    await this.queue.stop();
    await this.idle();
    this.transport.close();
    await this.reporter.close();
    await this.outgoing.close();
    this.shares.close();
    if (this.#ownsDb) await this.db.close();
  }
}
