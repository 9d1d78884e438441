// What every handler, verb and engine function gets: the transaction of the request and everything it may use.
import type { Line } from './http/lines.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Definitions, FieldError, JsonObject, JsonValue, PageInfo, Session } from '../../contract/types.ts';
import type { EventKey, EventPayloads } from '../../generated/families.ts';
import type { StoresTable, Tables } from '../../generated/tables.ts';
import type { GrantKinds } from './auth/grant-kinds.ts';
import type { Config } from './config.ts';
import type { FullGateway } from './gateway/gateway.ts';
import type { DomainRecords } from './outgoing/domain-records.ts';
import type { ErrorReport } from './outgoing/error-envelope.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { SecretBox } from './outgoing/secret-box.ts';
import type { Opener } from './auth/open-store.ts';
import type { Database } from './db/database.ts';
import type { StoreLog } from './db/engine.ts';
import type { Queue } from './queue/queue.ts';
import type { EntityMapping } from './records/entity-mapping.ts';
import type { SettingRules } from './records/rules.ts';
import { MOST_COUNTED, MOST_ERRORS } from '../../contract/validation/validate.ts';
import { inFigures, atStart, t, translated } from '../../domain/text/t.ts';

export type Store = Selectable<StoresTable>;
export type Source = 'Admin portal' | 'API' | 'System' | 'Customer portal';

/** An e-mail to put into the outbox; it leaves only if the transaction commits. The same `dedupeKey` is sent once per store. */
export interface Message {
  template: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The language of its words; English where it is left out. */
  language?: string;
  contractId?: number;
  dedupeKey?: string;
  /** Not before this instant; at once when absent. */
  sendAfter?: Date;
  /** Not after this instant (real time, not the store's clock), when its link ends. */
  sendBefore?: Date;
  /** The e-mail that this one sends again. */
  resends?: number;
}

/** One line of the account log: who changed what, before and after (who, when and from where are filled in). */
export interface LogEntry {
  action: string;
  category: string;
  description: string;
  entity?: string;
  entityId?: string | number;
  before?: JsonValue;
  after?: JsonValue;
}

export interface ContextUser {
  id: number;
  email: string;
  name: string;
  type: string;
}

/** The context of one request (or one step of a job); everything in it belongs to one store. */
export interface Context {
  /** The transaction of the request, bound to the store by row-level security. */
  trx: Kysely<Tables>;
  db: Database;
  definitions: Definitions;
  config: Config;
  storeId: number;
  store: Store;
  session: Session;
  user: ContextUser;
  source: Source;
  requestId: string;
  /** The admin's address as people type it, for links in e-mails. */
  address: string;
  /** The address the request came from; empty for jobs. */
  ip: string;
  /** The hash of the token, by which this sign-in is kept; undefined for jobs. */
  sessionKey: Uint8Array | undefined;
  /** The version the caller read (`if-match` header or body `version`); undefined when none was sent. Compare with `checkVersion`. */
  expectedVersion: number | undefined;
  /** What the call's schema says against the input; always empty but for a handler marked `validatesInput`. */
  inputErrors: readonly FieldError[];
  /** The store's clock: real time plus the store's clock_offset_ms. */
  now(): Date;
  /** Where and how records of an entity are kept; for the generic verbs and `listRecords`. */
  shape(entity: string): EntityMapping;
  /** What values give to others (`x-grants`), by kind. */
  grantKinds: GrantKinds;
  /** What does a call, where it is no generic verb. */
  handler(call: string): Handler | undefined;
  /** What a feature adds to the schema of a settings page. */
  settingRules(page: string): SettingRules;
  /** Something happened to a contract: an entry of its activity, and what messages and others follow. */
  activity<K extends EventKey>(contractId: number, key: K, payload: EventPayloads[K]): Promise<void>;
  /** Adds a line to the account log. */
  log(entry: LogEntry): Promise<void>;
  /** The settings document `name` with the defaults of its schema filled in. */
  setting(name: string): Promise<JsonObject>;
  /**
   * Only in a handler marked `ownTransactions`: opens a transaction and hands over a context bound to it. It commits before the promise
   * resolves. In any other handler it runs `work` on the request's own transaction.
   */
  transaction<T>(work: (context: Context) => Promise<T>): Promise<T>;
  /** Runs after the transaction committed, never after a rollback; errors are logged, not answered. */
  afterCommit(work: () => Promise<void> | void): void;
  /** Tells the error-reporting service of an error, and the log; never throws. */
  report(report: ErrorReport): void;
  queue: Queue;
  /** Where pictures of e-mails are served, without a slash at the end. */
  mailBase: string;
  /** Calls other servers; never inside a transaction (`ownTransactions`). */
  outgoing: Outgoing;
  /** Seals and opens secrets; `outgoing/secrets.ts` keeps them. */
  secrets: SecretBox;
  /** The records of domains in DNS. */
  domainRecords: DomainRecords;
  /**
   * Sends an e-mail that this call asks for, within the limits of those (`mail/by-hand.ts`).
   * @throws Refusal 429 with Retry-After when the address, or the store, had its share within the hour
   */
  mail(message: Message): Promise<void>;
  gateway: FullGateway;
  /**
   * Does work that costs much once this person has a place in its line; only where no transaction is open (`ownTransactions`).
   * @throws Refusal 503 with Retry-After when there is none in time
   */
  inLine<T>(line: Line, work: () => Promise<T>): Promise<T>;
}

