// A store that charges through its Stripe account, with Stripe's own description of its API between both, for the tests of one block.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startVendorSimulator, type VendorSimulator } from '../../../../src/server/features/demo/vendor-simulator.ts';
import { moveWaiting } from '../../../../src/server/features/migration/payments/move-methods.ts';
import type { Config } from '../../../../src/server/platform/config.ts';
import { startStripeJudge, type StripeJudge } from '../../../support/stripe-judge.ts';
import { serverWithGoods, type GoodsServer } from '../subscriptions/goods-server.ts';

export interface StripeStore {
  readonly at: GoodsServer;
  readonly vendors: VendorSimulator;
  readonly judge: StripeJudge;
  readonly provider: number;
  rows(text: string, values?: unknown[]): Promise<Record<string, any>[]>; // any: every test knows the columns that it reads
  /** Enters a card on a page of the provider, or leaves it; gives where that leads. */
  enter(page: string, card: string | null): Promise<string>;
}

/** To be called in a `describe`. What does not fit Stripe's description fails the test that caused it. */
export function stripeStore(config: Partial<Config> = {}): StripeStore {
  const given: { -readonly [K in keyof Config]?: Config[K] } = { workers: 0, ...config };
  let vendors: VendorSimulator;
  let judge: StripeJudge;
  let provider = 0;
  beforeAll(async () => {
    vendors = await startVendorSimulator();
    judge = await startStripeJudge(vendors.url);
    given.vendorUrl = judge.url;
  });
  const at = serverWithGoods({ jobs: true, config: given, seed: { contracts: 6, stores: 2 } });
  const rows: StripeStore['rows'] = async (text, values = []) =>
    (await at.server.services.db.ownerQuery<Record<string, any>>(text, values)).rows;
  beforeAll(async () => {
    provider = (await at.ok('payment-providers.create', { provider: 'STRIPE', accountId: 'acct_1', apiKey: 'sk_test_of_the_store' })).id;
    await moveWaiting(at.server.services, 1, new AbortController().signal);
    await at.ok('payment-providers.startCharging', { id: provider });
  });
  afterAll(async () => {
    await judge?.close();
    await vendors?.close();
  });
  beforeEach(() => {
    vendors.received.length = 0;
    judge.mistakes.length = 0;
    return () => expect(judge.mistakes).toEqual([]);
  });
  return {
    at,
    get vendors() {
      return vendors;
    },
    get judge() {
      return judge;
    },
    get provider() {
      return provider;
    },
    rows,
    async enter(page, card) {
      if (card !== null) {
        const answer = await fetch(page, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' });
        return String(answer.headers.get('location'));
      }
      const [, back = ''] = /<a href="([^"]+)">Back/.exec(await (await fetch(page)).text()) ?? [];
      return back.replaceAll('&#38;', '&');
    },
  };
}
