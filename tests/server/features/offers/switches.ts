// What each feature switch opens on a running server, found by its line in schemas/common/switches.json: the sentences that refuse it
// while the switch is off.
import { allowsCall } from '../../../../src/contract/access.ts';
import { SWITCHES, type PrepaidPart, type Way } from '../../../../src/contract/switches.ts';
import type { JsonObject, Session } from '../../../../src/contract/types.ts';
import { factsOf } from '../../../../src/navigation/facts.ts';
import { transactIn } from '../../../../src/server/engine/index.ts';
import { runAction } from '../../../../src/server/engine/actions/run-action.ts';
import { ACTION_KINDS } from '../../../../src/generated/actions.ts';
import type { TestServer } from '../../../support/server.ts';
import { group, monthly } from '../selling-plans/plans.ts';

export interface Scene {
  server: TestServer;
  /** A prepaid subscription that is offered an upsell, and a variant with a prepaid plan. */
  prepaid: { id: number; variantId: number; planId: number; groupId: number; collectionId: number };
}
type Refusals = string[];
const DAYS = { startAt: '2030-01-01T00:00:00Z', endAt: '2030-02-01T00:00:00Z' };

/** What people may not call or find while the store's plan lacks the features of the switch. */
async function ofFeatures({ server }: Scene, features: readonly string[]): Promise<Refusals> {
  const { definitions } = server.services;
  const session = (await server.call('start-up.session')).data as unknown as Session;
  const calls = Object.values(definitions.calls).filter(({ feature }) => feature !== undefined && features.includes(feature));
  const closed = calls.flatMap(call => {
    const allowed = allowsCall(call, session);
    return allowed.ok ? [] : [allowed.message];
  });
  const entries = [...definitions.navigation.main, ...definitions.navigation.lower].flatMap(one => [one, ...(one.items ?? [])]);
  const hidden = entries.filter(({ plan }) => plan !== undefined && features.includes(plan) && !session.plan.features.includes(plan));
  const gifts = features.includes('gift_subscription') && factsOf(session, definitions.facts)['gift.qualifies'] === false;
  const rewards = [1, 2].map(chance => ({ chance, reward: { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '10' } }));
  const campaign = { name: `Surprise ${Math.random()}`, type: 'MYSTERY_REWARDS', audienceType: 'ALL_ELIGIBLE', rewards, ...DAYS };
  const tried = features.includes('mystery_rewards') ? await server.call('campaign-actions.create', campaign) : undefined;
  const surprises = (tried?.body.errors ?? []).flatMap(({ message }: { message?: string }) => message ?? []);
  return [...closed, ...surprises, ...hidden.map(({ id }) => `${id} is not in the plan`), ...(gifts ? ['gifts are not in the plan'] : [])];
}

const WAYS: Readonly<Record<Way, string>> = {
  BULK_ACTION: 'bulkActionId',
  CAMPAIGN: 'campaignId',
  CANCELLATION_FLOW: 'cancellationAttemptId',
  QUICK_ACTION: 'quickActionId',
};
/** What an action says that comes by a way. Nothing of it stays. */
const byWay = async ({ server, prepaid }: Scene, way: Way): Promise<Refusals> => {
  let sentence = '';
  const undone = new Error('undone');
  await transactIn(
    server.services,
    1,
  )(async context => {
    const given = { ...context, definitions: server.services.definitions };
    const done = await runAction(
      given,
      'SKIP_ORDER',
      prepaid.id,
      { count: 1, notify: false },
      { source: 'System', noteData: { [WAYS[way]]: 1 } },
    );
    sentence = done.status === 'SKIPPED' ? done.sentence : '';
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return sentence ? [sentence] : [];
};

const messages = ({ body }: { body: { errors?: { message?: string }[]; message?: string } }): Refusals => [
  ...(body.errors ?? []).flatMap(({ message }) => message ?? []),
  ...(body.message ? [body.message] : []),
];
const asPrepaid = { isPrepaid: true, recurringBillingPolicyInterval: 'MONTH', recurringBillingPolicyIntervalCount: 3 };
const PARTS: Readonly<Record<PrepaidPart, (scene: Scene) => Promise<Refusals>>> = {
  PLANS: async ({ server }) => messages(await server.call('selling-plan-groups.create', group({ sellingPlans: [monthly(asPrepaid)] }))),
  LIMITS: async ({ server }) =>
    messages(
      await server.call(
        'selling-plan-groups.create',
        group({ sellingPlans: [monthly({ ...asPrepaid, recurringBillingPolicyMinCycles: 2 })] }),
      ),
    ),
  COLLECTIONS: async ({ server, prepaid: { groupId: lspgId, collectionId } }) =>
    messages(await server.call('selling-plan-groups.mapCollections', { lspgId, collectionIds: [collectionId] })),
  CHECKOUT_LINKS: async ({ server, prepaid: { variantId, planId: sellingPlanId } }) =>
    messages(await server.call('checkout-links.create', { name: 'Prepaid', items: [{ variantId, sellingPlanId }] })),
  // Subscribers hear of no offers that there are none of.
  UPSELLS: async ({ server, prepaid: { id } }) => {
    const offers = (await server.call('offers.list', { id, place: 'PORTAL' })).data as unknown as JsonObject[];
    return offers.some(({ kind }) => kind === 'UPSELL') ? [] : [SWITCHES.PREPAIDV2_UPSELL?.prepaid?.otherwise ?? ''];
  },
};

/** Every sentence by which what a switch opens is refused now. */
export async function refusalsOf(scene: Scene, name: string): Promise<Refusals> {
  const { gives, prepaid: opens } = SWITCHES[name] ?? {};
  const found: Refusals = gives ? await ofFeatures(scene, gives) : [];
  const { refusals } = (await scene.server.call('subscription-contract.read', { id: scene.prepaid.id })).data as { refusals: JsonObject };
  for (const key of opens?.actions ?? []) found.push(String(refusals[String(ACTION_KINDS[key].action)] ?? ''));
  for (const way of opens?.ways ?? []) found.push(...(await byWay(scene, way)));
  for (const part of opens?.parts ?? []) found.push(...(await PARTS[part](scene)));
  return found.filter(one => one !== '' && (opens === undefined || one === opens.otherwise));
}
