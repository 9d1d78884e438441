// Events of a store's Stripe account (https://docs.stripe.com/webhooks), signed with the secret of the endpoint.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { t } from '../../../../domain/text/t.ts';
import { Refusal } from '../../../platform/context.ts';
import { nothingHere, type Incoming } from '../../../platform/http/incoming.ts';
import { readSecret } from '../../../platform/outgoing/secrets.ts';
import type { Services } from '../../../platform/services.ts';
import { followStripe, HEARD } from '../stripe-events.ts';

/** How far (s) the time of a signature may be from now: an event that was kept is of no use later. */
const TOLERANCE = 300;

async function secretOf({ db, secrets }: Services, storeId: number): Promise<string | undefined> {
  return db.inStore(
    storeId,
    async trx => {
      const row = await trx
        .selectFrom('payment_providers')
        .select('id')
        .where('store_id', '=', storeId)
        .where('provider', '=', 'STRIPE')
        .executeTakeFirst();
      return row && readSecret({ trx, secrets }, { storeId, table: 'payment-provider', column: 'webhookSecret', id: row.id });
    },
    { readOnly: true },
  );
}

/** "t=<seconds>,v1=<hex>,v1=…": while a secret is replaced there is a signature for each. @throws Refusal 400, 401 */
export function checkSignature({ header, body, secret, now }: { header: string; body: string; secret: string; now: Date }): void {
  const parts = header.split(',').map(part => part.trim().split('='));
  const [, time = ''] = parts.find(([name]) => name === 't') ?? [];
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || given.length === 0)
    throw new Refusal(400, 'BAD_REQUEST', t`The event has no signature that can be read.`);
  const own = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  const isGenuine = given.some(one => /^[0-9a-f]{64}$/i.test(one) && timingSafeEqual(Buffer.from(one, 'hex'), own));
  if (!isGenuine) throw new Refusal(401, 'UNAUTHORIZED', t`The signature of the event is not that of this endpoint.`);
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE)
    throw new Refusal(400, 'BAD_REQUEST', t`The event was signed too long ago. Look at the clocks of both servers.`);
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};

/** What is needed to find its subject here: names of things at Stripe, and our own marks. */
function subjectOf(object: JsonObject): JsonObject {
  const subject: JsonObject = {};
  for (const name of ['object', 'id', 'payment_intent', 'payment_method'])
    if (typeof object[name] === 'string' && object[name].length <= 255) subject[name] = object[name];
  for (const [name, value] of Object.entries(objectOf(object.metadata)))
    if (name.startsWith('perennial_') && typeof value === 'string' && value.length <= 255) subject[name] = value;
  return subject;
}

export const stripe: Incoming = {
  kind: 'stripe',
  async read(services, { storeId, headers, body }) {
    const secret = await secretOf(services, storeId);
    if (!secret) throw nothingHere();
    checkSignature({ header: headers['stripe-signature'] ?? '', body, secret, now: new Date() });
    let event: JsonObject = {};
    try {
      event = objectOf(JSON.parse(body) as JsonValue);
    } catch {
      // Said below.
    }
    const { id, type, object } = event;
    if (object !== 'event' || typeof id !== 'string' || !/^\w{1,255}$/.test(id) || typeof type !== 'string')
      throw new Refusal(400, 'BAD_REQUEST', t`This is no event of Stripe’s.`);
    return HEARD.test(type) ? { id, type: type.slice(0, 100), subject: subjectOf(objectOf(objectOf(event.data).object)) } : null;
  },
  follow: followStripe,
};
