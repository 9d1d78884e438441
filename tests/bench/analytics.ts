// The pages of figures at a million subscriptions with about ten million orders in 50 stores on PostgreSQL (largest 300,000), and at 5,000 on the
// embedded database: each component over HTTP with every check on, and whole pages as a browser asks for them, all components of a tab at once.
// Goals: a component at most 200 ms (p95), a page 1 s, with three filters at most twice that; embedded, a page 300 ms.
// usage: npm run bench -- analytics [--contracts 1000000] [--times 50] [--rounds 10] [--only postgres|embedded] [--keep FOLDER] [--explain ms]
// --times: so many copies are made of each subscription that is seeded (SQL, tests/bench/many-times.ts); with --keep the seeded PostgreSQL stays in
// that folder and is used again; --explain prints the plans of what takes longer than so many ms, with its statements.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { AnalyticsPage, JsonObject } from '../../src/contract/types.ts';
import { seedStores } from '../../src/server/features/demo/seed.ts';
import { readConfig } from '../../src/server/platform/config.ts';
import { openServices, type Services } from '../../src/server/platform/services.ts';
import { median, percentile, print, type Line } from './numbers.ts';
import { serve, turns } from './over-http.ts';
import { recorder, type Statement } from './recorder.ts';
import { describe, withSeeded } from './seeded.ts';

interface Goals {
  component: number;
  page: number;
}
/** The filters that a page is narrowed by beside none: what most stores have. */
const filtersOf = async ({ db }: Services): Promise<JsonObject> => {
  const { rows } = await db.ownerQuery<{ plan: number; product: number }>(
    `select (select unnest(plan_group_ids) from contracts where store_id = 1 group by 1 order by count(*) desc limit 1) as plan,
      (select unnest(product_ids) from contracts where store_id = 1 group by 1 order by count(*) desc limit 1) as product`,
  );
  return { plan: [Number(rows[0]?.plan)], product: [Number(rows[0]?.product)], country: ['US'] };
};

interface Measured {
  components: Line[];
  pages: Line[];
}
type Slow = (name: string, statements: readonly Statement[]) => Promise<void>;

async function measure(services: Services, goals: Goals, rounds: number, slow?: { from: number; explain: Slow }): Promise<Measured> {
  const http = await serve(services);
  const { during } = recorder();
  const filters = await filtersOf(services);
  const components: Line[] = [];
  const pages: Line[] = [];
  try {
    for (const page of Object.values(services.definitions.analytics) as AnalyticsPage[])
      for (const tab of page.tabs) {
        const paths = tab.sections.flatMap(section => section.components.map(({ key }) => `${page.key}.${key}`));
        const narrow = Object.fromEntries(Object.entries(filters).filter(([name]) => (page.filters as readonly string[]).includes(name)));
        for (const [words, given, factor] of [['', {}, 1] as const, [' + 3 filters', narrow, 2] as const]) {
          const ask = (path: string): Promise<unknown> => http.ask('analytics.chartOf', { path, ...given });
          for (const path of paths) {
            const [times = []] = await turns(rounds, () => ask(path));
            const p95 = percentile(times, 95);
            components.push({ name: path + words, ours: median(times), p95, ok: p95 <= goals.component * factor });
            if (slow && median(times) > slow.from) await slow.explain(path + words, (await during(() => ask(path))).statements);
          }
          const [whole = []] = await turns(Math.max(2, Math.round(rounds / 2)), () => Promise.all(paths.map(ask)));
          const p95 = percentile(whole, 95);
          pages.push({ name: `${page.key}: ${tab.key}${words}`, ours: median(whole), p95, ok: p95 <= goals.page * factor });
        }
      }
    return { components, pages };
  } finally {
    await http.close();
  }
}

/** Prints what the database does for the statements of a component, as its application's role sees it. */
async function explained(url: string, name: string, statements: readonly Statement[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    console.log(`\n-- ${name}`);
    for (const { text, values } of statements) {
      await client.query("begin; set local role perennial_app; set local app.store = '1'");
      const { rows } = await client
        .query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values)
        .catch((error: unknown) => ({
          rows: [{ 'QUERY PLAN': String(error) }],
        }));
      await client.query('rollback');
      const lines = rows.map(row => row['QUERY PLAN']);
      const took = Number(/Execution Time: ([\d.]+)/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
      if (took > 5) console.log(`${text.slice(0, 3000)}\n${lines.join('\n')}\n`);
    }
  } finally {
    await client.end();
  }
}

const figuresOnPostgres = (contracts: number, times: number, rounds: number, keep?: string, explain?: number): Promise<Measured> =>
  withSeeded({ contracts, keep, history: 'whole', times }, (services, url) =>
    measure(
      services,
      { component: 200, page: 1000 },
      rounds,
      explain === undefined ? undefined : { from: explain, explain: (name, statements) => explained(url, name, statements) },
    ),
  );

async function figuresOnEmbedded(contracts: number, rounds: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-bench-'));
  const services = await openServices({ ...readConfig({ PERENNIAL_DATA: folder, PERENNIAL_WORKERS: '0' }), port: 0 });
  try {
    await seedStores(services.db, { contracts, history: 'whole', areas: Object.keys(services.definitions.permissions) });
    await services.db.exec('vacuum analyze');
    await describe(services);
    return await measure(services, { component: 300, page: 300 }, rounds);
  } finally {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All pages, and the slowest components. */
function show(title: string, goals: string, { components, pages }: Measured): boolean {
  print(`${title} (goal: ${goals}; load of the machine at the end ${loadavg()[0]?.toFixed(1)})`, pages);
  const missed = components.filter(one => !one.ok).length;
  print(
    `the slowest of ${components.length} components (missed: ${missed})`,
    components.toSorted((a, b) => (b.p95 ?? 0) - (a.p95 ?? 0)).slice(0, Math.max(15, missed)),
  );
  return [...components, ...pages].every(one => one.ok);
}

const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: '1000000' },
    times: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    explain: { type: 'string' },
  },
});
const size = Number(values.contracts);
const rounds = Number(values.rounds);
const isMet: boolean[] = [];
if (values.only !== 'embedded') {
  // What is seeded one by one are about 20,000.
  const times = Number(values.times ?? Math.max(1, Math.round(size / 20_000)));
  const explain = values.explain === undefined ? undefined : Number(values.explain);
  const measured = await figuresOnPostgres(size, times, rounds, values.keep, explain);
  isMet.push(show(`Figures, PostgreSQL, ${size.toLocaleString('en')} subscriptions`, 'component 200 ms, page 1 s, p95', measured));
}
if (values.only !== 'postgres')
  isMet.push(show('Figures, embedded, 5,000 subscriptions', 'page 300 ms, p95', await figuresOnEmbedded(Math.min(size, 5000), rounds)));
if (isMet.includes(false)) process.exitCode = 1;
