// What an owner left in a store that does more than most of its people may: roles, tokens, drafts that are off, rewards.
import type { JsonObject } from '../../../../src/contract/types.ts';

type Must = (name: string, input: JsonObject) => Promise<any>;
const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString();
const HALF: JsonObject = { rewardType: 'DISCOUNT', discountType: 'PERCENTAGE', discountValue: '50', orderCount: 2 };
const discount: JsonObject = {
  action: 'ADD_DISCOUNT',
  input: { kind: 'MANUAL', title: 'Half', type: 'PERCENTAGE', value: '50', targetType: 'LINE_ITEM', orderLimit: 2 },
};

/** Ids by entity, and settings pages and inputs of calls that a copy of what is there does not make. */
export async function givingScene(must: Must, contract: number): Promise<Record<string, JsonObject[]>> {
  const words = { title: 'Stay', bodyHtml: '<p>Stay</p>', acceptCtaText: 'Stay', rejectCtaText: 'Go' };
  const [reason] = (await must('preferences.readActiveReasons', {})) as { id: number }[];
  const flow = await must('automations.create', { name: 'Zz half', flowType: 'CUSTOM', triggers: ['ORDER_PLACED'], actions: [discount] });
  for (const type of ['ORDER_NOW', 'RESUME_SUBSCRIPTION'])
    await must('quick-actions.create', {
      name: `Zz ${type}`,
      type,
      title: 'Zz',
      ...(type === 'RESUME_SUBSCRIPTION' ? { reward: HALF } : {}),
    });
  const link = await must('quick-actions.create', { name: 'Zz skip', type: 'SKIP_ORDER', title: 'Zz' });
  await must('quick-actions.activate', { id: link.id });
  const campaign = {
    type: 'ORDER_NOW',
    audienceType: 'SUBSCRIPTION_IDS',
    subscriptionIds: [contract],
    startAt: day(1),
    endAt: day(9),
  };
  await must('campaign-actions.create', { name: 'Zz draft', ...campaign });
  const launched = await must('campaign-actions.create', { name: 'Zz launched', ...campaign });
  await must('campaign-actions.launch', { campaignActionId: launched.id });
  await must('incentives.create', { ...words, name: 'Zz offer', reasonIds: [reason?.id ?? 0], incentives: [discount] });
  await must('cancellation-reasons.create', {
    title: 'Zz reason',
    responseMode: 'TREATMENTS',
    treatments: [{ title: 'Half', ctaText: 'Take it', actions: [discount] }],
  });
  await must('streaks.create', {
    name: 'Zz streak',
    frequencies: [{ interval: 'MONTH', intervalCount: 1 }],
    milestones: [{ ...HALF, title: 'Half' }],
  });
  const token = { name: 'Zz all', type: 'ADMIN', scopes: { SUBSCRIPTIONS: 'READ_WRITE', SETTINGS: 'READ_WRITE', DISCOUNTS: 'READ_WRITE' } };
  const made = await must('api-keys.generate', token);
  const big = await must('roles.create', { name: 'Zz big', permissions: [{ permissionKey: 'pricingSettings', access: 'WRITE' }] });
  const webhook = await must('webhooks.create', { address: 'https://example.com/zz', topics: ['subscription/paused'] });
  const page = (await must('pause-flow.get', {})) as JsonObject;
  const { version: _version, updatedAt: _at, updatedBy: _by, id: _id, ...fields } = page;
  const mine = await must('roles.create', { name: 'Zz one right', permissions: [] });
  return {
    'roles.update': [
      { id: big.id, version: big.version, name: 'Zz big', permissions: [{ permissionKey: 'sellingPlan', access: 'WRITE' }] },
      { id: mine.id, version: mine.version, name: 'Zz one right', permissions: [{ permissionKey: 'sellingPlan', access: 'WRITE' }] },
    ],
    'roles.delete': [{ id: mine.id }],
    'api-keys.update': [{ id: made.id, name: 'Zz all', scopes: { ...token.scopes, CUSTOMERS: 'READ_WRITE' } }],
    'automations.update': [
      {
        id: flow.id,
        name: 'Zz half',
        flowType: 'CUSTOM',
        triggers: ['ORDER_PLACED'],
        actions: [discount, { action: 'SKIP_ORDER', input: { count: 1 } }],
      },
    ],
    'campaign-actions.create': [{ ...campaign, name: 'Zz third', type: 'WINBACK', audienceType: 'ALL_ELIGIBLE', subscriptionIds: [] }],
    'webhooks.update': [{ id: webhook.id, address: 'https://example.com/zy', topics: ['subscription/paused'] }],
    'pause-flow.set': [{ ...fields, status: 'ACTIVE', reward: HALF }],
    'users.invite': [
      { email: 'zz@example.com', firstName: 'Zz', roleId: big.id },
      { email: 'zy@example.com', firstName: 'Zy' },
    ],
    'users.updatePermissions': [{ id: 1003, permissions: [{ permissionKey: 'pricingSettings', access: 'WRITE' }] }],
    'bulk-actions.create': [
      { actionKey: 'ADD_DISCOUNT', selection: { mode: 'IDS', ids: [contract] }, input: discount.input as JsonObject },
      { actionKey: 'CHARGE_ORDER', selection: { mode: 'IDS', ids: [contract] }, input: { which: 'NEXT' } },
    ],
    'integrations.connect': [{ identifier: 'klaviyo', settings: { publicKey: 'AbCdE1', privateKey: 'pk_12345678' } }],
  };
}
