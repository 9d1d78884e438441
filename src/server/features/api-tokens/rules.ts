// API tokens: made with a value that is kept as a hash and, to be shown again, sealed; few enough to know them all.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { maskedToken, newApiToken } from '../../platform/auth/api-tokens.ts';
import { hashToken } from '../../platform/auth/tokens.ts';
import { invalid, Refusal, type Context } from '../../platform/context.ts';
import { forgetSecrets, writeSecret } from '../../platform/outgoing/secrets.ts';
import { rules } from '../../platform/records/rules.ts';
import { placeOf, TOKENS } from './kept-token.ts';
import { t } from '../../../domain/text/t.ts';

/** Active tokens of a store. */
const MOST = 25;

async function refuseMany({ trx, storeId }: Context): Promise<Refusal | undefined> {
  const { rows } = await sql<{ active: number }>`select count(*)::integer as active from api_tokens
    where store_id = ${storeId}::integer and status = 'ACTIVE'`.execute(trx);
  return (rows[0]?.active ?? 0) < MOST
    ? undefined
    : new Refusal(409, 'INVALID_STATE', t`A store has at most ${MOST} API tokens. Revoke one that is not used any more.`);
}

const isReadOnly = (scopes: unknown): boolean => Object.values((scopes ?? {}) as object).every(access => access === 'READ');

export const apiToken = rules({
  fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { createdBy: user.email } : {}),
  async validate(verb, { before, record }, context) {
    if (verb === 'update' && before?.status === 'REVOKED') return new Refusal(404, 'NOT_FOUND', t`Token not found.`);
    if (record?.type === 'STOREFRONT' && !isReadOnly(record.scopes))
      return invalid([{ pointer: '/scopes', rule: 'storefront', message: t`Tokens for storefronts only read. Choose “Read only”.` }]);
    return verb === 'create' ? refuseMany(context) : undefined;
  },
  async after(verb, { record }, context) {
    const { trx, storeId } = context;
    const id = Number(record?.id);
    if (verb === 'move') await forgetSecrets(trx, storeId, TOKENS, id);
    if (verb !== 'create') return;
    const token = newApiToken();
    const masked = maskedToken(token);
    await writeSecret(context, placeOf(storeId, id), token);
    await sql`update api_tokens set token_hash = ${hashToken(token)}, masked_token = ${masked}
      where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
    return { maskedToken: masked, token };
  },
});
