// What a selling plan group is offered on: products, variants and collections that are added or taken off, by their own calls or with a
// save of the group.
import { accessOf } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState, Refusal, Reply, type Context } from '../../platform/context.ts';
import { mapCollections as addCollections, unmapCollections as takeCollections } from './collections.ts';
import type { GroupInput } from './groups.ts';
import { addToGroup, removeFromGroup, type MappingInput } from './mapping.ts';
import { groupToMap, logMapping, some } from './mapping-log.ts';
import { isPrepaid, plansOf } from './plan-document.ts';

/** Offers the group on products and variants, at most 250 a call (C025). */
export async function addVariants(context: Context, input: MappingInput): Promise<Reply> {
  const kept = await groupToMap(context, input.lspgId);
  const result = await addToGroup(context, input);
  const asked = (input.productIds?.length ?? 0) + (input.variantIds?.length ?? 0);
  await logMapping(context, kept, `${some(result.mappedProducts, 'product')} and ${some(result.mappedVariants, 'variant')} added`, {
    productIds: input.productIds ?? [],
    variantIds: input.variantIds ?? [],
  });
  const [first, ...others] = result.archived;
  const subject = others.length ? `${result.archived.length} of them are` : `“${first?.title}” is`;
  const archived = first ? ` ${subject} archived and can't be bought at the moment.` : '';
  const mapped = [
    result.mappedProducts && some(result.mappedProducts, 'product'),
    result.mappedVariants && some(result.mappedVariants, 'variant'),
  ].filter(Boolean);
  const added = result.mappedProducts + result.mappedVariants;
  return new Reply({ ...result } as unknown as JsonObject, {
    message: (added === 0 && asked > 0 ? 'Everything chosen was mapped already.' : `${mapped.join(' and ')} added.`) + archived,
  });
}

/** Takes products and variants off the group; subscriptions go on (C026). */
export async function removeVariants(context: Context, input: MappingInput): Promise<Reply> {
  const kept = await groupToMap(context, input.lspgId);
  const result = await removeFromGroup(context, input);
  await logMapping(context, kept, `${some(result.removedProducts, 'product')} and ${some(result.removedVariants, 'variant')} removed`, {
    productIds: input.productIds ?? [],
    variantIds: input.variantIds ?? [],
  });
  const still = result.stillMapped;
  const stays =
    still.length === 0
      ? ''
      : ` ${still.length === 1 ? `“${still[0]?.title}” stays` : `${some(still.length, 'product')} stay`} because a mapped collection ` +
        `brings ${still.length === 1 ? 'it' : 'them'}.`;
  return new Reply({ ...result } as unknown as JsonObject, { message: `Removed. Subscriptions already sold go on.${stays}` });
}

/** Maps collections; their products follow by a sync (C027). */
export async function mapCollections(
  context: Context,
  { lspgId, collectionIds }: { lspgId: number; collectionIds: number[] },
): Promise<Reply> {
  const kept = await groupToMap(context, lspgId);
  const access = accessOf(context.session);
  if (plansOf(kept.data as JsonObject).some(isPrepaid) && !access.switchedOn('PREPAIDV2_COLLECTION_MAPPING')) {
    throw invalidState("Collections can't be mapped to a group with prepaid plans in your store. Map its products one by one.");
  }
  const result = await addCollections(context, lspgId, collectionIds);
  await logMapping(context, kept, `${some(result.mapped, 'collection')} mapped`, { collectionIds });
  return new Reply(result, {
    message:
      result.mapped === 0
        ? 'These collections were mapped already.'
        : `${some(result.mapped, 'collection')} mapped. Products follow in a moment.`,
  });
}

/** Takes collections off, with the products that only they brought (C028). */
export async function unmapCollections(
  context: Context,
  { lspgId, collectionIds }: { lspgId: number; collectionIds: number[] },
): Promise<Reply> {
  const kept = await groupToMap(context, lspgId);
  const result = await takeCollections(context, lspgId, collectionIds);
  await logMapping(context, kept, `${some(result.unmapped, 'collection')} removed`, { collectionIds });
  return new Reply(result, { message: 'Removed. Products that were also added by hand stay.' });
}

/** Mistakes of a call are told at the field of the form that holds its input. */
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
