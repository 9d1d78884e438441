// Serves the API document at /api/openapi.json, to everybody: it tells what there is, and nothing of a store.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Definitions } from '../../../contract/types.ts';
import { apiDocument } from '../api-document/document.ts';
import type { Services } from '../services.ts';

interface Made {
  text: string;
  packed: Buffer;
  tag: string;
}

export function registerApiDocument(app: FastifyInstance, services: Services): void {
  // Made once for the definitions in use, at the first request.
  const made = new WeakMap<Definitions, Made>();
  app.get('/api/openapi.json', { config: { line: 'none' } }, (request, reply) => {
    const { definitions, config } = services;
    let document = made.get(definitions);
    if (!document) {
      const text = JSON.stringify(apiDocument(definitions, (config.publicUrl ?? '').replace(/\/$/, '')));
      document = { text, packed: gzipSync(text), tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
      made.set(definitions, document);
    }
    const { text, packed, tag } = document;
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('etag', tag)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      ? reply.header('content-encoding', 'gzip').send(packed)
      : reply.send(text);
  });
}
