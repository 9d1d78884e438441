// Boxes of a subscription: which its customer may fill in another way, by the rules of the box, and what the next order would come to.
import type { BundleItem, Bundle } from '../../../domain/bundles/bundle.ts';
import { boxInWords } from '../../../domain/bundles/box-words.ts';
import type { Filling, PublishedBox } from '../../../domain/bundles/published-box.ts';
import { wordsOf } from '../../../domain/widgets/published-words.ts';
import { readBundles } from '../bundles/catalogue.ts';
import { changeContents } from '../bundles/on-subscription.ts';
import { boxesOf } from '../bundles/published-boxes.ts';
import {
  findVariants,
  heldBundles,
  type HeldBundle,
  linesOfBundle,
  loadAggregates,
  type Aggregate,
  pricedNext,
  refusalOf,
  UnitOfWork,
} from '../../engine/index.ts';
import type { Action } from './action.ts';
import { productsCost, type Portal } from './portal.ts';
import { toMinor } from '../../../domain/money/money.ts';

/** Boxes that the subscription holds, with the line by which addresses name each. */
export const boxesHeld = ({ subscription }: Pick<Portal, 'subscription'>): { held: HeldBundle; of: number }[] =>
  heldBundles(subscription).flatMap(held => {
    const [first] = held.bundleType === 'BYOB' ? linesOfBundle(subscription, held.id) : [];
    return first ? [{ held, of: first.id }] : [];
  });

/** The way to each of them. One whose bundle was deleted stays as it is; one that has a page of the store's own is changed there. */
export async function boxActions(portal: Portal): Promise<Action[]> {
  const { context, may, planHas, say, subscription, work } = portal;
  if (may.changeBox === false || !planHas('bundles') || !['ACTIVE', 'PAUSED'].includes(subscription.contract.status)) return [];
  const boxes = boxesHeld(portal);
  const refusal = refusalOf(work, subscription, 'changeContents');
  const there = await readBundles(context, { ids: boxes.map(({ held }) => held.bundleId) });
  return boxes.flatMap(({ held, of }): Action[] => {
    const bundle = there.find(one => one.id === held.bundleId);
    if (!bundle || pageOf(bundle)) return [];
    const label = say('portalBoxChange');
    return [{ id: 'BOX', of, label, question: held.name, ...(refusal ? { refusal } : {}), choices: [], done: 'portalBoxDone' }];
  });
}

/** The store's own page on which a box is changed. */
const pageOf = (bundle: Bundle & { customEditUrl?: string }): string => bundle.customEditUrl ?? '';

export interface OpenBox {
  held: HeldBundle;
  box: PublishedBox;
  texts: Record<string, string>;
  /** What is in it now. */
  filling: Filling;
  /** Our numbers of variants, by the platform's. */
  own: ReadonlyMap<number, number>;
}

/** A box of the subscription by one of its lines; undefined where there is none, or its bundle is gone. */
export async function openBox(portal: Portal, of: number | undefined): Promise<OpenBox | undefined> {
  const { context, subscription, words, speech } = portal;
  const held = boxesHeld(portal).find(one => one.of === of)?.held;
  const [bundle] = held ? await readBundles(context, { ids: [held.bundleId] }) : [];
  if (!held || !bundle) return undefined;
  const [box] = await boxesOf(context, { words, others: speech.language === words.primary ? [] : [speech.language] }, [bundle]);
  if (!box) return undefined;
  const texts = wordsOf(box, speech.language, words.primary);
  const numbers = box.products.flatMap(one => one.variants.map(variant => variant.id));
  const variants = await findVariants(context, {
    shopifyIds: numbers,
    ids: linesOfBundle(subscription, held.id).flatMap(line => line.variant_id ?? []),
  });
  const numberOf = new Map(variants.map(one => [one.id, one.shopify_id]));
  const filling = linesOfBundle(subscription, held.id).flatMap(line => {
    const number = numberOf.get(line.variant_id ?? 0);
    return number === undefined ? [] : [[number, line.quantity] as const];
  });
  return {
    ...{ held, box: boxInWords(box, texts), texts, filling: new Map(filling) },
    own: new Map(variants.map(one => [one.shopify_id, one.id])),
  };
}

/** A filling by our own numbers. */
export const itemsOf = ({ own }: OpenBox, filling: Filling): BundleItem[] =>
  [...filling].flatMap(([number, quantity]) => {
    const variantId = own.get(number);
    return variantId === undefined ? [] : [{ variantId, quantity }];
  });

/**
 * What the next order would come to with other contents, in minor units of the subscription's currency: the change is made in memory alone.
 * `isTooLittle`: it would be below what the store asks for at least, and is not yet.
 * @throws Refusal 422 for a box that does not fit
 */
export async function tried(portal: Portal, open: OpenBox, filling: Filling): Promise<{ total: number; isTooLittle: boolean }> {
  const { context, may, subscription } = portal;
  const work = await UnitOfWork.open(context);
  const [on] = await loadAggregates(context.trx, context.storeId, [subscription.contract.id], { lock: false });
  if (!on) return { total: 0, isTooLittle: false };
  work.add(on);
  await changeContents(work, on, { bundleTransactionId: open.held.id, items: itemsOf(open, filling) });
  await work.conclude();
  const least = toMinor(may.minimumOrderValue ?? '0', context.store.currency_code);
  const after = productsCost({ ...portal, work, subscription: on });
  return { total: totalOf(work, on), isTooLittle: after < least && after < productsCost(portal) };
}

/** What the next order comes to. */
export const totalOf = (work: UnitOfWork, subscription: Aggregate): number =>
  pricedNext(subscription, work.zone, work.settings.prepaidShippingCharge)?.priced.total ?? subscription.contract.total;
