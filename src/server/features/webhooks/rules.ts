// Webhooks: public HTTPS addresses, each with a secret of its own; their deliveries are those of the sender "webhooks".
import { sql } from 'kysely';
import { maskedSecret, newSecret } from './signature.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { cancelDeliveries } from '../../platform/deliveries/deliveries.ts';
import { forgetSecrets, writeSecret } from '../../platform/outgoing/secrets.ts';
import { rules } from '../../platform/records/rules.ts';
import { placeOf, WEBHOOKS } from './webhook.ts';
import { t } from '../../../domain/text/t.ts';

/** Webhooks of a store. */
const MOST = 20;

/** What is wrong with an address: what may not be called from here, and what is not encrypted on the way. */
function wrongAddress({ outgoing, config }: Context, address: unknown): FieldError[] {
  const text = typeof address === 'string' ? address : '';
  if (!URL.canParse(text)) return [];
  const { protocol, hostname } = new URL(text);
  const isOwn = config.outgoingAllow.includes(hostname);
  const message =
    protocol !== 'https:' && !isOwn
      ? t`Use an address that begins with https://, so that events can't be read on their way.`
      : outgoing.objection(text);
  return message ? [{ pointer: '/address', rule: 'address', message }] : [];
}

async function refuseMany({ trx, storeId }: Context): Promise<Refusal | undefined> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from webhooks where store_id = ${storeId}::integer`.execute(trx);
  return (rows[0]?.n ?? 0) < MOST
    ? undefined
    : new Refusal(409, 'INVALID_STATE', t`A store has at most ${MOST} webhooks. Delete one that is not used any more.`);
}

export const webhook = rules({
  fill: (verb, _written, { user }): JsonObject => (verb === 'create' ? { createdBy: user.email } : {}),
  async validate(verb, { record }, context) {
    const many = verb === 'create' ? await refuseMany(context) : undefined;
    return many ?? (verb === 'create' || verb === 'update' ? wrongAddress(context, record?.address) : undefined);
  },
  async after(verb, { before, record }, context) {
    const { trx, storeId } = context;
    const id = Number((record ?? before)?.id);
    const isOff = verb === 'move' && record?.status !== 'ON';
    if (verb === 'delete' || isOff) await cancelDeliveries(trx, storeId, WEBHOOKS, String(id));
    if (verb === 'delete') await forgetSecrets(trx, storeId, WEBHOOKS, id);
    if (verb !== 'create') return;
    const secret = newSecret();
    await writeSecret(context, placeOf(storeId, id), secret);
    const masked = maskedSecret(secret);
    await sql`update webhooks set masked_secret = ${masked} where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
    return { maskedSecret: masked, secret };
  },
});

export const webhookDelivery = rules({
  scope: () => sql`r.sender = ${WEBHOOKS}`,
  columns: () => ({ webhookId: sql`r.target::bigint` }),
  narrow: { webhookId: value => sql`r.target = ${String(value)}` },
});
