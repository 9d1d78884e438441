// What the scopes of a token give: the areas that they open.
import type { GrantKind } from '../../platform/auth/grant-kinds.ts';
import type { Need } from '../../platform/auth/needs.ts';
import { areasOfScopes, type Scopes } from '../../platform/auth/scopes.ts';

const scopes: GrantKind = {
  // Two scopes may open the same area and other calls: each is a right of its own.
  rights: value => Object.entries((value ?? {}) as Scopes).map(([scope, access]) => [scope, { [scope]: access }]),
  needs: (value, { definitions }) =>
    Object.entries(areasOfScopes(definitions, value as Scopes)).flatMap(([permission, mode]): Need[] =>
      mode === 'NO_ACCESS' ? [] : [{ permission, mode: atMost(mode, definitions.permissions[permission]?.availableAccessMode) }],
    ),
};
/** Some areas can only be read, whatever a scope says. */
const atMost = (mode: 'READ' | 'WRITE', available: readonly string[] = []): 'READ' | 'WRITE' =>
  mode === 'WRITE' && !available.includes('WRITE') ? 'READ' : mode;

export const grants = { scopes };
