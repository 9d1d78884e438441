// Lists of permissions as roles and people have them: what may be given, and what comes with it.
import { accessOf } from '../../../contract/access.ts';
import type { Access, Definitions, FieldError } from '../../../contract/types.ts';
import { permissionsOf, type UserType } from '../../platform/auth/permissions.ts';
import type { Context } from '../../platform/context.ts';
import { t, translated } from '../../../domain/text/t.ts';

export interface Grant {
  permissionKey: string;
  access: Access;
}

/** Whether a value that somebody sent is a list of permissions, whatever they say. */
export const isGrants = (value: unknown): value is Grant[] =>
  Array.isArray(value) && value.every(one => typeof (one as Partial<Grant> | null)?.permissionKey === 'string');

const LEVEL: Record<Access, number> = { NO_ACCESS: 0, READ: 1, WRITE: 2 };
const holds = (mine: Access | undefined, wanted: Access): boolean => LEVEL[mine ?? 'NO_ACCESS'] >= LEVEL[wanted];

/**
 * What is wrong with a list of permissions: an area that there is none of, an access that it does not have, or more than whoever gives it
 * has. What was given before may stay.
 */
export function grantErrors(
  context: Pick<Context, 'definitions' | 'session'>,
  grants: readonly Grant[],
  before: readonly Grant[],
): FieldError[] {
  const mine = accessOf(context.session).permissions;
  const had = new Map(before.map(one => [one.permissionKey, one.access]));
  return grants.flatMap(({ permissionKey, access }, i) => {
    const area = context.definitions.permissions[permissionKey];
    const at = `/permissions/${i}`;
    if (!area) return [{ pointer: `${at}/permissionKey`, rule: 'enum', message: t`There is no permission "${permissionKey}".` }];
    if (access !== 'NO_ACCESS' && !area.availableAccessMode.includes(access)) {
      const label = translated(area.label);
      const message = area.availableAccessMode.includes('READ') ? t`${label} can only be viewed.` : t`${label} can only be changed.`;
      return [{ pointer: `${at}/access`, rule: 'enum', message }];
    }
    if (access !== (had.get(permissionKey) ?? 'NO_ACCESS') && !holds(mine[permissionKey], access))
      return [
        { pointer: `${at}/access`, rule: 'rights', message: t`You can't give more than you have yourself: ${translated(area.label)}.` },
      ];
    return [];
  });
}

/** The list with one line for each area, in the catalogue's order: a right that depends on another one brings READ of that with it. */
export function withDependencies({ permissions }: Pick<Definitions, 'permissions'>, grants: readonly Grant[]): Grant[] {
  const wanted = new Map<string, Access>(grants.map(one => [one.permissionKey, one.access]));
  for (const area of Object.values(permissions)) {
    if ((wanted.get(area.permissionKey) ?? 'NO_ACCESS') === 'NO_ACCESS') continue;
    for (const needed of area.dependsOn ?? []) if ((wanted.get(needed) ?? 'NO_ACCESS') === 'NO_ACCESS') wanted.set(needed, 'READ');
  }
  const known = Object.keys(permissions).map(permissionKey => ({
    permissionKey,
    access: wanted.get(permissionKey) ?? ('NO_ACCESS' as const),
  }));
  // What is no area stays, so that it can be refused by name.
  return [...known, ...grants.filter(one => !permissions[one.permissionKey])];
}

/** What one of the product's own roles gives. */
export const grantsOfType = (definitions: Pick<Definitions, 'permissions'>, type: UserType): Grant[] =>
  permissionsOf(definitions, type, {}).map(({ permissionKey, access }) => ({ permissionKey, access }));
