// The life of a process that works: configuration, database, demo store when it is empty, calls and the admin's pages, jobs.
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './platform/http/app.ts';
import type { Config } from './platform/config.ts';
import { loadDefinitions, projectRoot } from './platform/definitions.ts';
import { refuseUnserved } from './platform/http/calls-here.ts';
import { loadModules, withVerbs } from './platform/modules.ts';
import { sendToPrimary, onProcessMessage, type Duty, type ProcessMessage } from './processes.ts';
import { addressOf, greet } from './greeting.ts';
import { countConnections, stopOnSignals } from './stopping.ts';
import { seedDemo } from './features/demo/demo.ts';
import { withVendors } from './features/demo/vendor-simulator.ts';
import { findReadyMade } from './features/demo/ready-made.ts';
import { startLanguages } from './platform/languages.ts';
import { countReplaced, watchProcess } from './platform/metrics/process-metrics.ts';
import { openServices, type Services } from './platform/services.ts';

/**
 * Without a duty the process is alone and does everything. Resolves once it is ready; signals end it. @throws FolderLocked, MigrationError,
 * DefinitionError, ConfigError, Error
 */
export async function serve(given: Config, log: Logger, duty?: Duty): Promise<void> {
  const config = await withVendors(given);
  watchProcess();
  countReplaced(duty?.replaces ?? 0);
  if (duty?.of === 'jobs') return runJobs(config, log, duty.address);
  const folder = join(projectRoot, 'dist/admin');
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The admin is not built yet. Run npm start, which builds it, or npm run dev.');
  const [definitions, modules] = [loadDefinitions(projectRoot), await loadModules()];
  refuseUnserved({ handlers: withVerbs(modules, definitions), registry: modules, definitions, config });
  const services = await openServices(duty ? { ...config, workers: 0 } : config, {
    log,
    definitions,
    modules,
    database: { begin: findReadyMade(config) },
    ...(duty ? { jobSent: queue => sendToPrimary({ sent: queue }), processText: figuresOfAll } : {}),
  });
  try {
    if (config.demo) await seedDemo(services);
    const app = await createApp(services, { logger: log, pages: { folder } });
    await services.start();
    await app.listen({ port: config.port, host: config.host });
    services.address = addressOf(app, config);
    services.db.announce(services.address);
    stopOnSignals(
      services,
      () => countConnections(app.server),
      () => app.close(),
    );
    if (!duty) return await greet(services, services.address);
    onProcessMessage(message => {
      if (message.outboxKey) services.outboxKey = message.outboxKey;
      if (message.greet) void greet(services, services.address);
    });
    sendToPrimary({ ready: services.address });
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** So long (ms) is waited for the figures of all processes. */
const FIGURES_MS = 6000;
let figuresAsked = 0;

/** What all processes of this server counted, from the one that watches over them. @throws Error when they don't come */
function figuresOfAll(): Promise<string> {
  const of = ++figuresAsked;
  return new Promise((resolve, reject) => {
    const hear = ({ figures }: ProcessMessage): void => {
      if (figures?.of === of) end(() => resolve(figures.text));
    };
    const late = setTimeout(() => end(() => reject(new Error('The figures of the other processes did not come.'))), FIGURES_MS);
    const end = (then: () => void): void => {
      clearTimeout(late);
      process.off('message', hear);
      then();
    };
    onProcessMessage(hear);
    sendToPrimary({ wantsFigures: of });
  });
}

/** Runs jobs and answers no calls. Where they want the same core, the processes that answer people go first. */
async function runJobs(config: Config, log: Logger, address: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  startLanguages();
  const services: Services = await openServices(config, { log });
  services.address = address;
  onProcessMessage(message => {
    if (message.sent) services.queue.wake(message.sent);
  });
  try {
    await services.start();
  } catch (error) {
    await services.close();
    throw error;
  }
  stopOnSignals(
    services,
    async () => 0,
    async () => undefined,
  );
  sendToPrimary({ ready: address });
}
