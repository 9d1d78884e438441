// Finds handlers, jobs, guards and what features add to the generic verbs by their files: nothing is registered
// by hand. The build writes the imports out.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Call, Definitions } from '../../contract/types.ts';
import type { Handler, PublicHandler } from './context.ts';
import type { EventConsumer } from './events/consumer.ts';
import type { DeliverySender } from './deliveries/sender.ts';
import type { Beginning } from './auth/open-store.ts';
import type { Incoming } from './http/incoming.ts';
import type { PublicPage } from './http/public-pages.ts';
import type { JobModule } from './queue/job.ts';
import type { Backlog } from './metrics/backlog.ts';
import type { Retention } from './records/retention.ts';
import { entityOf, type Rules } from './records/rules.ts';
import type { Guard, Registry } from './records/registry.ts';

export interface Modules extends Registry {
  /** "<table>.<key>" -> function: the exports of features/<feature>/calls/<table>.ts. */
  handlers: Map<string, Handler & PublicHandler>;
  jobs: JobModule[];
  consumers: EventConsumer[];
  senders: DeliverySender[];
  pages: PublicPage[];
  incoming: Incoming[];
  backlogs: Backlog[];
  retention: Retention[];
  beginnings: Beginning[];
  /** Verb -> what makes the handler of a call that does it, where the call has none of its own. */
  verbs: Record<string, (call: Call) => Handler | undefined>;
}

/**
 * What a file of a feature is for, by its name: rules.ts, setting-rules.ts, runs.ts, catalogues.ts, documents.ts, charts.ts, chart-rows.ts,
 * grants.ts, verbs.ts, backlogs.ts, retention.ts, new-store.ts.
 * Each file of its folder calls/ holds the handlers of a call table, each of jobs/ a job, each of consumers/ a consumer of events, each of
 * senders/ one that makes requests of deliveries, each of pages/ a page for customers, each of incoming/ what takes the events of a kind of
 * server.
 */
const OF_FEATURES = [
  'rules',
  'setting-rules',
  'runs',
  'catalogues',
  'documents',
  'charts',
  'chart-rows',
  'grants',
  'verbs',
  'backlogs',
  'retention',
  'new-store',
] as const;
type Kind = (typeof OF_FEATURES)[number] | 'handlers' | 'jobs' | 'consumers' | 'senders' | 'pages' | 'incoming';

export interface ModuleFile {
  kind: Kind;
  /** Of handlers, the call table. */
  name: string;
  path: string;
}

/** Every such file below `server` (the folder src/server), and the jobs of the platform, in a fixed order. */
export function moduleFiles(server = dirname(dirname(fileURLToPath(import.meta.url)))): ModuleFile[] {
  const filesIn = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter(file => file.endsWith('.ts'))
          .sort()
      : [];
  const found: ModuleFile[] = [];
  const add = (kind: Kind, folder: string): void => {
    for (const file of filesIn(folder)) found.push({ kind, name: file.slice(0, -'.ts'.length), path: join(folder, file) });
  };
  add('jobs', join(server, 'platform/jobs'));
  const features = join(server, 'features');
  const folders = existsSync(features) ? readdirSync(features, { withFileTypes: true }).filter(entry => entry.isDirectory()) : [];
  for (const feature of folders.map(({ name }) => name).sort()) {
    add('handlers', join(features, feature, 'calls'));
    add('jobs', join(features, feature, 'jobs'));
    add('consumers', join(features, feature, 'consumers'));
    add('senders', join(features, feature, 'senders'));
    add('pages', join(features, feature, 'pages'));
    add('incoming', join(features, feature, 'incoming'));
    for (const file of filesIn(join(features, feature))) {
      const kind = OF_FEATURES.find(one => file === `${one}.ts`);
      if (kind) found.push({ kind, name: feature, path: join(features, feature, file) });
    }
  }
  return found;
}

type Exports = Record<string, unknown>;
const isFunction = (value: unknown): value is (...given: never[]) => unknown => typeof value === 'function';

/**
 * What modules export, as the server uses it. `delete_` stands for delete, which is no name for a function.
 * @throws Error for a name that two features use
 */
