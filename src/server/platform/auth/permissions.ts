// The rights of a user: what the role gives, and what was set for the person besides.
import type { Access, Definitions, Permission, PermissionArea, SessionUser } from '../../../contract/types.ts';

export type UserType = SessionUser['loopUserType'];
export const RANK: Record<UserType, number> = { LOOP_USER: 4, OWNER: 3, ADMIN: 2, MEMBER: 1 };

const most = (area: PermissionArea): Access => (area.availableAccessMode.includes('WRITE') ? 'WRITE' : 'READ');

/** Owners have everything, admins everything but handing over the store, members may look; `own` are the differences set for the person. */
function accessTo(area: PermissionArea, type: UserType, own: Record<string, Access>): Access {
  if (type === 'OWNER' || type === 'LOOP_USER') return most(area);
  const given = own[area.permissionKey];
  if (given && (given === 'NO_ACCESS' || area.availableAccessMode.includes(given))) return given;
  if (type === 'ADMIN') return area.permissionKey === 'designateOwner' ? 'NO_ACCESS' : most(area);
  return area.availableAccessMode.includes('READ') ? 'READ' : 'NO_ACCESS';
}

/** The permissions of a user, one for each area of the catalogue, in its order. */
export function permissionsOf(definitions: Pick<Definitions, 'permissions'>, type: UserType, own: unknown): Permission[] {
  const given = (own !== null && typeof own === 'object' ? own : {}) as Record<string, Access>;
  return Object.values(definitions.permissions).map(area => ({
    permissionKey: area.permissionKey,
    access: accessTo(area, type, given),
    availableAccessMode: area.availableAccessMode,
    isHidden: area.isHidden,
    loopModuleKey: area.loopModuleKey,
    loopFeatureKey: area.loopFeatureKey,
    label: area.label,
    ...(area.dependsOn ? { dependsOn: area.dependsOn } : {}),
  }));
}
