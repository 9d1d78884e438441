// Actions on subscriptions (schemas/actions): what is said of each, and how it is offered in each place.
import type { JsonObject, JsonValue, Schema, When, With } from './schema.ts';

/** The buttons of an action on the record of a subscription by their ids, and what they share; none: one with the name of its call. */
export type RecordButtons = JsonObject & { buttons?: Record<string, JsonObject> };
/** A kind of link by which customers do an action: quick actions, and campaigns where it says so. */
export type LinkOffer = {
  order: number;
  title: string;
  description: string;
  /** The variable of messages that holds its link, where quick actions offer it. */
  variable?: { title: string };
  campaign?: true;
  /** Only campaigns offer it. */
  quickAction?: false;
  /** It brings an order that would not have come, or not now. */
  revenue?: true;
  /** States of subscriptions that it is for, where they are fewer than those of the action. */
  states?: readonly string[];
  /** The words that it begins with. */
  default: { title: string; ctaText: string; successText: string };
  /** Parameters that customers fill in before there are buttons. */
  fields?: readonly string[];
  choices: LinkChoice[];
};
/** How customers are asked for a parameter of an action, on its pages of the portal and of links. */
export interface CustomerField {
  /** The key of the text above it. */
  labelKey: string;
  /** Of a day: from and until how many days ahead it may lie. */
  days?: readonly [number, number];
  /** What it begins with, and the most of a number: "{row.quantity}" of the thing, "{maxQuantity}" of the preferences of the portal. */
  begins?: JsonValue;
  most?: JsonValue;
}
/** Buttons of a link or a page of the portal: one, or one for each thing of `each`; a button whose parameters are not known is left out. */
export interface LinkChoice {
  each?: string | { interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; intervalCount: number }[];
  /** Of what the record of the link says, or the preferences of the portal. */
  when?: When;
  label?: string;
  /** The key of a text in place of the label. */
  textKey?: string;
  /** What the action gets, from the record of the link and, as "{row.date}", from the thing. Left out: the reward alone is given. */
  with?: With;
}
/** A page of the portal on which a customer does the action, by texts of the store. */
export interface PortalOffer {
  /** A page for each of these, offered where the thing stands. Else one for the subscription. */
  each?: 'lines';
  /** The section of the subscription's page in which it is offered, and its place among what is offered there. */
  section?: 'next_order' | 'subscription_actions';
  order?: number;
  /** The preference of the portal that must be on. */
  while?: string;
  states?: readonly string[];
  /** Of the thing. */
  when?: When;
  labelKey: string;
  /** What is read out in place of the label. */
  nameKey?: string;
  /** The label while something holds of the subscription (status, lastPaymentStatus). */
  labelKeyWhen?: { when: When; textKey: string }[];
  titleKey?: string;
  questionKey?: string;
  /** The text above the buttons once all is filled in. Left out: what was filled in. */
  askKey?: string;
  /** A limit of the store that it must not break. */
  unless?: 'skipsInARow' | 'leastProducts';
  /** Parameters that customers fill in before there are buttons. */
  fields?: readonly string[];
  /** Further ways to the page, with something filled in. */
  ways?: { label: string; nameKey: string; with: With }[];
  choices: LinkChoice[];
  doneKey: string;
}
/** Where an action is offered, and how. */
export interface ActionPlaces {
  record?: RecordButtons;
  link?: Record<string, LinkOffer>;
  /** {}: a page that is drawn by code. */
  portal?: Record<string, PortalOffer | Record<string, never>>;
  bulk?: JsonObject;
  flow?: JsonObject;
  treatment?: JsonObject;
  incentive?: JsonObject;
}
export interface ActionKind {
  key: string;
  title: string;
  description: string;
  icon: string;
  group: 'STATUS' | 'SCHEDULE' | 'PRODUCT' | 'PRICE' | 'DELIVERY' | 'OTHER';
  /** Its place among the others; the smallest first. */
  order: number;
  /** The call that does it to one subscription; absent where there is none. */
  call?: string;
  /** All calls whose lines do it; of two actions that name a call it is done by the first. */
  calls: string[];
  /** What is asked of the state machine: a move or an edit of subscriptions; null: it changes nothing of them. */
  action: string | null;
  /** The area whose right it needs. */
  permission: string;
  /** Where it is offered, and how. */
  in: ActionPlaces;
  /** States of an action that keeps the state; a move's stand in x-states. */
  states?: readonly string[];
  /** The fewer states in which it is done to one of many, and the sentence for the others. */
  forMany?: { states: readonly string[]; otherwise: string };
  /** Columns of a CSV file besides subscription_id. */
  columns?: readonly string[];
  /** Cards are charged; nothing of the subscription changes; e-mails are what it is for; its form asks whether customers get an e-mail. */
  charges?: true;
  keeps?: true;
  mails?: true;
  notifies?: true;
  /** The number of subscriptions above which it must be typed. */
  confirmAbove?: number;
  /** Whether a run of it can be taken back. */
  undo?: true;
  /** Parameters that customers fill in, with how they are asked. */
  fields?: Readonly<Record<string, CustomerField>>;
  /** The form, without the parameter that names the subscription; null: it asks for nothing. */
  form: Schema | null;
}
