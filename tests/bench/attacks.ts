// What a list costs while others ask for as much as they can: pages, pictures, previews, files and charts of one store, and a customer who
// is erased there. The list is another store's; each figure stands beside twice what it is at rest, in one run of the built server on
// PostgreSQL. usage: npm run bench -- attacks [--contracts 200000] [--seconds 8] [--only
// pages,portal,pictures,templates,exports,charts,erasing] [--keep FOLDER]
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import sharp from 'sharp';
import { componentsOf } from '../../src/contract/analytics.ts';
import { buildRequest } from '../../src/contract/request.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { openSession } from '../../src/server/platform/auth/sessions.ts';
import { portalLink } from '../../src/server/engine/portal-link.ts';
import type { Services } from '../../src/server/platform/services.ts';
import { start } from './load.ts';
import { percentile } from './numbers.ts';
import { clientOf } from './over-http.ts';
import { withSeeded } from './seeded.ts';

/** The largest store, whose people and links attack, and the one that only wants its list. */
const ATTACKED = 1;
const OTHER = 2;
/** How much slower the other store's list may be while something goes on. */
const GOAL = 2;
const CONNECTIONS = 200;
const GREEDY = 16;

const { values: options } = parseArgs({
  options: {
    contracts: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '8' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const seconds = Number(options.seconds);

interface Scene {
  services: Services;
  url: string;
  token: string;
  ask(name: string, input: JsonObject): Promise<JsonObject>;
}

/** A page that everybody opens, or a call that one member makes again and again: returns how many were answered and refused a second. */
async function fire(
  scene: Scene,
  connections: number,
  requests: { path: string; method?: string; body?: string; headers?: Record<string, string> }[],
): Promise<string> {
  const common = { authorization: scene.token, 'content-type': 'application/json' };
  // An attack that nothing answers attacks nothing.
  for (const { path, method = 'GET', body, headers } of requests) {
    const given = { method, headers: { ...common, ...headers }, ...(body === undefined ? {} : { body }) };
    // A checkout link leads to the shop, which is elsewhere.
    const answer = await fetch(scene.url + path, { ...given, redirect: 'manual' });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  const result = await autocannon({
    url: scene.url,
    connections,
    duration: seconds,
    timeout: 60,
    headers: common,
    requests: requests.map(({ method = 'GET', ...rest }) => ({ ...rest, method })),
  });
  const refused = result['4xx'] + result['5xx'];
  return `${Math.round(result.requests.average)}/s, ${refused} of ${result.requests.total} refused`;
}
const requestOf = (
  { services: { definitions } }: Scene,
  name: string,
  input: JsonObject,
): { path: string; method: string; body?: string } => {
  const { url, method, body } = buildRequest(definitions, definitions.calls[name]!, input, {});
  return { path: url, method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
};

const one = async <T>({ services }: Scene, text: string): Promise<T> => {
  const [row] = (await services.db.ownerQuery<T & Record<string, unknown>>(text)).rows;
  if (!row) throw new Error(`Nothing was found: ${text}`);
  return row;
};

const ATTACKS: Record<string, (scene: Scene) => Promise<string>> = {
  pages: async scene => {
    const { id } = await one<{ id: number }>(scene, `select id from variants where store_id = ${ATTACKED} and deleted_at is null limit 1`);
    const made = await scene.ask('checkout-links.create', { name: `Everywhere ${Date.now()}`, items: [{ variantId: id }] });
    const address = /"(?:https?:\/\/[^"/]+)?(\/c\/[^"]+)"/.exec(JSON.stringify(made))?.[1];
    if (!address) throw new Error(`The link has no address: ${JSON.stringify(made)}`);
    return fire(scene, CONNECTIONS, [{ path: address }]);
  },
  portal: async scene => {
    const found = await one<{ id: number; portal_token: string; contract_id: number }>(
      scene,
      `select c.id, c.portal_token, k.id as contract_id from customers c join contracts k on k.store_id = c.store_id and k.customer_id = c.id
        where c.store_id = ${ATTACKED} and k.status = 'ACTIVE' limit 1`,
    );
    const link = portalLink({ ...scene.services.config, portalUrl: scene.url }, found, found.contract_id, new Date());
    if (!link) throw new Error('There is no portal.');
    // The first visit brings the cookie; what costs is the page behind it.
    const { headers } = await fetch(link, { redirect: 'manual' });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return fire(scene, CONNECTIONS, [{ path: headers.get('location') ?? '', headers: { cookie } }]);
  },
  pictures: async scene => {
    const noise = await sharp({
      create: { width: 2500, height: 2500, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
      .jpeg({ quality: 60 })
      .toBuffer();
    const input = { name: 'noise.jpg', content: noise.toString('base64') };
    return fire(scene, GREEDY, [requestOf(scene, 'email-branding.image', input)]);
  },
  templates: async scene => {
    const body = '<p>{% for i in (1..1500) %}{{ i }}{% endfor %}</p>';
    return fire(scene, GREEDY, [requestOf(scene, 'email-templates.preview', { prefKey: 'CUSTOMER_PORTAL_LINK', subject: 'Hello', body })]);
  },
  exports: scene => fire(scene, GREEDY, [requestOf(scene, 'subscription-contract.export', {})]),
  charts: scene =>
    fire(
      scene,
      GREEDY,
      Object.values(scene.services.definitions.analytics)
        .flatMap(page => componentsOf(page).flatMap(({ key, source }) => (source === undefined ? [`${page.key}.${key}`] : [])))
        .slice(0, 8)
        .map(path => requestOf(scene, 'analytics.chart', { path })),
    ),
  erasing: async scene => {
    const { id, email } = await one<{ id: number; email: string }>(
      scene,
      `select c.id, c.email from customers c where c.store_id = ${ATTACKED} and c.erased_at is null and exists (select 1 from contracts k
        where k.store_id = c.store_id and k.customer_id = c.id) and not exists (select 1 from contracts k where k.store_id = c.store_id
        and k.customer_id = c.id and k.status in ('ACTIVE', 'PAUSED', 'FAILED')) limit 1`,
    );
    await scene.services.db.ownerQuery(`insert into events (store_id, contract_id, key, data, source)
      select ${ATTACKED}, (select min(id) from contracts where store_id = ${ATTACKED} and customer_id = ${id}), 'note_updated',
        '{"note":"ring twice"}', 'System' from generate_series(1, 59000)`);
    const from = performance.now();
    await scene.ask('customers-app.erase', { id, email });
    const answered = performance.now() - from;
    for (;;) {
      const { open } = await one<{ open: boolean }>(
        scene,
        `select exists (select 1 from runs where kind = 'ERASE_CUSTOMER' and status in ('QUEUED', 'IN_PROGRESS')) as open`,
      );
      if (!open) break;
      await sleep(100);
    }
    return `answered after ${Math.round(answered)} ms, done after ${((performance.now() - from) / 1000).toFixed(1)} s`;
  },
};

const asked = options.only?.split(',') ?? Object.keys(ATTACKS);
const unknown = asked.find(name => !(name in ATTACKS));
if (unknown) throw new Error(`There is no attack "${unknown}". There are: ${Object.keys(ATTACKS).join(', ')}.`);

let missed = 0;
await withSeeded({ contracts: Number(options.contracts), keep: options.keep, history: 'latest' }, async (services, databaseUrl) => {
  const server = await start({ DATABASE_URL: databaseUrl });
  try {
    const { token } = await services.db.asSystem(trx => openSession(trx, ATTACKED, ATTACKED * 1000 + 1, 24));
    const { ask } = await clientOf(services, server.url);
    const other = await clientOf(services, server.url, OTHER);
    const scene: Scene = { services, url: server.url, token, ask };
    const LIST = { pageSize: 25, sort: 'createdAtEpoch', order: 'DESC' };
    const p99While = async (work: () => Promise<unknown>): Promise<number> =>
      percentile(await other.askMeanwhile('subscription-contract.list', LIST, work), 99);
    await p99While(() => sleep(2000));
    const rest = await p99While(() => sleep(seconds * 1000));
    console.log(`\n  the other store's list at rest: p99 ${rest.toFixed(1)} ms\n`);
    console.log(`  ${'attack'.padEnd(12)}${'p99 ms'.padStart(10)}${'goal'.padStart(10)}          what was asked meanwhile`);
    for (const name of asked) {
      let meanwhile = '';
      const p99 = await p99While(async () => {
        meanwhile = await ATTACKS[name]!(scene);
      });
      const isMet = p99 <= GOAL * rest;
      if (!isMet) missed++;
      console.log(
        `  ${name.padEnd(12)}${p99.toFixed(1).padStart(10)}${`≤ ${(GOAL * rest).toFixed(1)}`.padStart(10)}  ${isMet ? 'ok    ' : 'MISSED'}  ${meanwhile}`,
      );
      await sleep(2000);
    }
  } finally {
    await server.stop();
  }
});
process.exit(missed ? 1 : 0);
