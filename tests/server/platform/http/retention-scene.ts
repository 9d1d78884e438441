// What a store needs so that the calls of streaks, quick actions and campaigns have something to answer, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';

export async function retentionScene(
  must: (name: string, input: JsonObject) => Promise<any>,
  one: (text: string, params?: unknown[]) => Promise<number>,
  contract: number,
): Promise<Record<string, JsonObject>> {
  const streak = (await must('streaks.create', {
    name: 'Zzstreak',
    frequencies: [{ interval: 'MONTH', intervalCount: 1 }],
    milestones: [{ rewardType: 'NONE', title: 'Zzmilestone' }],
  })) as { id: number };
  await must('streaks.activate', { id: streak.id });
  await one(
    `insert into streak_enrollments (store_id, streak_id, streak_name, contract_id, customer_id, length, enrolled_at)
      select store_id, $1, 'Zzstreak', id, customer_id, 1, now() from contracts where store_id = 1 and id = $2 returning id`,
    [streak.id, contract],
  );
  const quick = (await must('quick-actions.create', { name: 'Zzquick', type: 'SKIP_ORDER', title: 'Zztitle' })) as { id: number };
  await must('quick-actions.activate', { id: quick.id });
  const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString();
  const campaign = (await must('campaign-actions.create', {
    name: 'Zzcampaign',
    type: 'ORDER_NOW',
    audienceType: 'SUBSCRIPTION_IDS',
    subscriptionIds: [contract],
    startAt: day(1),
    endAt: day(9),
  })) as { id: number };
  await must('campaign-actions.launch', { campaignActionId: campaign.id });
  const variant = await one(
    "select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id and p.status = 'ACTIVE' where v.store_id = 1 and v.deleted_at is null order by v.id limit 1",
  );
  const checkoutLink = (await must('checkout-links.create', { name: 'Zzcheckoutlink', items: [{ variantId: variant }] })) as { id: number };
  const group = await one(
    "select id from records where store_id = 1 and entity = 'selling-plan-group' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by id limit 1",
  );
  const checkoutUpgrade = (await must('checkout.create', { name: 'Zzcheckoutupgrade', planGroupId: group })) as { id: number };
  await must('checkout.activate', { id: checkoutUpgrade.id });
  return {
    'checkout.read': { id: checkoutUpgrade.id },
    'checkout.offers': { lines: [{ variantId: variant }] },
    'checkout-links.read': { id: checkoutLink.id },
    'checkout-links.planChoices': { variantIds: [variant] },
    'campaign-actions.read': { campaignActionId: campaign.id },
    'campaign-actions.links': { campaignActionId: campaign.id },
    'campaign-actions.subscriptionCount': { actionKey: 'ORDER_NOW' },
    'campaign-actions.reach': { actionKey: 'ORDER_NOW' },
    'campaign-actions.letters': { campaignActionId: campaign.id },
    'campaign-actions.preview': { actionKey: 'ORDER_NOW', title: 'Zztitle' },
    'campaign-actions.validateSubscriptionIds': { actionKey: 'ORDER_NOW', subscriptionIds: [contract] },
    'quick-actions.read': { id: quick.id },
    'quick-actions.translations': { quickActionId: quick.id, locale: 'en' },
    'streaks.read': { id: streak.id },
    'streaks.stats': { streakId: streak.id },
    'streaks.category': { id: 'streak' },
    'streaks.availableSellingPlans': { frequencies: [] },
    'streaks.sharedTranslations': { locale: 'en' },
    'streaks.translations': { streakId: streak.id, locale: 'en' },
    'streaks.ofSubscription': { subscriptionId: contract },
    // What was written down before everything else is looked at, too.
    'logs.accountLogs': { pageSize: 200 },
  };
}