export function gather(modules: readonly { kind: Kind; name: string; exports: Exports }[]): Modules {
  const found: Modules = {
    handlers: new Map(),
    jobs: [],
    consumers: [],
    senders: [],
    pages: [],
    incoming: [],
    backlogs: [],
    retention: [],
    beginnings: [],
    guards: {},
    grants: {},
    rules: {},
    settingRules: {},
    runs: {},
    catalogues: {},
    documents: {},
    charts: {},
    chartRows: {},
    verbs: {},
  };
  const add = <T>(into: Record<string, T>, name: string, value: T, file: string): void => {
    if (into[name]) throw new Error(`"${name}" is exported by two features' ${file}. Give one of them another name.`);
    into[name] = value;
  };
  for (const { kind, name, exports } of modules)
    for (const [key, value] of Object.entries(exports)) {
      if (kind === 'handlers' && isFunction(value))
        found.handlers.set(`${name}.${key === 'delete_' ? 'delete' : key}`, value as Handler & PublicHandler);
      else if (kind === 'jobs') {
        if (
          value !== null &&
          typeof value === 'object' &&
          isFunction((value as JobModule).run) &&
          typeof (value as JobModule).name === 'string'
        )
          found.jobs.push(value as JobModule);
      } else if (kind === 'consumers') {
        if (isFunction((value as EventConsumer | null)?.handle)) found.consumers.push(value as EventConsumer);
      } else if (kind === 'senders') {
        if (isFunction((value as DeliverySender | null)?.prepare)) found.senders.push(value as DeliverySender);
      } else if (kind === 'pages') {
        if (isFunction((value as PublicPage | null)?.get)) found.pages.push(value as PublicPage);
      } else if (kind === 'incoming') {
        if (isFunction((value as Incoming | null)?.read)) found.incoming.push(value as Incoming);
      } else if (kind === 'rules' && key === 'guards') Object.assign(found.guards, value as Record<string, Guard>);
      else if (kind === 'rules') add(found.rules, entityOf(key), value as Rules, 'rules.ts');
      else if (kind === 'setting-rules' && key === 'settingRules')
        for (const [page, one] of Object.entries(value as Registry['settingRules'])) add(found.settingRules, page, one, 'setting-rules.ts');
      else if (kind === 'grants' && key === 'grants')
        for (const [name, one] of Object.entries(value as Registry['grants'])) add(found.grants, name, one, 'grants.ts');
      else if (kind === 'verbs' && key === 'verbs')
        for (const [verb, one] of Object.entries(value as Modules['verbs'])) add(found.verbs, verb, one, 'verbs.ts');
      else if (kind === 'backlogs' && key === 'backlogs') found.backlogs.push(...(value as Backlog[]));
      else if (kind === 'retention' && key === 'retention') found.retention.push(...(value as Retention[]));
      else if (kind === 'new-store' && key === 'begin') found.beginnings.push(value as Beginning);
      else if (kind === 'runs' && key === 'runs')
        for (const [run, definition] of Object.entries(value as Registry['runs'])) add(found.runs, run, definition, 'runs.ts');
      else if (kind === 'catalogues' && isFunction(value))
        add(found.catalogues, key, value as Registry['catalogues'][string], 'catalogues.ts');
      else if (kind === 'documents' && isFunction(value)) add(found.documents, key, value as Registry['documents'][string], 'documents.ts');
      else if (kind === 'charts' && isFunction(value)) add(found.charts, key, value as Registry['charts'][string], 'charts.ts');
      else if (kind === 'chart-rows' && isFunction(value))
        add(found.chartRows, key, value as Registry['chartRows'][string], 'chart-rows.ts');
    }
  return found;
}

/** The handlers with those that verbs of features make for calls without one of their own. */
export function withVerbs({ handlers, verbs }: Modules, { calls }: Pick<Definitions, 'calls'>): Modules['handlers'] {
  const all = new Map(handlers);
  for (const call of Object.values(calls)) {
    const made = all.has(call.name) ? undefined : verbs[call.does]?.(call);
    if (made) all.set(call.name, made as Handler & PublicHandler);
  }
  return all;
}

/** Imports every module. */
export async function loadModules(): Promise<Modules> {
  const modules = [];
  for (const { kind, name, path } of moduleFiles())
    modules.push({ kind, name, exports: (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Exports });
  return gather(modules);
}
