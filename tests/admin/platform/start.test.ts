// What the start goes by: failures, reloads, host names; and the session from the specification's own calls, through the real server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, assembleSession } from '../../../src/admin/platform/session/assemble-session.ts';
import { isForeignHost } from '../../../src/admin/platform/session/foreign-host.ts';
import { afterFailure, LAST_RELOAD, RELOAD_GUARD, reloadedTooSoon } from '../../../src/admin/platform/start/start-rules.ts';
import { CallError } from '../../../src/admin/platform/transport/transport.ts';
import { accessOf } from '../../../src/contract/access.ts';
import type { Session } from '../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('a failed start', () => {
  it('S174 S161 D232 goes to /login when the answer flags an error', () => {
    // 200: an answer whose flag says no.
    for (const status of [200, 400, 401, 402, 403, 404, 409, 410, 422])
      expect([status, afterFailure(new CallError(status, {}))]).toEqual([status, 'login']);
  });
  it('S175 S023 D233 goes to /404 on everything that says nothing about the person', () => {
    for (const status of [0, 408, 425, 429, 500, 502, 503, 504])
      expect([status, afterFailure(new CallError(status, {}))]).toEqual([status, '404']);
    for (const exception of [new Error('broken'), new TypeError('x is undefined'), 'text', undefined])
      expect(afterFailure(exception)).toBe('404');
  });
});

describe('the reload guard', () => {
  const storage = (kept?: string) => {
    const map = new Map(kept === undefined ? [] : [[LAST_RELOAD, kept]]);
    return {
      map,
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => {
        map.set(key, value);
      },
    };
  };
  it('S318 D278 S024 counts two reloads within two seconds', () => {
    expect(RELOAD_GUARD).toBe(2000);
    for (const [since, isLoop] of [
      [0, true],
      [1, true],
      [1999, true],
      [2000, false],
      [60_000, false],
    ] as const)
      expect([since, reloadedTooSoon(1_000_000 + since, storage('1000000'))]).toEqual([since, isLoop]);
  });
  it('S025 keeps the time of the last reload in session storage', () => {
    const kept = storage();
    expect([
      reloadedTooSoon(5000, kept),
      kept.map.get(LAST_RELOAD),
      reloadedTooSoon(6999, kept),
      kept.map.get(LAST_RELOAD),
      reloadedTooSoon(9000, kept),
    ]).toEqual([false, '5000', true, '6999', false]);
  });
  it('lets the page open where nothing can be kept, where the first reload was, and where a clock went back', () => {
    expect(
      reloadedTooSoon(5000, {
        getItem: () => {
          throw new Error('no storage');
        },
        setItem: () => undefined,
      }),
    ).toBe(false);
    expect(reloadedTooSoon(500, storage())).toBe(false);
    expect(reloadedTooSoon(5000, storage('9000'))).toBe(false);
    expect(reloadedTooSoon(5000, storage('nonsense'))).toBe(false);
  });
});

describe('the domain guard', () => {
  it('S164 S165 compares the first labels alone', () => {
    expect([
      isForeignHost('other.myshopify.com', 'juniper.myshopify.com'),
      isForeignHost('other.example.com', 'juniper.myshopify.com'),
      isForeignHost('juniper2.example.com', 'juniper.myshopify.com'),
    ]).toEqual([true, true, true]);
    expect([
      isForeignHost('juniper.myshopify.com', 'juniper.myshopify.com'),
      isForeignHost('juniper.example.com', 'juniper.myshopify.com'),
      isForeignHost('juniper', 'juniper.myshopify.com'),
      isForeignHost('juniper.example.com.', 'juniper.myshopify.com'),
    ]).toEqual([false, false, false, false]);
  });
  it('S168 upper and lower case make no difference', () => {
    expect([
      isForeignHost('JUNIPER.myshopify.com', 'juniper.myshopify.com'),
      isForeignHost('juniper.example.com', 'Juniper.MyShopify.com'),
      isForeignHost('OTHER.example.com', 'JUNIPER.myshopify.com'),
    ]).toEqual([false, false, true]);
  });
  it('never stands in the way on this machine', () => {
    for (const host of ['localhost', 'LOCALHOST', 'juniper.localhost', '127.0.0.1', '192.168.0.7', '::1', '[::1]'])
      expect([host, isForeignHost(host, 'juniper.myshopify.com')]).toEqual([host, false]);
    expect(isForeignHost('localhost.example.com', 'juniper.myshopify.com')).toBe(true);
  });
});

