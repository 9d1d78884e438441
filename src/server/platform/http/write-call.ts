// Runs a writing call once for each key, and keeps its answer.
import { sql } from 'kysely';
import { writeAnswer } from '../../../contract/response.ts';
import type { JsonValue, Call, JsonObject, Definitions } from '../../../contract/types.ts';
import { Reply, type Context } from '../context.ts';
import { type About, type AfterCommit, afterCommit, makeContext, finish } from '../request-context.ts';
import type { Services } from '../services.ts';
import { answerTo } from './error-responses.ts';
import { type Kept, type KeyOf, claim, keep, release } from './idempotency.ts';

interface Written {
  result?: JsonValue | Reply;
  stored?: Kept;
  isReplay?: boolean;
}

/**
 * One write, with its idempotency record, its effect and its account log in one transaction (in three around a handler with its own).
 * `timeoutMs`: how long it may take where the call had to wait before; once a handler of its own has begun, what it did is noted as ever.
 */
export async function runWrite(
  services: Services,
  call: Call,
  about: About,
  input: JsonObject,
  work: (context: Context) => Promise<JsonValue | Reply>,
  ownTransactions: boolean,
  keyed: KeyOf | undefined,
  timeoutMs: number | undefined,
): Promise<Written> {
  const { db, definitions } = services;
  const storeId = about.store.id;
  const after: AfterCommit = afterCommit();
  const logged = async (context: Context): Promise<void> => {
    if (after.logged === 0) await logCall(context, definitions, call, input);
  };

  if (ownTransactions) {
    if (keyed) {
      const stored = await db.inStore(storeId, trx => claim(trx, keyed), { timeoutMs });
      if (stored) return { stored, isReplay: true };
    }
    const context = makeContext(services, about, null, after, { call: call.name });
    try {
      const result = await work(context);
      if (after.logged === 0) await context.transaction(inner => logCall(inner, definitions, call, input));
      const stored = keyed && keptOf(definitions, call, result);
      if (keyed) await db.inStore(storeId, trx => (stored ? keep(trx, keyed, stored) : release(trx, keyed)));
      await finish(services, after, about.requestId);
      return stored ? { stored } : { result };
    } catch (error) {
      if (!keyed) throw error;
      const refused = refusalText(error, about.requestId);
      await db.inStore(storeId, trx => (refused ? keep(trx, keyed, refused) : release(trx, keyed)));
      throw error;
    }
  }

  const written = await db.inStore(
    storeId,
    async (trx): Promise<Written & { error?: unknown }> => {
      Object.assign(after, afterCommit());
      const context = makeContext(services, about, trx, after, { call: call.name });
      if (!keyed) {
        const result = await work(context);
        await logged(context);
        return { result };
      }
      const replay = await claim(trx, keyed);
      if (replay) return { stored: replay, isReplay: true };
      await sql`savepoint work`.execute(trx);
      try {
        const result = await work(context);
        await logged(context);
        const stored = keptOf(definitions, call, result);
        if (stored) await keep(trx, keyed, stored);
        else await release(trx, keyed);
        return stored && !isSecret(result) ? { stored } : { result };
      } catch (error) {
        const refused = refusalText(error, about.requestId);
        if (!refused) throw error;
        await sql`rollback to savepoint work`.execute(trx);
        Object.assign(after, afterCommit());
        await keep(trx, keyed, refused);
        return { error };
      }
    },
    { timeoutMs },
  );
  if (written.error) throw written.error;
  await finish(services, after, about.requestId);
  return written;
}

/** Refusals of the work itself are kept; what says nothing about it (signed out, too many, busy) is not. */
function refusalText(error: unknown, requestId: string): Kept | undefined {
  const { status, body, isOurs } = answerTo(error, requestId);
  return isOurs || status >= 500 || status === 429 || status === 401 ? undefined : { status, text: JSON.stringify(body) };
}

const keptOf = (definitions: Definitions, call: Call, result: JsonValue | Reply): Kept | undefined => {
  if (result instanceof Reply && result.file) return undefined;
  return {
    status: result instanceof Reply ? result.status : 200,
    text: textOf(definitions, call, isSecret(result) ? withoutSecrets(result) : result),
  };
};

/** Whether an answer holds what is shown once and is not stored. */
const isSecret = (result: JsonValue | Reply): result is Reply => result instanceof Reply && result.once.length > 0;
const withoutSecrets = ({ data, once }: Reply): JsonValue =>
  Object.fromEntries(Object.entries((data ?? {}) as JsonObject).filter(([name]) => !once.includes(name)));

/** Stands for a list that is written already: no value that the database holds, and no message, has it. */
const MARK = '\0';
const MARKED = JSON.stringify(MARK);

/** The body of an answer. */
export function textOf(definitions: Definitions, call: Call, result: JsonValue | Reply): string {
  const host = definitions.hosts[call.host];
  if (!host) throw new Error(`There is no host "${call.host}".`);
  if (!(result instanceof Reply)) return JSON.stringify(writeAnswer(call, host, result ?? null));
  const { texts, pageInfo, message } = result;
  const isReady = texts !== undefined && !call.decode;
  const text = JSON.stringify(writeAnswer(call, host, isReady ? MARK : result.data, pageInfo, message));
  return isReady ? text.replace(MARKED, () => `[${texts.join(',')}]`) : text;
}
/** How long an input is that stands in the log of a call, at most; of a longer one only its length does. */
const MOST_LOGGED = 20_000;

/** Every write leaves a line, also when its handler wrote none. */
export async function logCall(context: Context, definitions: Definitions, call: Call, input: JsonObject): Promise<void> {
  // Long texts are counted, not written.
  let long = 0;
  const text = JSON.stringify(input, (_name, value: JsonValue) => {
    if (typeof value !== 'string' || value.length <= MOST_LOGGED) return value;
    long += value.length;
    return '';
  });
  const characters = text.length + long;
  const id = typeof input.id === 'number' || typeof input.id === 'string' ? input.id : undefined;
  const one = definitions.entities[call.of]?.['x-record']?.name.one;
  await context.log({
    action: call.name,
    category: definitions.tables[call.table]?.title ?? call.table,
    description: `${call.title ?? call.key}${id !== undefined && one ? `: ${one} #${id}` : ''}`,
    entity: call.of,
    ...(id !== undefined ? { entityId: id } : {}),
    after: characters > MOST_LOGGED ? { characters } : input,
  });
}
