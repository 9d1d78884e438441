// Whether each call that is served here has its function: looked at before the database is touched.
import type { Definitions } from '../../../contract/types.ts';
import type { Config } from '../config.ts';
import type { Modules } from '../modules.ts';
import { verbs } from '../records/verbs.ts';

/**
 * Looks for the function of each call that is served here, before anything is done to the database.
 * @throws Error naming each `query` or `command` without one
 */
export function demandFunctions(
  handlers: Modules['handlers'],
  { calls, hosts }: Pick<Definitions, 'calls' | 'hosts'>,
  config: Config,
): void {
  const missing = Object.values(calls).filter(
    call => !config.hosts[call.host] && hosts[call.host] && !handlers.has(call.like ?? call.name) && !verbs[call.does],
  );
  if (missing.length)
    throw new Error(
      `The server can't start, because calls lack what they need:\n${missing
        .map(
          call =>
            `schemas/calls/${call.table}.json  /calls/${call.key}\n  "${call.does}" needs a function: export "${call.key}" from ` +
            `src/server/features/<feature>/calls/${call.table}.ts.`,
        )
        .join('\n')}`,
    );
}
