// Fields of entities that are secret (`x-ui.secret`): the record holds their mask, the table of secrets what is behind it.
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, type Context } from '../context.ts';
import { forgetSecrets, isMask, readSecret, writeSecret, maskOf } from '../outgoing/secrets.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { t, translated } from '../../../domain/text/t.ts';

type Scope = Pick<Context, 'trx' | 'storeId' | 'secrets'>;
type Id = string | number;

/**
 * Takes secrets out of what is written and puts their masks in. A mask that comes back means: as it was (`before`).
 * @returns writes down the secrets, once the record has its key
 * @throws Refusal 422 for a mask with nothing behind it
 */
export function maskSecrets(
  shape: EntityMapping,
  data: JsonObject,
  before: JsonObject | undefined,
): (scope: Scope, id: Id) => Promise<void> {
  const given: [name: string, secret: string][] = [];
  for (const name of shape.secrets) {
    const value = data[name];
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
