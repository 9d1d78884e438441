// Roles to begin with (schemas/common/permissions.json): what each gives, area by area.
import type { Access, JsonObject, PermissionArea, Start } from './types.ts';

type Written = {
  title: string;
  description: string;
  write?: string[];
  read?: string[] | 'others';
  none?: string[];
};

/** Key -> the role as a record, for new stores and for the form of a new role. */
export function readyRoles(roles: JsonObject, areas: Record<string, PermissionArea>): Record<string, Start> {
  return Object.fromEntries(
    Object.entries(roles as Record<string, Written>).map(([key, { title, description, write = [], read = [], none = [] }]) => {
      const others = Object.values(areas).filter(
        one => !write.includes(one.permissionKey) && !none.includes(one.permissionKey) && one.availableAccessMode.includes('READ'),
      );
      const looked = read === 'others' ? others.map(one => one.permissionKey) : read;
      const grant = (access: Access) => (permissionKey: string) => ({ permissionKey, access });
      const permissions: JsonObject[] = [...write.map(grant('WRITE')), ...looked.map(grant('READ'))];
      return [key, { title, description, values: { name: title, description, permissions } }];
    }),
  );
}
