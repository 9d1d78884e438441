// Lists of permissions as roles and people have them: what may be given, and what comes with it.
import type { Access, Definitions, FieldError } from '../../../contract/types.ts';
import { permissionsOf, type UserType } from '../../platform/auth/permissions.ts';
import type { GrantKind } from '../../platform/auth/grant-kinds.ts';
import { t, translated } from '../../../domain/text/t.ts';

export type Grant = {
  permissionKey: string;
  access: Access;
};

/** Whether a value from outside is a list of permissions, known or not. */
export const isGrants = (value: unknown): value is Grant[] =>
  Array.isArray(value) && value.every(one => typeof (one as Partial<Grant> | null)?.permissionKey === 'string');

/** What a line of a list of permissions gives: its area, at its access. */
const permission: GrantKind = {
  at: '/access',
  rights: value => [[(value as Grant).permissionKey, value]],
  needs: value => {
    const { permissionKey, access } = value as Grant;
    return access === 'READ' || access === 'WRITE' ? [{ permission: permissionKey, mode: access }] : [];
  },
};
export const grants = { permission };

/** What is wrong with a list of permissions: an area that there is none of, or an access that it does not have. */
export function listErrors({ permissions }: Pick<Definitions, 'permissions'>, grants: readonly Grant[]): FieldError[] {
  return grants.flatMap(({ permissionKey, access }, i) => {
    const area = permissions[permissionKey];
    const at = `/permissions/${i}`;
    if (!area) return [{ pointer: `${at}/permissionKey`, rule: 'enum', message: t`There is no permission "${permissionKey}".` }];
    if (access === 'NO_ACCESS' || area.availableAccessMode.includes(access)) return [];
    const label = translated(area.label);
    const message = area.availableAccessMode.includes('READ') ? t`${label} can only be viewed.` : t`${label} can only be changed.`;
    return [{ pointer: `${at}/access`, rule: 'enum', message }];
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
