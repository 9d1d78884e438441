// Fields of entities that are secret (`x-ui.secret`): the record holds their mask, the table of secrets what is behind it.
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
  shape: EntityMapping,
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

/** A secret of a record in full, for who uses it. */
export const secretOf = ({ trx, storeId, secrets }: Scope, entity: string, id: Id, name: string): Promise<string | undefined> =>
  readSecret({ trx, secrets }, { storeId, table: entity, column: name, id });

/** Nothing is left behind a record that is deleted. */
export const forgetSecretsOf = async ({ trx, storeId }: Scope, shape: EntityMapping, id: Id): Promise<void> => {
  if (shape.secrets.length) await forgetSecrets(trx, storeId, shape.entity, id);
};
