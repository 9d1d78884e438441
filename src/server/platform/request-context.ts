// Makes the context that handlers, verbs and jobs work with, for one transaction of one store.
import type { Kysely } from 'kysely';
import type { FieldError, Session } from '../../contract/types.ts';
import type { Tables } from '../../generated/tables.ts';
import { ownerOf } from './auth/sessions.ts';
import type { Database } from './db/database.ts';
import type { Context, ContextUser, LogEntry, Message, Source, Store } from './context.ts';
import { emit } from './events/emit.ts';
import { mailBase } from './mail/letterhead.ts';
import { mailByHand } from './mail/by-hand.ts';
import type { Services } from './services.ts';
import { writeLog } from './records/account-log.ts';
import { readSetting } from './records/settings.ts';

export interface About {
  store: Store;
  session: Session;
  user: ContextUser;
  source: Source;
  requestId: string;
  ip: string;
  sessionKey?: Uint8Array;
  expectedVersion?: number;
  inputErrors?: readonly FieldError[];
  /** Other connections than those of calls. */
  db?: Database;
}

/** What a transaction leaves to do once it is committed, and what it wrote to the account log. */
export interface AfterCommit {
  afterCommit: (() => Promise<void> | void)[];
  logged: number;
  mailed: number;
}
export const afterCommit = (): AfterCommit => ({ afterCommit: [], logged: 0, mailed: 0 });

/**
 * A context on a transaction. `trx` null: a context for a handler with transactions of its own, whose `trx` can't be used.
 * @param after collects what follows the commit; the caller runs it with `finish`
 */
export function makeContext(
  services: Services,
  about: About,
  trx: Kysely<Tables> | null,
  after: AfterCommit,
  fields: { call?: string } = {},
): Context {
  const { store, user } = about;
  const now = (): Date => new Date(Date.now() + store.clock_offset_ms);
  const context: Context = {
    get trx(): Kysely<Tables> {
      if (!trx) throw new Error(`${fields.call ?? 'This handler'} opens its own transactions: use context.transaction(inner => …).`);
      return trx;
    },
    db: about.db ?? services.db,
    definitions: services.definitions,
    config: services.config,
    storeId: store.id,
    store,
    session: about.session,
    user,
    source: about.source,
    requestId: about.requestId,
    ip: about.ip,
    address: services.config.publicUrl ?? services.address,
    sessionKey: about.sessionKey,
    expectedVersion: about.expectedVersion,
    inputErrors: about.inputErrors ?? [],
    now,
    queue: services.queue,
    mailBase: mailBase(services),
    outgoing: services.outgoing,
    secrets: services.secrets,
    domainRecords: services.domainRecords,
    gateway: services.gateway,
    shape: entity => services.shape(entity),
    grantKinds: services.registry.grants,
    handler: call => services.handlers.get(call),
    settingRules: page => services.registry.settingRules[page] ?? {},

    inLine: (line, work) => services.shares.run(line, ownerOf(about), work),

    async transaction(work) {
      if (trx) return work(context);
      const own = afterCommit();
      const result = await services.db.inStore(store.id, inner => {
        Object.assign(own, afterCommit());
        return work(makeContext(services, about, inner, own, fields));
      });
      after.logged += own.logged;
      await finish(services, own, about.requestId);
      return result;
    },
    async activity(contractId, key, payload) {
      await emit(context.trx, { storeId: store.id, contractId, key, payload, source: about.source, entity: user.email, at: now() });
    },
    async log(entry: LogEntry) {
      after.logged++;
      const { source, ip, requestId } = about;
      await writeLog(context.trx, store.id, entry, { userId: user.id, userEmail: user.email, source, ip, requestId, at: now() });
    },
    async setting(name: string) {
      return (await readSetting(context, name)).data;
    },
    report(report) {
      services.log.warn(
        {
          origin: report.origin,
          message: report.message,
          sourceFunction: report.sourceFunction,
          file: report.file,
          storeId: store.id,
          requestId: about.requestId,
        },
        'An error was reported.',
      );
      services.reporter.report(report);
    },
    afterCommit(work) {
      after.afterCommit.push(work);
    },
    async mail(message: Message) {
      after.mailed++;
      await mailByHand(context.trx, store.id, message, now());
    },
  };
  return context;
}

/** What follows a commit: mail is sent, promised work is done. Its errors are logged; the answer is given already. */
export async function finish(services: Services, after: AfterCommit, requestId: string): Promise<void> {
  if (after.mailed) services.mailer.kick();
  for (const work of after.afterCommit) {
    try {
      await work();
    } catch (error) {
      services.log.error({ err: error, requestId }, 'Work after a commit failed.');
    }
  }
}
