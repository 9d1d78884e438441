// A running server, as people meet it: where it is, how to sign in, and how it stops.
import type { FastifyInstance } from 'fastify';
import { openSession } from './auth/sessions.ts';
import type { Config } from './config.ts';
import type { Services } from './services.ts';

/** How long running requests may take to finish when the server stops (ms). */
const GRACE = 10_000;

/** Where people reach the server: the configured address, else the one it listens on. */
export function addressOf(app: FastifyInstance, config: Config): string {
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** A link that signs in the owner of the first store; only printed where whoever reads the terminal owns the database anyway. */
export async function signInLink(services: Services, address: string): Promise<string | undefined> {
  if (services.db.kind !== 'embedded') return undefined;
  return services.db.asSystem(async trx => {
    const owner = await trx.selectFrom('users').select(['store_id', 'id']).where('type', '=', 'OWNER').where('removed_at', 'is', null).orderBy('store_id').executeTakeFirst();
    if (!owner) return undefined;
    const { token } = await openSession(trx, owner.store_id, owner.id, services.config.tokenHours);
    return `${services.config.publicUrl ?? address}/?loop_token=${token}`;
  });
}

/** Says where the server is, for people. */
export async function greet(services: Services, address: string): Promise<void> {
  const link = await signInLink(services, address);
  const lines = [`Perennial listens on ${services.config.publicUrl ?? address}`, ...(link ? [`Sign in as the owner:  ${link}`] : []), ...(services.config.demo && !services.config.smtpUrl ? [`Mail can be read at    ${address}/dev/outbox`] : [])];
  process.stdout.write(`\n  ${lines.join('\n  ')}\n\n`);
}

/** Stops once: no new requests, running ones finish, jobs are handed back, the database is closed. */
export function stopOnSignals(services: Services, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    services.log.info({ signal }, 'Stopping.');
    services.state = 'closing';
    const late = setTimeout(() => { services.log.warn({}, 'Some requests did not finish in time.'); process.exit(1); }, GRACE + 15_000);
    late.unref();
    let code = 0;
    try { await Promise.race([close(), new Promise(resolve => { setTimeout(resolve, GRACE).unref(); })]); } catch (error) { services.log.error({ err: error }, 'Stopping failed.'); code = 1; }
    try { await services.close(); } catch (error) { services.log.error({ err: error }, 'Closing failed.'); code = 1; }
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}
