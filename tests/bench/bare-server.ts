// The least that answering a list costs: a Fastify without anything else, whose only route sends statements to PostgreSQL and answers their rows as JSON.
// usage: npx tsx tests/bench/bare-server.ts ADDRESS STATEMENTS (JSON: an array of { text, values }); says where it listens.
import Fastify from 'fastify';
import { Pool, types } from 'pg';
import type { Statement } from './recorder.ts';

/** As many connections as the server has. */
const CONNECTIONS = 10;
const [address = '', asked = '[]'] = process.argv.slice(2);
const statements = JSON.parse(asked) as Statement[];
// Numbers as numbers, as the product answers them.
types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: address, max: CONNECTIONS });
const app = Fastify();
app.get('/', async () => {
  const answers: unknown[] = [];
  for (const [n, { text, values }] of statements.entries()) answers.push((await pool.query({ name: `bare-${n}`, text, values })).rows);
  return { data: answers };
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
