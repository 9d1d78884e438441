// Gift programs: what no schema says of them, and what has to be there before one is turned on. Lists of gifts.
import { sql } from 'kysely';
import { toMinor } from '../../../domain/money/money.ts';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { GiftPlan } from '../../../generated/entities.ts';
import { t } from '../../../domain/text/t.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import { rules, type RuleContext } from '../../platform/records/rules.ts';

const plansOf = (record: JsonObject | undefined): GiftPlan[] => (record?.plans ?? []) as GiftPlan[];
const variantsOf = (record: JsonObject | undefined): number[] => (record?.variantIds ?? []) as number[];

/**
 * Products that can't be in a program: gone, gift cards, or in another program. At most one holds a product, also when two people save at
 * the same moment.
 */
export async function productErrors(
  { trx, storeId }: Pick<RuleContext, 'trx' | 'storeId'>,
  record: JsonObject,
  pointer = '/variantIds',
): Promise<FieldError[]> {
  const ids = variantsOf(record);
  if (record.status === 'ACTIVE' && ids.length === 0)
    return [{ pointer, rule: 'minItems', message: t`A program needs at least one variant while it is active.` }];
  const { rows } = await sql<{ id: number; is_gone: boolean; is_gift_card: boolean; other: string | null }>`
    select k.id, v.id is null as is_gone, coalesce(p.is_gift_card, false) as is_gift_card,
      (select r.data ->> 'name' from records r where r.store_id = ${storeId}::integer and r.entity = 'gift-program'
        and r.deleted_at is null and r.id <> ${Number(record.id ?? 0)}::bigint
        and r.data -> 'variantIds' @> to_jsonb(k.id) limit 1) as other
    from unnest(${ids}::bigint[]) as k (id)
    left join variants v on v.store_id = ${storeId}::integer and v.id = k.id and v.deleted_at is null
    left join products p on p.store_id = v.store_id and p.id = v.product_id`.execute(trx);
  const wrong = new Map(rows.map(row => [row.id, row]));
  return ids.flatMap((id, i): FieldError[] => {
    const row = wrong.get(id);
    const at = `${pointer}/${i}`;
    if (!row || row.is_gone) return [{ pointer: at, rule: 'reference', message: t`This product no longer exists.` }];
    if (row.is_gift_card) return [{ pointer: at, rule: 'GIFT_CARD', message: t`Gift cards can't be given as a gift subscription.` }];
    return row.other === null ? [] : [{ pointer: at, rule: 'unique', message: t`This variant is already in program ${row.other}.` }];
  });
}

/** Exactly one plan is chosen at first; amounts have the decimals of the store's currency. */
function planErrors({ store }: RuleContext, record: JsonObject): FieldError[] {
  const plans = plansOf(record);
  const errors: FieldError[] = [];
  const chosen = plans.flatMap((plan, i) => (plan.isDefault === true ? [i] : []));
  for (const i of chosen.slice(1)) errors.push({ pointer: `/plans/${i}/isDefault`, rule: 'unique', message: t`Choose one default plan.` });
  const amounts = [
    ...plans.map((plan, i) => [plan.discountType === 'FIXED' ? plan.discountValue : undefined, `/plans/${i}/discountValue`] as const),
    [
      record.shippingMode === 'PER_ORDER' ? (record.shippingPricePerOrder as string | undefined) : undefined,
      '/shippingPricePerOrder',
    ] as const,
  ];
  for (const [amount, pointer] of amounts) {
    if (amount === undefined) continue;
    try {
      toMinor(amount, store.currency_code);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push({ pointer, rule: 'format', message: error.message });
    }
  }
  return errors;
}

export const giftProgram = rules({
  // Plans keep the identifier that carts know them by; new ones get one, and the first is chosen where none is.
  fill(_verb, { before, record, input }): JsonObject {
    const given = plansOf(record ?? input);
    const known = new Set(plansOf(before).map(({ loopId }) => loopId));
    const isChosen = given.some(plan => plan.isDefault === true);
    const plans = given.map((plan, i) => ({
      ...plan,
      loopId: plan.loopId !== undefined && known.has(plan.loopId) ? plan.loopId : newPublicId('nano'),
      ...(isChosen || i > 0 ? {} : { isDefault: true }),
    }));
    return given.length ? { plans: plans as JsonValue } : {};
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'delete' && before?.status === 'ACTIVE') return new Refusal(409, 'INVALID_STATE', t`Deactivate the program first.`);
    if (!record || verb === 'move' || verb === 'delete') return undefined;
    return [...planErrors(context, record), ...(await productErrors(context, record))];
  },
  derive: {
    needs: ['id', 'variantIds'],
    members: ['productVariantCount', 'giftsCount', 'runningCount'],
    async of(records, { trx, storeId }) {
      const { rows } = await sql<{ id: number; all: number; running: number }>`select program_id as id, count(*)::integer as all,
          count(*) filter (where status in ('UPCOMING', 'ACTIVE'))::integer as running from gifts
        where store_id = ${storeId}::integer and program_id = any(${records.map(({ id }) => Number(id))}::bigint[]) group by 1`.execute(
        trx,
      );
      const by = new Map(rows.map(row => [row.id, row]));
      return records.map(({ id, variantIds }) => ({
        productVariantCount: Array.isArray(variantIds) ? variantIds.length : 0,
        giftsCount: by.get(Number(id))?.all ?? 0,
        runningCount: by.get(Number(id))?.running ?? 0,
      }));
    },
  },
});

export const guards = {
  canActivateGiftProgram: (_context: Context, record: JsonObject): string | undefined => {
    if (variantsOf(record).length === 0) return t`Add products to this program.`;
    return plansOf(record).filter(plan => plan.isDefault === true).length === 1 ? undefined : t`Choose one default plan.`;
  },
};
