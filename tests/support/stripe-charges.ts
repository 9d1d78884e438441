// A store that charges through the simulated Stripe, for tests of the engine that open no server; processes of theirs open it by its address.
import type { Database } from '../../src/server/platform/db/database.ts';
import type { FullGateway } from '../../src/server/platform/gateway/gateway.ts';
import { Gateways } from '../../src/server/platform/gateway/gateways.ts';
import { StripeClient } from '../../src/server/platform/gateway/stripe-client.ts';
import { StripeGateway } from '../../src/server/platform/gateway/stripe-gateway.ts';
import { TestGateway } from '../../src/server/platform/gateway/test-gateway.ts';
import { readAllowed } from '../../src/server/platform/outgoing/addresses.ts';
import { createOutgoing } from '../../src/server/platform/outgoing/outgoing.ts';
import { SecretBox } from '../../src/server/platform/outgoing/secret-box.ts';
import { writeSecret } from '../../src/server/platform/outgoing/secrets.ts';

const secrets = new SecretBox(() => ['what the tests of the engine seal with, for good']);

/** The gateways of a store that has connected Stripe at `vendorUrl`. */
export function gatewaysAt(db: Database, vendorUrl: string): FullGateway {
  const outgoing = createOutgoing({ allowed: readAllowed(['127.0.0.1']) });
  return new Gateways({
    TEST: new TestGateway(db),
    STRIPE: new StripeGateway(new StripeClient({ db, secrets, outgoing, config: { vendorUrl } })),
  });
}

/** Connects the store; its methods with tokens of Stripe's are charged there, test cards as before. */
export async function connectStripe(db: Database, storeId: number): Promise<void> {
  await db.inStore(storeId, async trx => {
    const { id } = await trx
      .insertInto('payment_providers')
      .values({ store_id: storeId, provider: 'STRIPE', account_id: 'acct_1', status: 'CONNECTED' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeSecret({ trx, secrets }, { storeId, table: 'payment-provider', column: 'apiKey', id }, 'sk_test_of_the_store');
  });
  await db.ownerQuery("update stores set is_demo = true, charges_through = '{STRIPE}' where id = $1", [storeId]);
}
