// Starts the server: configuration, database, demo store when it is empty, calls, jobs and the admin's pages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { projectRoot } from './definitions.ts';
import { createLog } from './http/log.ts';
import { addressOf, countConnections, greet, stopOnSignals } from './running.ts';
import { seedDemo } from './seed/demo.ts';
import { findReadyMade } from './seed/ready-made.ts';
import { openServices } from './services.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const services = await openServices(config, { log, database: { begin: findReadyMade(config) } });
  try {
    if (config.demo) await seedDemo(services);
    const folder = join(projectRoot, 'dist/admin');
    if (!existsSync(join(folder, 'index.html'))) throw new Error('The admin is not built yet. Run npm start, which builds it, or npm run dev.');
    const app = await createApp(services, { logger: log, pages: { folder } });
    await services.start();
    await app.listen({ port: config.port, host: config.host });
    services.address = addressOf(app, config);
    services.db.announce(services.address);
    stopOnSignals(services, () => countConnections(app.server), () => app.close());
    await greet(services, services.address);
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** A person started this: a sentence, not a stack, for what a person can mend. */
main().catch((error: unknown) => {
  const known = error instanceof ConfigError || (error instanceof Error && ['FolderLocked', 'MigrationError', 'DefinitionError', 'DatabaseUnavailable'].includes(error.name));
  const taken = (error as { code?: string }).code === 'EADDRINUSE';
  process.stderr.write(`\n${taken ? 'The port is in use by another program. Set PORT to another one, or stop that program.' : known || (error instanceof Error && /^The (server|admin) /.test(error.message)) ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n\n`);
  process.exit(1);
});
