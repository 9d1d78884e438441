// How many bytes the body of a request may have, by its call, before anything else of it is read.
import type { Call, Schema } from '../../../contract/types.ts';
import type { Services } from '../services.ts';

export const MEGABYTE = 1_048_576;

/** 1 MB, or as much as the longest text that the call's schema lets in, for files and CSV: up to 15 MB. */
export function bodyLimit(call: Call): number {
  const longest = (schema: Schema | undefined): number =>
    Math.max(0, schema?.maxLength ?? 0, ...Object.values(schema?.properties ?? {}).map(longest), schema?.items ? longest(schema.items) : 0);
  const most = Math.max(longest(call.body), ...call.in.map(param => longest(param.schema)), 0);
  return most <= MEGABYTE / 2 ? MEGABYTE : Math.min(15 * MEGABYTE, Math.ceil(most * 1.1) + 65_536);
}

/** Names of the members in which a whole file comes as text: its reader says in which row and column something is wrong with it. */
export function fileMembers(call: Call): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (schema: Schema | undefined, name: string): void => {
    if ((schema?.maxLength ?? 0) > MEGABYTE / 2) names.add(name);
    for (const [inner, field] of Object.entries(schema?.properties ?? {})) look(field, inner);
    if (schema?.items) look(schema.items, name);
  };
  look(call.body, '');
  for (const param of call.in) look(param.schema, param.name);
  return names;
}

/** What is known of the body of a request by its address alone. */
export interface BodyRules {
  /** Most bytes that it may have: what the call there lets in, else 1 MB. */
  limit: number;
  /** The call that takes more than 1 MB; who sends so much is looked at before. */
  call?: Call;
}

/** Says by its address what the body of a request may be, before anything else is known of it. */
export function bodyRules({ definitions, config }: Pick<Services, 'definitions' | 'config'>): (url: string) => BodyRules {
  const large = Object.values(definitions.calls).flatMap(call => {
    const host = definitions.hosts[call.host];
    const limit = bodyLimit(call);
    if (limit <= MEGABYTE || !host || config.hosts[call.host]) return [];
    const path = (host.prefix + call.path).split(/\{\w+\}/).map(part => part.replace(/[^\w/-]/g, '\\$&'));
    return [{ limit, call, path: new RegExp(`^${path.join('[^/?]+')}(?:\\?|$)`) }];
  });
  return url => large.find(({ path }) => path.test(url)) ?? { limit: MEGABYTE };
}
