// The calls that this server answers, and whether each has what it needs: looked at before the database is touched.
import { componentsOf } from '../../../contract/analytics.ts';
import { settingSetOf } from '../../../contract/calls.ts';
import type { Call, Host } from '../../../contract/types.ts';
import type { Services } from '../services.ts';
import { verbs } from '../records/verbs.ts';

type Serving = Pick<Services, 'handlers' | 'registry' | 'definitions' | 'config'>;

/** All calls but those of a group with an address of its own (PERENNIAL_HOST_…). */
export const callsHere = ({ definitions, config }: Pick<Serving, 'definitions' | 'config'>): { call: Call; host: Host }[] =>
  Object.values(definitions.calls).flatMap(call => {
    const host = config.hosts[call.host] ? undefined : definitions.hosts[call.host];
    return host ? [{ call, host }] : [];
  });

/** @throws Error naming each call without a function, or whose definition its verb can't serve */
export function refuseUnserved(serving: Serving): void {
  const problems = callsHere(serving).flatMap(({ call }) => {
    const problem = serving.handlers.has(call.like ?? call.name)
      ? undefined
      : verbs[call.does]
        ? verbProblem(serving, call)
        : `"${call.does}" needs a function: export "${call.key}" from src/server/features/<feature>/calls/${call.table}.ts.`;
    return problem === undefined ? [] : [`schemas/calls/${call.table}.json  /calls/${call.key}\n  ${problem}`];
  });
  if (problems.length) throw new Error(`The server can't start, because calls lack what they need:\n${problems.join('\n')}`);
}

/** What a generic verb would miss at its first request, found at the start instead. */
function verbProblem({ registry, definitions }: Serving, call: Call): string | undefined {
  const unknown = (what: string, name: string, known: Record<string, unknown>): string | undefined =>
    known[name] ? undefined : `There is no ${what} "${name}"; there are: ${Object.keys(known).sort().join(', ') || 'none'}.`;
  if (call.does === 'start' || call.does === 'progress')
    return (call.runs ?? [])
      .map(kind =>
        call.does === 'start' && registry.runs[kind] === 'STARTED_ELSEWHERE'
          ? `The run "${kind}" is started by a call of its own.`
          : unknown('system run', kind, registry.runs),
      )
      .find(Boolean);
  if (call.does === 'chart')
    return Object.values(definitions.analytics)
      .flatMap(componentsOf)
      .map(({ source }) => source && unknown('source of charts', source, registry.charts))
      .find(Boolean);
  if (call.does === 'catalogue') return unknown('catalogue', call.catalogue ?? '', registry.catalogues);
  if (call.document) return unknown('document', call.document, registry.documents);
  if (call.entries || ((call.does === 'get' || call.does === 'set') && registry.documents[call.of])) return undefined;
  if (call.does === 'get' || call.does === 'set')
    return call.of.startsWith('settings/') && !definitions.settings[call.of.slice('settings/'.length)]
      ? `There is no schemas/${call.of}.json.`
      : undefined;
  const entity = definitions.entities[call.of];
  if (settingSetOf(call.set ?? '')) return undefined;
  if (!entity) return `There is no schemas/entities/${call.of}.json, which "${call.does}" needs.`;
  const move = entity['x-states']?.moves[call.key];
  if (call.does === 'move' && !move) return `schemas/entities/${call.of}.json has no move "${call.key}" in x-states.`;
  if (call.does === 'move' && move?.guard && !registry.guards[move.guard])
    return `The guard "${move.guard}" of its move is no member of the guards that a src/server/features/<feature>/rules.ts exports.`;
  return undefined;
}
