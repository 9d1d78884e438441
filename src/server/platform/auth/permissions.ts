// The rights of a user: what the role gives, and what was set for the person besides.
import type { Access, Definitions, Permission, PermissionArea, SessionUser } from '../../../contract/types.ts';

export type UserType = SessionUser['loopUserType'];
export const RANK: Record<UserType, number> = { LOOP_USER: 4, OWNER: 3, ADMIN: 2, MEMBER: 1 };

const most = (area: PermissionArea): Access => (area.availableAccessMode.includes('WRITE') ? 'WRITE' : 'READ');

/**
 * Owners have everything, admins everything but handing over the store, members may look, or have what their role gives; `own` are the
 * differences set for the person.
 */
function accessTo(area: PermissionArea, type: UserType, own: Record<string, Access>, role: Record<string, Access> | undefined): Access {
  if (type === 'OWNER' || type === 'LOOP_USER') return most(area);
  const given = own[area.permissionKey];
  const set = available(area, given);
  if (set) return set;
  if (type === 'ADMIN') return area.permissionKey === 'designateOwner' ? 'NO_ACCESS' : most(area);
  if (role) return available(area, role[area.permissionKey]) ?? 'NO_ACCESS';
  return area.availableAccessMode.includes('READ') ? 'READ' : 'NO_ACCESS';
}

const LEVEL: Record<Access, number> = { NO_ACCESS: 0, READ: 1, WRITE: 2 };

/** What two people may both do, area by area. */
export function shared(permissions: readonly Permission[], others: readonly Permission[]): Permission[] {
  const theirs = new Map(others.map(one => [one.permissionKey, one.access]));
  return permissions.map(one => {
    const other = theirs.get(one.permissionKey) ?? 'NO_ACCESS';
    return LEVEL[other] < LEVEL[one.access] ? { ...one, access: other } : one;
  });
}

const available = (area: PermissionArea, access: Access | undefined): Access | undefined =>
  access === 'NO_ACCESS' || (access && area.availableAccessMode.includes(access)) ? access : undefined;

/** What a role's list of permissions gives, by area; undefined where there is no role. */
export const grantsOf = (permissions: unknown): Record<string, Access> | undefined =>
  Array.isArray(permissions)
    ? Object.fromEntries((permissions as Pick<Permission, 'permissionKey' | 'access'>[]).map(one => [one.permissionKey, one.access]))
    : undefined;

/**
 * The permissions of a user, one for each area of the catalogue, in its order.
 * @param own what was set for the person: area -> access
 * @param role the permissions of a role of the store's own that the person has
 */
export function permissionsOf(definitions: Pick<Definitions, 'permissions'>, type: UserType, own: unknown, role?: unknown): Permission[] {
  const given = (own !== null && typeof own === 'object' ? own : {}) as Record<string, Access>;
  const byRole = grantsOf(role);
  return Object.values(definitions.permissions).map(area => ({
    permissionKey: area.permissionKey,
    access: accessTo(area, type, given, byRole),
    availableAccessMode: area.availableAccessMode,
    isHidden: area.isHidden,
    loopModuleKey: area.loopModuleKey,
    ...(area.moduleTitle ? { moduleTitle: area.moduleTitle } : {}),
    loopFeatureKey: area.loopFeatureKey,
    label: area.label,
    ...(area.dependsOn ? { dependsOn: area.dependsOn } : {}),
  }));
}
