// What a customer may swap a product for: as the first swap profile that fits says, else the general settings.
import { times, toMinor } from '../../../domain/money/money.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { bundleSwaps } from '../offers/bundles.ts';
import { swapsOf, type SwapOffer } from '../offers/swap.ts';
import { type LineRow, nameOf, nameOfVariant, presentPiece } from '../../engine/index.ts';
import type { Action, Choice } from './action.ts';
import { productsCost, type Portal } from './portal.ts';
import { bundleWord, ownWords } from './profile-words.ts';
import { scopeOf } from './upsells.ts';

/** Choices on one page. */
const MOST = 24;

export async function swapAction(portal: Portal, line: LineRow): Promise<Action[]> {
  const { may, say, planHas } = portal;
  if (!may.swapProduct || !planHas('product_swap') || line.bundle_transaction_id !== null) return [];
  const scope = scopeOf(portal);
  const offers = (await swapsOf(scope, line, 'PORTAL')).filter(offer => isEnough(portal, line, offer)).slice(0, MOST);
  const bundles = (await bundleSwaps(scope, line)).slice(0, MOST);
  const [first] = offers;
  if (!first && bundles.length === 0) return [];
  const words = await ownWords(portal, 'swap-profile', first?.profileId ?? 0, ['title', 'description', 'badge']);
  return [
    {
      id: 'SWAP',
      of: line.id,
      label: say('swapProduct'),
      question: [nameOf(line), words.title, words.description].filter(Boolean).join('\n'),
      choices: [
        ...offers.flatMap(offer => choicesFor(portal, line, offer, words.badge ?? '')),
        ...bundles.map(({ bundle, price }): Choice => ({
          about: [bundleWord(portal, bundle.id, 'name', bundle.name), money(portal, price)],
          label: say('swapProduct'),
          does: { swap: { lineId: line.id, variantId: 0, bundleId: bundle.id } },
        })),
      ],
      noted: { kind: 'SWAP', profileId: first?.profileId ?? 0, happened: 'VIEWED' },
      done: 'saved',
    },
  ];
}

const money = ({ subscription, speech }: Portal, amount: number): string => speech.money(amount, subscription.contract.currency_code);

/** Whether an order keeps what the store asks for at least. */
function isEnough(portal: Portal, line: LineRow, { price }: SwapOffer): boolean {
  const { context, may, subscription } = portal;
  const least = toMinor(may.minimumOrderValue ?? '0', context.store.currency_code);
  const change = times(price - presentPiece(subscription, line), line.quantity);
  return change >= 0 || productsCost(portal) + inStoreCurrency(context.store, change, subscription.contract.currency_code) >= least;
}

function choicesFor(portal: Portal, line: LineRow, offer: SwapOffer, badge: string): Choice[] {
  const { say } = portal;
  const { variant, price, isRecommended, saysDifference, mayBeOnce } = offer;
  const more = price - presentPiece(portal.subscription, line);
  const difference = saysDifference && more !== 0 ? `${more > 0 ? '+' : '−'}${money(portal, Math.abs(more))}` : '';
  const about = [
    nameOfVariant(portal.speech.named(variant)),
    [isRecommended ? badge : '', money(portal, price), difference].filter(Boolean).join(' · '),
  ];
  const swap = { lineId: line.id, variantId: variant.id };
  return [
    { about, label: say('swapProduct'), does: { swap } },
    ...(mayBeOnce ? [{ label: say('oneTimeProduct'), for: about[0] ?? '', isQuiet: true, does: { swap: { ...swap, once: true } } }] : []),
  ];
}
