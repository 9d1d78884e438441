// What a selling plan group is offered on: products, variants and collections that are added or taken off, by their own calls or with a
// save of the group.
import { prepaidRefusal } from '../../../contract/switches.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState, Refusal, Reply, type Context } from '../../platform/context.ts';
import { mapCollections as addCollections, unmapCollections as takeCollections } from './collections.ts';
import type { GroupInput } from './groups.ts';
import { addToGroup, removeFromGroup, type MappingInput } from './mapping.ts';
import { groupToMap, logMapping, some } from './mapping-log.ts';
import { isPrepaid, plansOf } from '../../../domain/selling-plans/plan-document.ts';
import { t } from '../../../domain/text/t.ts';

/** Offers the group on products and variants, at most 250 a call (C025). */
export async function addVariants(context: Context, input: MappingInput): Promise<Reply> {
  const group = await groupToMap(context, input.lspgId);
  const result = await addToGroup(context, input);
  const requested = (input.productIds?.length ?? 0) + (input.variantIds?.length ?? 0);
  await logMapping(context, group, `${some(result.mappedProducts, 'product')} and ${some(result.mappedVariants, 'variant')} added`, {
    productIds: input.productIds ?? [],
    variantIds: input.variantIds ?? [],
  });
  const [first, ...others] = result.archived;
  const archived = !first
    ? ''
    : others.length
      ? t`${result.archived.length} of them are archived and can't be bought at the moment.`
      : t`“${first.title}” is archived and can't be bought at the moment.`;
  const message = addedWords(result.mappedProducts, result.mappedVariants, requested);
  return new Reply({ ...result } as JsonObject, { message: archived ? `${message} ${archived}` : message });
}

const productsSaid = (n: number): string => (n === 1 ? t`1 product` : t`${n} products`);
const variantsSaid = (n: number): string => (n === 1 ? t`1 variant` : t`${n} variants`);
function addedWords(products: number, variants: number, requested: number): string {
  if (products > 0 && variants > 0) return t`${productsSaid(products)} and ${variantsSaid(variants)} added.`;
  if (products + variants === 0 && requested > 0) return t`Everything chosen was mapped already.`;
  return t`${variants > 0 ? variantsSaid(variants) : productsSaid(products)} added.`;
}

/** Takes products and variants off the group; subscriptions go on (C026). */
export async function removeVariants(context: Context, input: MappingInput): Promise<Reply> {
  const group = await groupToMap(context, input.lspgId);
  const result = await removeFromGroup(context, input);
  await logMapping(context, group, `${some(result.removedProducts, 'product')} and ${some(result.removedVariants, 'variant')} removed`, {
    productIds: input.productIds ?? [],
    variantIds: input.variantIds ?? [],
  });
  const still = result.stillMapped;
  const stays =
    still.length === 0
      ? t`Removed. Subscriptions already sold go on.`
      : still.length === 1
        ? t`Removed. Subscriptions already sold go on. “${String(still[0]?.title)}” stays because a mapped collection brings it.`
        : t`Removed. Subscriptions already sold go on. ${still.length} products stay because a mapped collection brings them.`;
  return new Reply({ ...result } as JsonObject, { message: stays });
}

/** Maps collections; their products follow by a sync (C027). */
export async function mapCollections(
  context: Context,
  { lspgId, collectionIds }: { lspgId: number; collectionIds: number[] },
): Promise<Reply> {
  const group = await groupToMap(context, lspgId);
  const closed = prepaidRefusal(context.session.featureSwitches, { part: 'COLLECTIONS' });
  if (closed && plansOf(group.data as JsonObject).some(isPrepaid)) throw invalidState(closed);
  const result = await addCollections(context, lspgId, collectionIds);
  await logMapping(context, group, `${some(result.mapped, 'collection')} mapped`, { collectionIds });
  return new Reply(result, {
    message:
      result.mapped === 0
        ? t`These collections were mapped already.`
        : result.mapped === 1
          ? t`1 collection mapped. Products follow in a moment.`
          : t`${result.mapped} collections mapped. Products follow in a moment.`,
  });
}

/** Takes collections off, with the products that only they brought (C028). */
export async function unmapCollections(
  context: Context,
  { lspgId, collectionIds }: { lspgId: number; collectionIds: number[] },
): Promise<Reply> {
  const group = await groupToMap(context, lspgId);
  const result = await takeCollections(context, lspgId, collectionIds);
  await logMapping(context, group, `${some(result.unmapped, 'collection')} removed`, { collectionIds });
  return new Reply(result, { message: t`Removed. Products that were also added by hand stay.` });
}

/** Mistakes of a call are shown at the field of the form that holds its input. */
async function toldAt<T>(place: (pointer: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.errors?.length) throw error;
    throw invalid(error.errors.map(one => ({ ...one, pointer: place(one.pointer) })));
  }
}

/**
 * Offers a group on what its form names: `productsToAdd`, `collectionsToAdd`.
 * @throws Refusal 422 naming each product or collection that can't be added, 409 for collections of prepaid plans without their feature
 */
export async function offerOn(
  context: Context,
  lspgId: number,
  {
    productsToAdd: { productIds = [], variantIds = [] } = {},
    collectionsToAdd = [],
  }: Pick<GroupInput, 'productsToAdd' | 'collectionsToAdd'>,
): Promise<void> {
  if (productIds.length + variantIds.length)
    await toldAt(
      pointer => `/productsToAdd${pointer}`,
      () => addVariants(context, { lspgId, productIds, variantIds }),
    );
  if (collectionsToAdd.length)
    await toldAt(
      pointer => pointer.replace('/collectionIds', '/collectionsToAdd'),
      () => mapCollections(context, { lspgId, collectionIds: collectionsToAdd }),
    );
}
