// What an action of the portal is: a question, and the buttons that answer it.
import type { JsonObject } from '../../../contract/types.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { ActionKey } from '../../../generated/actions.ts';
import { choiceKey } from '../../platform/http/choice-key.ts';
import type { Field } from '../../platform/http/form-fields.ts';
import type { OfferEvent } from '../offers/offer.ts';
import type { SwapInput } from '../offers/swap.ts';
import type { PurchaseType } from '../offers/profiles.ts';
import type { Given, Reward } from '../../engine/index.ts';

/** Another way of delivery: the change of the engine, and the option of the store. */
export interface Delivering {
  way: 'updatePickupDetails' | 'updateToPickup' | 'updateShippingDetails' | 'updateToShipping' | 'updateToLocalDelivery';
  optionCode: string;
}
export type Does =
  /** `orderId`: the order that it charges, and no other one. */
  | { action: ActionKey; input: JsonObject; reward?: Reward; orderId?: number }
  | { add: number; way: PurchaseType }
  | { addBundle: number; way: PurchaseType }
  /** `price` of a piece, `quantity` and a new `frequency`: so that the button of a page that shows others does nothing. */
  | { upgrade: { profileId: number; lineId: number }; price: number; quantity: number; frequency: Interval | undefined }
  /** The offer is in the way no more. */
  | { putAway: number }
  | { swap: Pick<SwapInput, 'lineId' | 'variantId' | 'once' | 'bundleId'> }
  | { deliver: Delivering }
  /** Paid by this method from now on. */
  | { payBy: number }
  /** Whether the customer gets the store's advertising. */
  | { getsAdvertising: boolean };
/** One way to do it: a button. */
export interface Choice {
  label: string;
  does: Does;
  /** What stands above the button: a name, then what is to be said of it. */
  about?: string[];
  /** What a further button below the same words is about. */
  for?: string;
  /** Not what the store would rather see done. */
  isQuiet?: boolean;
  /** The text after it was done, where that is not what all choices lead to. */
  done?: string;
}
export interface Action {
  /** In addresses: "SKIP", "QUANTITY". */
  id: string;
  /** Of which product, where it is about one: a line, or a variant that is offered. */
  of?: number;
  /** The section of the subscription's page that offers it, and its place there; those of products and offers stand beside them. */
  section?: 'next_order' | 'subscription_actions';
  order?: number;
  label: string;
  /** What is read out in place of the label. */
  name?: string;
  /** What its link fills in already. */
  fills?: Given;
  /** The heading of its page, where that is not the label. */
  title?: string;
  question: string;
  /** What stands above the buttons; made of texts that were escaped. */
  html?: string;
  /** Why it can't be done now although it is allowed. */
  refusal?: string;
  /** The refusal is markup that the store wrote. */
  isRich?: boolean;
  /** What has to be filled in before there are choices, as it was filled in, with what is wrong with it. */
  fields?: readonly Field[];
  /** What is wrong beside the fields. */
  wrong?: string;
  /** What was filled in and is right: the buttons send it along. */
  given?: Given;
  choices: Choice[];
  /** The words of the way back, where they are not those of every page. */
  back?: string;
  /** What is written down of an offer when its page is opened. */
  noted?: Pick<OfferEvent, 'kind' | 'profileId' | 'happened'>;
  /** The text after it was done. */
  done: string;
}
/** The name of a button in addresses: of what the page says and what the button does, so that a page that is older does nothing else. */
export const keyOf = ({ question }: Pick<Action, 'question'>, choice: Choice): string => choiceKey(question, choice);
/**
 * What a page or a button is for: what parameters name, the values of texts, what it is called, what stands above its button, and the
 * order that it charges.
 */
export type Thing = JsonObject & { said?: Record<string, string>; name?: string; about?: string[]; orderId?: number };
/** What an address says besides the action. */
export interface Asked {
  of?: number;
  /** What was filled in, by the names of fields. */
  given?: Given;
}
