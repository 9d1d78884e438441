// POST /in/<kind>/<store>: another server tells of what happened there. What it says is a hint: it is checked to be genuine, remembered by
// its id, answered at once, and worked off after that, when what it is about is read again. So events may come twice, late, in any order.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { Refusal } from '../context.ts';
import type { Services } from '../services.ts';
import { networkOf } from './client-address.ts';
import { FailedAttempts } from './request-guards.ts';
import { storeNamed } from './store-in-path.ts';

/** What an event says: its own id and kind, and of its subject what is needed to find it here. Nothing personal is kept of it. */
export interface Hint {
  id: string;
  type: string;
  subject: JsonObject;
}
export interface Arrived {
  storeId: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
/** What takes the events of one kind of server: a file in a feature's incoming/. */
export interface Incoming {
  /** How its address names it. */
  kind: string;
  /** The hint of an event that is genuine; null for what is of no use here. @throws Refusal 400, 401; 404 without a connection */
  read(services: Services, arrived: Arrived): Promise<Hint | null>;
  /** Reads what the hint is about, and follows it. Repeated and in any order it comes to the same. A rejection: once more later. */
  follow(services: Services, storeId: number, hint: Hint): Promise<void>;
}

export const INCOMING_PATH = '/in/:kind/:store';
export const incomingPath = (kind: string, storeId: number): string =>
  INCOMING_PATH.replace(':kind', kind).replace(':store', String(storeId));

/** Refused requests within a minute from one network. */
const MOST_REFUSED = 60;
/** Events worked off at once, right after their answer. */
const AT_ONCE = 4;
/** The largest event (bytes). */
const MOST_BYTES = 262_144;
/** Minutes until what failed is tried again, each time longer; then it is given up. */
const AGAIN_MINUTES = [1, 5, 30, 60, 180, 360, 720, 1440];

export function registerIncoming(app: FastifyInstance, services: Services): void {
  if (services.incoming.length === 0) return;
  const refused = new FailedAttempts(MOST_REFUSED);
  let underWay = 0;
  void app.register(async scope => {
    // A signature is of the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done) =>
      done(null, body),
    );
    const take = async (request: FastifyRequest<{ Params: { kind: string; store: string } }>): Promise<object> => {
      const { kind, store } = request.params;
      const incoming = services.incoming.find(one => one.kind === kind);
      const storeId = incoming ? await storeNamed(services, store) : 0;
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      );
      try {
        if (!incoming || !storeId) throw nothingHere();
        if (!(request.body instanceof Buffer)) throw new Refusal(400, 'BAD_REQUEST', t`Send the event as application/json.`);
        const hint = await incoming.read(services, { storeId, headers, body: request.body.toString('utf8') });
        // Of many at once most are left to the job.
        if (hint && (await remember(services, storeId, kind, hint)) && underWay < AT_ONCE) {
          underWay++;
          services.background(work(services, { storeId, kind, id: hint.id }).finally(() => underWay--));
        }
        return { received: true };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const wait = refused.note(networkOf(services.clientAddress(request.raw)));
        if (wait > 0)
          throw new Refusal(429, 'TOO_MANY_REQUESTS', t`Too many events that are refused. Try again later.`, undefined, undefined, wait);
        throw error;
      }
    };
    scope.route({ method: 'POST', url: INCOMING_PATH, bodyLimit: MOST_BYTES, handler: take });
  });
}
export const nothingHere = (): Refusal => new Refusal(404, 'NOT_FOUND', t`There is nothing at this address.`);

/** Whether the event is a new one. */
async function remember({ db }: Services, storeId: number, kind: string, { id, type, subject }: Hint): Promise<boolean> {
  return db.inStore(storeId, async trx => {
    const { rows } = await sql`insert into incoming_events (store_id, kind, event_id, type, subject)
      values (${storeId}::integer, ${kind}, ${id}, ${type}, ${JSON.stringify(subject)}::jsonb) on conflict do nothing returning 1`.execute(
      trx,
    );
    return rows.length > 0;
  });
}

export interface Remembered {
  storeId: number;
  kind: string;
  id: string;
}

/** Works off one event that is remembered and due; the next one who looks takes it over after some minutes. */
export async function work(services: Services, { storeId, kind, id }: Remembered): Promise<void> {
  const event = await services.db.inStore(storeId, async trx => {
    const { rows } = await sql<{ type: string; subject: JsonObject; tries: number }>`
      update incoming_events set tries = tries + 1, try_at = now() + interval '5 minutes'
      where store_id = ${storeId}::integer and kind = ${kind} and event_id = ${id} and status = 'WAITING' and try_at <= now()
      returning type, subject, tries`.execute(trx);
    return rows[0];
  });
  if (!event) return;
  const { tries, type, subject } = event;
  let error: unknown;
  try {
    await services.incoming.find(one => one.kind === kind)?.follow(services, storeId, { id, type, subject });
  } catch (caught) {
    error = caught;
    services.log.error(
      { err: caught, storeId, event: id, type },
      'An event of another server could not be followed; it is tried again later.',
    );
  }
  const minutes = AGAIN_MINUTES[tries - 1];
  const status = error === undefined ? 'DONE' : minutes === undefined ? 'FAILED' : 'WAITING';
  await services.db.inStore(storeId, trx =>
    sql`update incoming_events set status = ${status}, try_at = now() + ${minutes ?? 0}::integer * interval '1 minute',
        done_at = case when ${status} = 'WAITING' then null else now() end
      where store_id = ${storeId}::integer and kind = ${kind} and event_id = ${id}`.execute(trx),
  );
}
