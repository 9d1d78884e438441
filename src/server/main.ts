// Starts the server: one process that does everything, or several of which each has its duty (processes.ts).
import cluster from 'node:cluster';
import { ConfigError, demandSecret, readConfig } from './platform/config.ts';
import { createLog } from './platform/http/log.ts';
import { dutyOf, watchOver } from './processes.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  demandSecret(config);
  const log = createLog(config.logLevel);
  if (cluster.isPrimary && config.processes > 0) watchOver(config, log);
  // The process that only watches over others loads nothing of it.
  else await (await import('./serve.ts')).serve(config, log, cluster.isPrimary ? undefined : dutyOf(process.argv.slice(2)));
}

/** A person started this: a sentence, not a stack, for what a person can correct. */
main().catch((error: unknown) => {
  const known =
    error instanceof ConfigError ||
    (error instanceof Error && ['FolderLocked', 'MigrationError', 'DefinitionError', 'DatabaseUnavailable'].includes(error.name));
  const taken = (error as { code?: string }).code === 'EADDRINUSE';
  const isOurs = known || (error instanceof Error && /^The (server|admin) /.test(error.message));
  const message = isOurs ? (error as Error).message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(
    `\n${taken ? 'The port is in use by another program. Set PORT to another one, or stop that program.' : message}\n\n`,
  );
  process.exit(1);
});
