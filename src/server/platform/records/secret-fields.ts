// Fields of entities and settings pages that are secret (`x-ui.secret`): the record holds their mask, the table of secrets what is behind.
import { same } from '../../../contract/paths.ts';
import type { FieldError, JsonObject, Schema } from '../../../contract/types.ts';
import { invalid, type Context } from '../context.ts';
import { forgetSecrets, isMask, readSecret, writeSecret, maskOf } from '../outgoing/secrets.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { t, translated } from '../../../domain/text/t.ts';

type Scope = Pick<Context, 'trx' | 'storeId' | 'secrets'>;
type Id = string | number;

/** Whether a field says to whom a secret beside it goes: an address, or the choice of a service. */
const saysWhere = ({ format, oneOf, enum: choices, readOnly }: Schema): boolean =>
  !readOnly && (format === 'uri' || format === 'domain' || oneOf !== undefined || choices !== undefined);

/** What stands in the way of a secret that is there already and would go somewhere else. */
export const enterAgain = (pointer: string, title: string): FieldError => ({
  pointer,
  rule: 'secret',
  message: t`Enter ${title} again: it was entered for another address.`,
});

/**
 * Takes secrets out of what is written and puts their masks in. A mask that comes back means: as it was (`before`).
 * @returns writes down the secrets, once the record has its key
 * @throws Refusal 422 for a mask with nothing behind it, or when what it was entered for has changed
 */
export function maskSecrets(
  shape: Pick<EntityMapping, 'schema' | 'secrets' | 'entity'>,
  data: JsonObject,
  before: JsonObject | undefined,
): (scope: Scope, id: Id) => Promise<void> {
  const given: [name: string, secret: string][] = [];
  const fields = Object.entries(shape.schema.properties ?? {});
  const isElsewhere =
    before !== undefined && fields.some(([name, one]) => saysWhere(one) && !same(data[name] ?? null, before[name] ?? null));
  for (const name of shape.secrets) {
    const value = data[name];
    if (isElsewhere && isMask(before[name]) && (value === undefined || value === before[name]))
      throw invalid([enterAgain(`/${name}`, translated(shape.schema.properties?.[name]?.title ?? name))]);
    if (value === undefined || value === (before?.[name] ?? undefined)) continue;
    if (isMask(value))
      throw invalid([
        { pointer: `/${name}`, rule: 'secret', message: t`Enter ${translated(shape.schema.properties?.[name]?.title ?? name)} in full.` },
      ]);
    const secret = typeof value === 'string' ? value : '';
    data[name] = secret ? maskOf(secret) : value;
    given.push([name, secret]);
  }
  return async ({ trx, storeId, secrets }, id) => {
    for (const [column, secret] of given) await writeSecret({ trx, secrets }, { storeId, table: shape.entity, column, id }, secret);
  };
}

/** A secret of a record in full, for the code that uses it. */
export const secretOf = ({ trx, storeId, secrets }: Scope, entity: string, id: Id, name: string): Promise<string | undefined> =>
  readSecret({ trx, secrets }, { storeId, table: entity, column: name, id });

const tableOfPage = (page: string): string => `settings/${page}`;

/**
 * The same for a settings page, as it will be kept: masks take the place of its secrets, and what is not on it any more is forgotten.
 * @throws Refusal 422
 */
export async function keepSecretsOfPage(scope: Scope, page: string, schema: Schema, data: JsonObject, before: JsonObject): Promise<void> {
  const table = tableOfPage(page);
  const all = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => (one['x-ui']?.secret ? [name] : []));
  const there = all.filter(name => data[name] !== undefined);
  await maskSecrets({ schema, secrets: there, entity: table }, data, before)(scope, page);
  for (const name of all)
    if (!there.includes(name) && before[name] !== undefined) await forgetSecrets(scope.trx, scope.storeId, table, page, name);
}

/** A secret of a settings page in full, for the code that uses it. */
export const secretOfPage = ({ trx, storeId, secrets }: Scope, page: string, name: string): Promise<string | undefined> =>
  readSecret({ trx, secrets }, { storeId, table: tableOfPage(page), column: name, id: page });

/** Nothing is left behind a record that is deleted. */
export const forgetSecretsOf = async ({ trx, storeId }: Scope, shape: EntityMapping, id: Id): Promise<void> => {
  if (shape.secrets.length) await forgetSecrets(trx, storeId, shape.entity, id);
};
