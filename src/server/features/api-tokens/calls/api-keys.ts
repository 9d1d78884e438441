// API tokens shown again.
import { sql } from 'kysely';
import type { Schema } from '../../../../contract/types.ts';
import { refuseUse } from '../../../platform/auth/grants.ts';
import type { Scopes } from '../../../platform/auth/scopes.ts';
import { Refusal, Reply, type Context } from '../../../platform/context.ts';
import { readSecret } from '../../../platform/outgoing/secrets.ts';
import { placeOf } from '../kept-token.ts';
import { t } from '../../../../domain/text/t.ts';

/** The value of an active token. Every look at it is a line of the account log. @throws Refusal 404 */
export async function reveal(context: Context, { id }: { id: number }): Promise<Reply> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ name: string; masked_token: string; scopes: Scopes }>`select name, masked_token, scopes from api_tokens
    where store_id = ${storeId}::integer and id = ${id}::bigint and status = 'ACTIVE'`.execute(trx);
  const found = rows[0];
  if (found) refuseUse(context, context.definitions.entities['api-token'] as Schema, { scopes: found.scopes });
  const token = found && (await readSecret(context, placeOf(storeId, id)));
  if (token === undefined) throw new Refusal(404, 'NOT_FOUND', t`Token not found.`);
  await context.log({
    action: 'api-token.revealed',
    category: 'API tokens',
    description: `API token "${found?.name}" (${found?.masked_token}) was shown`,
    entity: 'api-token',
    entityId: id,
  });
  return new Reply({ id, token }, { once: ['token'] });
}
