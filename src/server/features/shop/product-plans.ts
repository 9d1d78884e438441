// Plans of a product in the order in which shoppers see them.
import type { OfferedPlan } from '../../engine/index.ts';

/** Plans that a shopper may choose from, group by group, the default of each first, then as the merchant put them. */
export function plansOf(offered: readonly OfferedPlan[]): OfferedPlan[] {
  const groups = [...new Set(offered.map(one => one.groupId))];
  return groups.flatMap(id =>
    offered.filter(one => one.groupId === id).sort((a, b) => Number(b.plan.isDefault === true) - Number(a.plan.isDefault === true)),
  );
}

/** What the platform's cart calls a plan. */
export const platformNumber = ({ plan }: OfferedPlan): number => {
  const { shopifyId } = plan as { shopifyId?: number | null };
  return shopifyId ?? plan.lspId;
};
