// D118 What a new role begins with comes from the server: the areas, and the access that members have to them.
import type { JsonObject } from '../../../contract/types.ts';
import { permissionsOf } from '../../platform/auth/permissions.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

export const defaultPermissions = ({ definitions }: RuleContext): JsonObject[] => permissionsOf(definitions, 'MEMBER', {}) as JsonObject[];
