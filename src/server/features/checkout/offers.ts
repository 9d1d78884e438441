// What a cart is offered in the checkout: subscriptions in place of what is bought once.
import { sql } from 'kysely';
import type { Session } from '../../../contract/types.ts';
import { frequencyLabel } from '../../../domain/calendar/interval.ts';
import { formatMoney, times, toDecimal } from '../../../domain/money/money.ts';
import { ruleFor, unitPrice } from '../../../domain/money/pricing.ts';
import { deliveryInterval, pricesOf } from '../../../domain/selling-plans/selling-plan.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import { intlLocale } from '../../../domain/text/t.ts';
import { readWords } from '../../platform/texts/words.ts';
import { type EngineContext, type OfferedPlan, readCatalogue } from '../../engine/index.ts';

interface Upgrade {
  id: number;
  name: string;
  planGroupId: number;
  allProducts?: boolean;
  productIds?: number[];
  allowFrequencyChoice?: boolean;
  title: string;
  description?: string;
  buttonText: string;
  undoText?: string;
  appliedText?: string;
  imageUrl?: string;
}
export interface OfferedLine {
  variantId: number;
  quantity?: number;
}

/** Amounts are decimals of the store's currency, for all pieces of the line. */
export type UpgradeOffer = {
  variantId: number;
  upgradeId: number;
  plans: { sellingPlanId: number; name: string; frequency: string; price: string; saving: string }[];
  title: string;
  description: string;
  buttonText: string;
  undoText: string;
  appliedText: string;
  imageUrl: string | null;
};

/** What may be subscribed to of a cart, at which price; nothing while the widget is not published, or the store has no such upgrades. */
export async function offersFor(
  context: EngineContext & { session: Pick<Session, 'plan'> },
  lines: readonly OfferedLine[],
  locale?: string,
): Promise<UpgradeOffer[]> {
  const { trx, storeId } = context;
  const { isCheckoutWidgetPublished } = await context.setting('checkout-widget');
  if (isCheckoutWidgetPublished !== true || !context.session.plan.features.includes('checkout_upgrades')) return [];
  const { rows } = await sql<{ id: number; data: Omit<Upgrade, 'id'> }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'checkout-upgrade' and deleted_at is null and data ->> 'status' = 'ACTIVE' order by position, id`.execute(trx);
  const { byId, plans } = await readCatalogue(context, { ids: lines.map(line => line.variantId) });
  const words = await readWords(context, ['checkout-upgrade']);
  return lines.flatMap(({ variantId, quantity = 1 }) => {
    const variant = byId.get(variantId);
    if (!variant || variant.deleted_at) return [];
    for (const { id, data } of rows) {
      if (data.allProducts === false && !data.productIds?.includes(variant.product_id)) continue;
      const own = (plans.get(variantId) ?? []).filter(one => one.groupId === data.planGroupId);
      const offered = [...own].sort((a, b) => Number(b.plan.isDefault === true) - Number(a.plan.isDefault === true));
      const [first] = offered;
      if (!first) continue;
      const shown = offered.slice(0, data.allowFrequencyChoice ? offered.length : 1);
      return [
        {
          variantId,
          upgradeId: id,
          plans: shown.map(one => priced(context, one, variant.price, quantity)),
          ...upgradeTexts(
            context,
            words,
            { ...data, id },
            times(Math.max(0, variant.price - priceOf(first, variant.price, context.store.currency_code)), quantity),
            locale,
          ),
        },
      ];
    }
    return [];
  });
}
type Words = Awaited<ReturnType<typeof readWords>>;

const priceOf = ({ plan }: OfferedPlan, price: number, currency: string): number => unitPrice(price, ruleFor(pricesOf(plan, currency), 1));

function priced({ store }: EngineContext, offered: OfferedPlan, price: number, quantity: number): UpgradeOffer['plans'][number] {
  const currency = store.currency_code;
  const piece = priceOf(offered, price, currency);
  return {
    sellingPlanId: offered.plan.lspId,
    name: offered.plan.name,
    frequency: frequencyLabel(deliveryInterval(offered.plan)),
    price: toDecimal(times(piece, quantity), currency),
    saving: toDecimal(times(Math.max(0, price - piece), quantity), currency),
  };
}

/** The words of an upgrade in the shopper's language, with what the plan that is offered first saves on the line. */
type UpgradeTexts = Omit<UpgradeOffer, 'variantId' | 'upgradeId' | 'plans'>;
function upgradeTexts({ store }: EngineContext, words: Words, upgrade: Upgrade, saving: number, locale?: string): UpgradeTexts {
  const values: Record<string, string> = { saving: saving > 0 ? formatMoney(saving, store.currency_code, intlLocale()) : '' };
  const text = (key: 'title' | 'description' | 'buttonText' | 'undoText' | 'appliedText'): string => {
    const own =
      words.find(locale ?? null, { ownerKind: 'checkout-upgrade', ownerId: String(upgrade.id), key })?.value ?? upgrade[key] ?? '';
    return filledOut(own, values).trim();
  };
  return {
    title: text('title'),
    description: text('description'),
    buttonText: text('buttonText'),
    undoText: text('undoText'),
    appliedText: text('appliedText'),
    imageUrl: upgrade.imageUrl ?? null,
  };
}
