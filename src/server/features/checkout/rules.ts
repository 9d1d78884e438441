// Checkout links and upgrades: what no schema says of them, and how often links were opened.
import { sql } from 'kysely';
import { prepaidRefusal } from '../../../contract/switches.ts';
import { planType } from '../../../domain/selling-plans/selling-plan.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { rules, type RuleContext } from '../../platform/records/rules.ts';
import { detailsOf, engineOf, linkBase, readCatalogue, readPlanGroups } from '../../engine/index.ts';
import type { CheckoutLink } from './cart.ts';
import { upgradeFigures } from './figures.ts';
import { t } from '../../../domain/text/t.ts';

/** Products that are gone, and plans that they are not offered on. */
async function itemErrors(context: Context, { items }: CheckoutLink): Promise<FieldError[]> {
  const { byId, plans } = await readCatalogue(engineOf(context), { ids: items.map(item => item.variantId) });
  return items.flatMap(({ variantId, sellingPlanId }, i): FieldError[] => {
    const variant = byId.get(variantId);
    if (!variant || variant.deleted_at)
      return [{ pointer: `/items/${i}/variantId`, rule: 'reference', message: t`This product is not in the store any more.` }];
    if (!sellingPlanId) return [];
    const offered = (plans.get(variantId) ?? []).find(one => one.plan.lspId === sellingPlanId);
    const closed =
      offered && planType(offered.plan) !== 'STANDARD' ? prepaidRefusal(context.store.feature_switches, { part: 'CHECKOUT_LINKS' }) : null;
    if (closed) return [{ pointer: `/items/${i}/sellingPlanId`, rule: 'FEATURE_OFF', message: closed }];
    if (offered) return [];
    return [{ pointer: `/items/${i}/sellingPlanId`, rule: 'reference', message: t`This plan is not available for the chosen variant.` }];
  });
}

function codeErrors({ store }: Pick<RuleContext, 'store'>, code: string | undefined): FieldError[] {
  const known = (detailsOf(store).discountCodes ?? []).find(one => one.code.toLowerCase() === code?.toLowerCase());
  return !code || (known && known.isActive !== false)
    ? []
    : [{ pointer: '/discountCode', rule: 'discount', message: t`Discount code not found.` }];
}

export const checkoutLink = rules({
  async validate(verb, { record }, context) {
    if (!record || verb === 'delete') return undefined;
    const link = record as CheckoutLink;
    return [...(await itemErrors(context, link)), ...codeErrors(context, link.discountCode)];
  },
  derive: {
    needs: ['id', 'code'],
    members: ['url', 'clicks', 'recentClicks'],
    async of(links, context) {
      const { trx, storeId, store, now, config, address } = context;
      const { rows } = await sql<{ id: number; all: number; recent: number }>`select link_id as id, sum(visits)::integer as all,
          coalesce(sum(visits) filter (where day > (${now()}::timestamptz at time zone ${store.timezone}::text)::date - 30), 0)::integer
            as recent
        from checkout_visits where store_id = ${storeId}::integer and link_id = any(${links.map(({ id }) => Number(id))}::bigint[])
        group by 1`.execute(trx);
      return links.map(({ id, code }): JsonObject => {
        const row = rows.find(one => one.id === id);
        return {
          url: `${(config && linkBase(config)) ?? address ?? ''}/c/${storeId}/${String(code)}`,
          clicks: row?.all ?? 0,
          recentClicks: row?.recent ?? 0,
        };
      });
    },
  },
});

/** The name of the plan group, which a list shows in place of its number, and what the upgrade brought. */
export const checkoutUpgrade = rules({
  derive: {
    needs: ['id', 'planGroupId'],
    members: ['planGroupName', 'views', 'purchases'],
    async of(upgrades, { trx, storeId }) {
      const figures = await upgradeFigures(
        { trx, storeId },
        upgrades.map(({ id }) => Number(id)),
      );
      const { rows } = await sql<{ id: number; name: string }>`select id, data ->> 'name' as name from records
        where store_id = ${storeId}::integer and entity = 'selling-plan-group' and deleted_at is null
          and id = any(${upgrades.map(({ planGroupId }) => Number(planGroupId))}::bigint[])`.execute(trx);
      return upgrades.map(({ id, planGroupId }): JsonObject => ({
        planGroupName: rows.find(one => one.id === planGroupId)?.name ?? null,
        views: 0,
        purchases: 0,
        ...figures.get(Number(id)),
      }));
    },
  },
});

export const guards = {
  /** The plan group must be on sale, with a plan. */
  canActivateCheckoutUpgrade: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    const [group] = await readPlanGroups(context, [Number(record.planGroupId)]);
    return group?.plans.length ? undefined : t`Choose a selling plan that is published.`;
  },
};
