// The roles that a new store begins with, beside the standard ones. They are its own from then on.
import { sql } from 'kysely';
import type { JsonValue } from '../../../contract/types.ts';
import type { Beginning } from '../../platform/auth/open-store.ts';
import { withDependencies, type Grant } from './grants.ts';

export const begin: Beginning = async (trx, definitions, { storeId, email }) => {
  const roles = Object.values(definitions.readyRoles).map(({ values }, i) => ({
    position: i + 4,
    data: {
      ...values,
      isSystem: false,
      isAssignable: true,
      isDefault: false,
      permissions: withDependencies(definitions, values.permissions as Grant[]) as JsonValue,
    },
  }));
  await sql`insert into records (store_id, entity, position, data, updated_by)
    select ${storeId}::integer, 'role', (r ->> 'position')::integer, r -> 'data', ${email}
    from jsonb_array_elements(${JSON.stringify(roles)}::jsonb) r`.execute(trx);
};
