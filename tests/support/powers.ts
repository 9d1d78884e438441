// What people and things of a store may do: who holds which rights, and what stands ready to be done. Compared before and after a call.
import { sql } from 'kysely';
import type { Access, JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { accessOf } from '../../src/contract/access.ts';
import { withDefaults } from '../../src/contract/validation/defaults.ts';
import { permissionsOf, type UserType } from '../../src/server/platform/auth/permissions.ts';
import { grantErrors, type Granting } from '../../src/server/platform/auth/grants.ts';
import { personNow, type Person } from '../../src/server/platform/auth/sessions.ts';
import { needsOfAction } from '../../src/server/engine/actions/placed-actions.ts';
import { unmet } from '../../src/server/platform/auth/acting.ts';
import { recordOf, type Row } from '../../src/server/platform/records/record-repository.ts';
import type { RuleContext } from '../../src/server/platform/records/rules.ts';
import type { TestServer } from './serve.ts';

/** Whether anything in a schema gives something. */
export const isGranting = (schema: Schema | undefined): boolean =>
  schema !== undefined &&
  (schema['x-grants'] !== undefined ||
    [...Object.values(schema.properties ?? {}), schema.items].some(isGranting) ||
    (typeof schema.additionalProperties === 'object' && isGranting(schema.additionalProperties)));

interface Powers {
  records: Map<string, { schema: Schema; value: JsonValue }>;
  users: Map<number, Record<string, Access>>;
  defaultRole: string;
  work: Map<number, { key: string; input: JsonObject }>;
}

/** All that stands in the store now. */
export async function powersOf({ services }: TestServer, storeId = 1): Promise<Powers> {
  const { definitions, db } = services;
  return db.inStore(storeId, async trx => {
    const records: Powers['records'] = new Map();
    const store = { currency_code: 'USD' } as RuleContext['store'];
    for (const [entity, schema] of Object.entries(definitions.entities)) {
      if (!isGranting(schema) || entity === 'integration') continue;
      const shape = services.shape(entity);
      const { rows } = await sql<Row>`select r.* from ${sql.table(shape.table)} r where store_id = ${storeId}::integer
        ${shape.isDocument ? sql`and entity = ${entity}` : sql``} ${shape.has('deleted_at') ? sql`and deleted_at is null` : sql``}`.execute(
        trx,
      );
      for (const row of rows) {
        const value = recordOf({ store } as RuleContext, shape, row);
        records.set(`${entity} ${String(row.id)}`, { schema, value });
      }
    }
    for (const [page, schema] of Object.entries(definitions.settings)) {
      if (!isGranting(schema)) continue;
      const { rows } = await sql<{
        data: JsonObject;
      }>`select data from settings where store_id = ${storeId}::integer and name = ${page}`.execute(trx);
      // As the product reads it: what a page leaves out stands at its standard value.
      records.set(`settings/${page}`, { schema, value: withDefaults<JsonObject>(schema, rows[0]?.data ?? {}) });
    }
    const { rows: apps } = await sql<{ kind: string }>`select key as kind from integrations where store_id = ${storeId}::integer
      and status = 'CONNECTED'`.execute(trx);
    for (const { kind } of apps)
      records.set(`integration ${kind}`, { schema: definitions.entities.integration as Schema, value: { identifier: kind } });
    const { rows: people } = await sql<{ id: number; type: UserType; permissions: unknown; role: unknown }>`select id, type, permissions,
      role_permissions as role from users where store_id = ${storeId}::integer and removed_at is null`.execute(trx);
    const users: Powers['users'] = new Map();
    for (const { id, type, permissions, role } of people)
      users.set(id, Object.fromEntries(permissionsOf(definitions, type, permissions, role).map(one => [one.permissionKey, one.access])));
    const { rows: roles } = await sql<{ id: number }>`select id from records where store_id = ${storeId}::integer and entity = 'role'
      and deleted_at is null and (data ->> 'isDefault')::boolean order by id`.execute(trx);
    const { rows: work } = await sql<{ id: number; key: string; input: JsonObject }>`select id, action_key as key, input from bulk_actions
      where store_id = ${storeId}::integer and not is_system and status not in ('DRAFT', 'CANCELLED')`.execute(trx);
    return {
      records,
      users,
      defaultRole: roles.map(({ id }) => id).join(),
      work: new Map(work.map(({ id, key, input }) => [id, { key, input }])),
    };
  });
}

const LEVEL: Record<Access, number> = { NO_ACCESS: 0, READ: 1, WRITE: 2 };

/** A person of the first store with their rights of this moment. */
export async function personOf({ services: { db, definitions } }: TestServer, userId: number): Promise<Person> {
  const person = await db.inStore(1, trx => personNow(trx, definitions, 1, userId));
  if (!person) throw new Error(`There is no user ${userId}.`);
  return person;
}

/** What a person gave, made or started between two looks that they may not do themselves; one line each. */
export function raised(server: TestServer, person: Person, before: Powers, after: Powers): string[] {
  const { services } = server;
  const { definitions } = services;
  const context = { definitions, session: person.session, user: person.user, grantKinds: services.registry.grants } as Granting;
  const access = accessOf(person.session);
  const lines: string[] = [];
  for (const [key, { schema, value }] of after.records) {
    const had = before.records.get(key);
    if (JSON.stringify(had?.value) === JSON.stringify(value)) continue;
    lines.push(...grantErrors(context, schema, value, had?.value).map(error => `${key}${error.pointer}: ${error.message}`));
  }
  const isMore = (area: string, given: Access): boolean => given !== 'NO_ACCESS' && !access.can(area, given);
  for (const [id, rights] of after.users)
    for (const [area, given] of Object.entries(rights))
      if (LEVEL[given] > LEVEL[before.users.get(id)?.[area] ?? 'NO_ACCESS'] && isMore(area, given))
        lines.push(`user ${id}: ${area} ${given}`);
  if (after.defaultRole !== before.defaultRole)
    for (const id of after.defaultRole.split(',')) {
      const role = after.records.get(`role ${id}`);
      if (role) lines.push(...grantErrors(context, role.schema, role.value).map(error => `default role ${id}: ${error.message}`));
    }
  for (const [id, { key, input }] of after.work)
    if (!before.work.has(id) && unmet(context, needsOfAction(context, key, input))) lines.push(`bulk action ${id}: ${key}`);
  return lines;
}