describe('a session from the calls of the specification', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 30, stores: 2 }, tables: ['start-up', 'start-up-app', 'plan', 'store'] });
  });
  afterAll(() => server?.close());
  /** The real server, save that some calls fail; notes the order in which calls are made. */
  const start = async (broken: Record<string, number> = {}) => {
    const made: string[] = [];
    const failed: string[] = [];
    const ask: Ask = async (name, input) => {
      made.push(name);
      if (broken[name] !== undefined) throw new CallError(broken[name], { message: `${name} failed.` });
      const { status, data, body } = await server.call(name, input);
      if (status !== 200) throw new CallError(status, body);
      return data;
    };
    const session = await assembleSession(ask, (_error, source) => failed.push(source));
    return { session, made, failed };
  };

  it('S160 S172 asks for the user, the scopes, the plan features and the referral first, then for the store', async () => {
    const { made, failed } = await start();
    const store = ['start-up-app.snippetVersion', 'start-up-app.storeSettings', 'start-up-app.onboardingStatus', 'store.shopData'];
    expect(made.slice(0, -store.length).sort()).toEqual([
      'plan.allFeatures',
      'plan.featureSwitches',
      'start-up-app.fetchBilling',
      'start-up-app.readScopes',
      'start-up.user',
      'store.checkReferralEligibility',
    ]);
    expect(made.slice(-store.length).sort()).toEqual([...store].sort());
    expect(failed).toEqual([]);
  });
  it('S160 S276 S277 S278 S279 S280 is the very session that our one call answers', async () => {
    for (const plan of [1, 2, 4, 90]) {
      await server.services.db.ownerQuery('update stores set billing_plan_id = $1 where id = 1', [plan]);
      server.services.sessions.forget();
      const whole = (await server.call('start-up.session')).data as Session;
      const { session } = await start();
      // The counts, the hint which banners come and whether we serve the shop are our own call's; the clock has moved between the two.
      const known = ({ store, banners: _banners, ...rest }: Session) => ({
        ...rest,
        alertCount: 0,
        hasGiftWidget: false,
        store: { ...store, storefrontUrl: '', now: '' },
      });
      expect(known(session)).toEqual(known(whole));
      expect(Object.fromEntries(Object.keys(whole.plan.minimumPlans).map(name => [name, accessOf(session).planHas(name)]))).toEqual(
        Object.fromEntries(Object.keys(whole.plan.minimumPlans).map(name => [name, accessOf(whole).planHas(name)])),
      );
    }
  });
  it('S294 a failed fetch of the feature switches is only reported: all are off', async () => {
    const { session, failed } = await start({ 'plan.featureSwitches': 500 });
    expect([session.featureSwitches, failed]).toEqual([[], ['featureSwitches']]);
  });
  it('S295 after a failed fetch of the referral eligibility the merchant is not eligible', async () => {
    const { session, failed } = await start({ 'store.checkReferralEligibility': 503 });
    expect([session.isReferralEligible, failed]).toEqual([false, ['checkReferralEligibility']]);
  });
  it('S161 S293 a failed fetch of the user fails the start, and leads to /login', async () => {
    for (const status of [401, 403, 404]) {
      const error = await start({ 'start-up.user': status }).catch((failure: unknown) => failure);
      expect([status, afterFailure(error)]).toEqual([status, 'login']);
    }
  });
  it("S174 S175 the store's own data are needed: an answer that flags an error leads to /login, an exception to /404", async () => {
    for (const name of [
      'start-up-app.snippetVersion',
      'start-up-app.storeSettings',
      'start-up-app.onboardingStatus',
      'start-up-app.fetchBilling',
      'start-up-app.readScopes',
      'plan.allFeatures',
    ]) {
      expect([name, afterFailure(await start({ [name]: 200 }).catch((failure: unknown) => failure))]).toEqual([name, 'login']);
      expect([name, afterFailure(await start({ [name]: 0 }).catch((failure: unknown) => failure))]).toEqual([name, '404']);
    }
  });
});
