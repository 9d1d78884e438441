// What the monitoring of the server reads: whether it lives and can work, and its figures in the form of Prometheus.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashToken } from '../auth/tokens.ts';
import { eventLag } from '../events/sweep.ts';
import { sendJson } from '../http/request-guards.ts';
import type { Services } from '../services.ts';
import { backlogText } from './backlog.ts';
import { CONTENT_TYPE } from './process-metrics.ts';

/** Addresses that are read by machines next to the server, by whatever name they know it. */
export const isMonitoring = (url: string): boolean => /^\/(healthz|readyz|metrics)(\?|$)/.test(url);

/** Whether a request carries the key for watching over the server. */
const mayWatch = ({ statusKey }: Services['config'], { headers }: FastifyRequest): boolean =>
  statusKey !== undefined && timingSafeEqual(hashToken(headers.authorization ?? ''), hashToken(`Bearer ${statusKey}`));

/** `/healthz`, `/readyz` and `/metrics`. They stand in no line: they answer while the server is overloaded. */
export function registerMonitoring(app: FastifyInstance, services: Services): void {
  app.get('/healthz', { config: { line: 'none' } }, async () => ({ ok: true }));
  app.get('/readyz', { config: { line: 'none' } }, async (request, reply) => {
    const no = (message: string) => sendJson(reply, 503, JSON.stringify({ ok: false, message, requestId: request.id }), 1);
    if (services.state !== 'ready') return no(services.state === 'starting' ? 'The server is starting.' : 'The server is closing.');
    try {
      await services.db.ping();
      if ((request.query as Record<string, unknown>).details !== undefined && mayWatch(services.config, request))
        return { ok: true, events: await eventLag(services.db) };
    } catch {
      return no('The database does not answer.');
    }
    return { ok: true };
  });
  app.get('/metrics', { config: { line: 'none' } }, async (request, reply) => {
    if (!mayWatch(services.config, request)) {
      const message = 'Send the key of the monitoring (PERENNIAL_STATUS_KEY) as "Authorization: Bearer …".';
      return sendJson(reply, 401, JSON.stringify({ success: false, code: 'UNAUTHORIZED', message, requestId: request.id }));
    }
    const [processes, backlog] = await Promise.all([services.processText(), backlogText(services, services.backlogs)]);
    return reply.type(CONTENT_TYPE).send(`${processes}\n${backlog}`);
  });
}
