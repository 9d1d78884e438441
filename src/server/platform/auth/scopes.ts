// What an API token may reach: the scopes of schemas/common/api-scopes.json, and the calls and areas that each opens.
import { isRead } from '../../../contract/calls.ts';
import type { Access, Call, Definitions, Rate, Schema } from '../../../contract/types.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** How far a token goes within a scope. */
export type ScopeAccess = 'READ' | 'READ_WRITE';
export type Scopes = Record<string, ScopeAccess>;

type Known = Pick<Definitions, 'common' | 'calls' | 'rates'>;

const scopeSchemas = (definitions: Pick<Definitions, 'common'>): Record<string, Schema> =>
  definitions.common['api-scopes']?.properties ?? {};

const names = new WeakMap<Definitions['common'], Map<string, string>>();
/** "subscription-contract" or "subscription-contract.pause" -> the scope that names it. */
function namedBy({ common }: Pick<Definitions, 'common'>): Map<string, string> {
  let found = names.get(common);
  if (!found) {
    names.set(common, (found = new Map()));
    for (const [scope, schema] of Object.entries(scopeSchemas({ common })))
      for (const name of schema['x-scope']?.calls ?? []) found.set(name, scope);
  }
  return found;
}

/** The scope that opens a call; undefined: the call is for people who are signed in alone. */
export function scopeOf(definitions: Pick<Definitions, 'common'>, call: Pick<Call, 'name' | 'table'>): string | undefined {
  const named = namedBy(definitions);
  return named.get(call.name) ?? named.get(call.table);
}

/** "Subscriptions" */
export const scopeTitle = (definitions: Pick<Definitions, 'common'>, scope: string): string =>
  scopeSchemas(definitions)[scope]?.title ?? scope;

/** The scopes that tokens for storefronts may have. */
export const storefrontScopes = (definitions: Pick<Definitions, 'common'>): string[] =>
  Object.entries(scopeSchemas(definitions)).flatMap(([scope, schema]) => (schema['x-scope']?.storefront ? [scope] : []));

/** What a call needs of its scope. */
export const accessFor = (call: Pick<Call, 'does'>): ScopeAccess => (isRead(call) ? 'READ' : 'READ_WRITE');

/** Why a token may not make a call: a sentence that says which scope is missing; undefined: it may. */
export function scopeMissing(definitions: Pick<Definitions, 'common'>, call: Call, scopes: Scopes): string | undefined {
  const scope = scopeOf(definitions, call);
  if (!scope) return t`This call is for people who are signed in; no scope opens it to API tokens.`;
  const needed = accessFor(call);
  if (scopes[scope] === 'READ_WRITE' || scopes[scope] === needed) return undefined;
  const title = translated(scopeTitle(definitions, scope));
  return scopes[scope]
    ? t`This token doesn't have access to ${title} for changes. Give it the scope ${scope} with READ_WRITE.`
    : t`This token doesn't have access to ${title}. Give it the scope ${scope} with ${needed}.`;
}

/** The areas of the permission catalogue that a token's scopes give: those of the calls that they open, and those that they name. */
export function areasOfScopes(definitions: Known, scopes: Scopes): Record<string, Access> {
  const areas: Record<string, Access> = {};
  const give = (area: string, access: ScopeAccess): void => {
    if (access === 'READ_WRITE') areas[area] = 'WRITE';
    else areas[area] ??= 'READ';
  };
  for (const call of Object.values(definitions.calls)) {
    const access = scopes[scopeOf(definitions, call) ?? ''];
    if (access && call.permission) give(call.permission, access);
  }
  const schemas = scopeSchemas(definitions);
  for (const [scope, access] of Object.entries(scopes)) for (const area of schemas[scope]?.['x-scope']?.areas ?? []) give(area, access);
  return areas;
}

/** How often a token may make a call, and the count that the call is part of: its own, or that of all calls of its kind. */
export function rateOf({ rates }: Pick<Definitions, 'rates'>, call: Call): { count: string; rate: Rate } {
  if (call.rate) return { count: call.name, rate: call.rate };
  const kind = call.does === 'list' || call.does === 'export' ? 'list' : 'single';
  return { count: kind, rate: rates[kind] };
}

/** "5 times in a second" */
export const rateWords = ({ requests, seconds }: Rate): string =>
  `${requests === 1 ? 'once' : `${requests} times`} in ${seconds === 1 ? 'a second' : `${seconds} seconds`}`;