/** An answer that needs more than data: paging, a message, another status, or a file. */
export class Reply {
  readonly #data: JsonValue;
  /** A list that is written already, each record in JSON: it goes into the answer as it is, in the place of `data`. */
  readonly texts: readonly string[] | undefined;
  readonly pageInfo: PageInfo | undefined;
  readonly message: string | undefined;
  readonly status: number;
  /** Sent instead of the envelope, as it is: exports, previews, pictures. */
  readonly file: ReplyFile | undefined;
  /** Members of the data that only this answer has: a repeated request gets the answer that was kept, which lacks them. */
  readonly once: readonly string[];
  constructor(
    data: JsonValue,
    options: {
      pageInfo?: PageInfo;
      message?: string;
      status?: number;
      texts?: readonly string[];
      file?: ReplyFile;
      once?: readonly string[];
    } = {},
  ) {
    this.#data = data;
    this.texts = options.texts;
    this.pageInfo = options.pageInfo;
    this.message = options.message;
    this.status = options.status ?? 200;
    this.file = options.file;
    this.once = options.once ?? [];
  }
  get data(): JsonValue {
    return this.texts?.map(text => JSON.parse(text) as JsonValue) ?? this.#data;
  }
}
export interface ReplyFile {
  name: string;
  contentType: string;
  /** A stream outlives the transaction: it must open its own through context.db. */
  content: Uint8Array | string | AsyncIterable<Uint8Array | string>;
  inline?: boolean;
}

/**
 * The function behind a call. `input` was validated against the call's schema: unknown and read-only fields refused, hidden ones stripped.
 * Throw a Refusal for everything the person can act on; anything else thrown answers 500 and saves nothing.
 */
// any: each handler names the input of its own call
export type Handler = ((context: Context, input: any, prepared?: any) => Promise<JsonValue | Reply>) & {
  ownTransactions?: true;
  validatesInput?: true;
  prepare?: (context: Context, input: any) => Promise<unknown>;
  line?: Line;
};

/**
 * Marks a handler that talks to the outside world between two transactions (a payment gateway): the request then holds no
 * transaction while it waits. Its `context.trx` can't be used; it works through `context.transaction(inner => …)`, as often as it
 * needs. It must be safe to repeat by itself.
 */
export const ownTransactions = (handler: Handler): Handler =>
  Object.assign((context: Context, input: unknown) => handler(context, input), { ownTransactions: true as const });

/**
 * Marks a handler whose work costs much: its calls stand in that line, few at once and fewer of one person, and a reading one works on
 * the few connections that are left to such work.
 */
export const inLine = <H extends Handler>(line: Line, handler: H): H => Object.assign(handler, { line });

/**
 * A handler some of whose work takes long and writes nothing (drawing a picture, trying a template): `prepare` does it before the
 * transaction, reads through `context.transaction(inner => …)`, and hands over what it found. A repeated request prepares again.
 */
export const preparedBy = <Input, Prepared>(
  prepare: (context: Context, input: Input) => Promise<Prepared>,
  handler: (context: Context, input: Input, prepared: Prepared) => Promise<JsonValue | Reply>,
): Handler => Object.assign((context: Context, input: Input, prepared: Prepared) => handler(context, input, prepared), { prepare });

/** What a call without sign-in gets (`public` in the call's line): no store, no user. */
export interface PublicContext extends Opener {
  db: Database;
  config: Config;
  requestId: string;
  ip: string;
  /** Where this process listens. */ address: string;
  /** The name by which the request came: its Host header. */ host: string | undefined;
  mailer: { kick(): void };
  background(work: Promise<unknown>): void;
  outgoing: Outgoing;
  secrets: SecretBox;
  log: StoreLog;
}
// any: each handler names the input of its own call
export type PublicHandler = (context: PublicContext, input: any) => Promise<JsonValue | Reply>;

/**
 * Marks a handler with rules of its own that wants to tell every mistake at once: it runs although the schema found some
 * (`context.inputErrors`), and must refuse them itself, together with its own.
 */
export const validatesInput = (handler: Handler): Handler =>
  Object.assign((context: Context, input: unknown) => handler(context, input), { validatesInput: true as const });

/**
 * A refusal that a person can act on. `message` says what is wrong, where, and what would be right.
 * Throwing it rolls the transaction back. `extra` goes into the error answer (for example `conflict`).
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly extra: JsonObject | undefined;
  /** Seconds for the Retry-After header of 429 and 503. */
  readonly retryAfter: number | undefined;
  constructor(status: number, code: string, message: string, errors?: FieldError[], extra?: JsonObject, retryAfter?: number) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.extra = extra;
    this.retryAfter = retryAfter;
  }
  /** The same refusal about other fields. */
  about(errors: FieldError[]): Refusal {
    return new Refusal(this.status, this.code, this.message, errors, this.extra, this.retryAfter);
  }
}

/**
 * 404: the record is not there, or belongs to another store; the answer is the same. `what`: its name in English, as of a definition or
 * of `later`.
 */
export const notFound = (what: string) =>
  new Refusal(404, 'NOT_FOUND', atStart(t`This ${translated(what)} does not exist or was deleted.`));
/** 409: the record's state does not allow this. */
export const invalidState = (message: string) => new Refusal(409, 'INVALID_STATE', message);
/** 422 on named fields: 50 of them at most, and how many more there are. The first sentence is also the message of the answer. */
export function invalid(errors: FieldError[]): Refusal {
  const message = errors[0]?.message ?? t`Some values are not valid.`;
  const more = inFigures(errors.length - 1);
  return new Refusal(
    422,
    'VALIDATION',
    errors.length <= MOST_ERRORS
      ? message
      : errors.length < MOST_COUNTED
        ? t`${message} And ${more} more fields are not valid.`
        : t`${message} And at least ${more} more fields are not valid.`,
    errors.slice(0, MOST_ERRORS),
  );
}
