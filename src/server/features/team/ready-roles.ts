// The roles that a new store begins with, beside the standard ones. They are its own from then on.
import { sql, type Kysely } from 'kysely';
import type { Definitions, JsonValue } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { withDependencies, type Grant } from './grants.ts';

export async function writeReadyRoles(trx: Kysely<Tables>, definitions: Definitions, storeId: number, by: string): Promise<void> {
  const roles = Object.values(definitions.readyRoles).map(({ values }, i) => ({
    position: i + 4,
    data: {
      ...values,
      ...{ isSystem: false, isAssignable: true, isDefault: false },
      permissions: withDependencies(definitions, values.permissions as Grant[]) as JsonValue,
    },
  }));
  await sql`insert into records (store_id, entity, position, data, updated_by)
    select ${storeId}::integer, 'role', (r ->> 'position')::integer, r -> 'data', ${by}
    from jsonb_array_elements(${JSON.stringify(roles)}::jsonb) r`.execute(trx);
}
