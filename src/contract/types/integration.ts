// Other apps that a store connects (schemas/integrations, one file each): its form, and the requests that are made of it.
// In addresses, headers and bodies "{field}" stands for what the merchant entered in the form.
import type { JsonObject, Schema } from './schema.ts';

/** One request to the app's own server. */
export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the base address. */
  path: string;
}
export interface IntegrationKind {
  key: string;
  name: string;
  category: string;
  description: string;
  docs?: string;
  /** The lowest plan that has it, by name; absent: the lowest that is paid for. */
  plan?: string;
  /** By keys that are entered, or on a page of the app's own, which sends the merchant back. */
  connect: 'API_KEY' | 'OAUTH_REDIRECT';
  /** What the form asks for: an object of its fields. */
  form: Schema;
  /** How a merchant sets it up, one sentence each. */
  steps: readonly string[];
  /** What all its requests begin with. */
  baseUrl: string;
  /** The page on which it is connected (OAUTH_REDIRECT). */
  authorize?: string;
  /** Headers of every request; `basic`: name and password of HTTP basic authentication. */
  headers?: Record<string, string>;
  basic?: readonly [string, string];
  /** Asks whether the keys are good. `names`: fields that the answer repeats, each with its path there; another value refuses them. */
  check: VendorRequest & { names?: Record<string, string> };
  /** Takes an event. `takes`: names of events, all of them where the file names none. */
  events?: VendorRequest & { takes: readonly string[]; body: JsonObject };
  /** How points of customers are asked for, redeemed and given back. */
  loyalty?: LoyaltyKind;
  /** Asks for the days of deliveries that it has room on. */
  deliveryDays?: VendorRequest & { body?: JsonObject };
}
/** Requests about the points of a customer, and where in the answers they stand. */
export interface LoyaltyKind {
  balance: VendorRequest;
  /** The path of the points in the answer to `balance`. */
  points?: string;
  rewards: VendorRequest;
  /** The path of the list in the answer to `rewards`, and the paths of their values in one of them. */
  list?: string;
  reward?: Partial<Record<'id' | 'title' | 'points' | 'type' | 'value', string>>;
  redeem: VendorRequest & { body?: JsonObject };
  giveBack: VendorRequest & { body?: JsonObject };
}
/** An event as apps get it (schemas/integrations). */
export interface IntegrationEvent {
  /** As apps call it, and as people do. */
  name: string;
  title: string;
  /** Our own events (schemas/events) that it stands for. */
  of: readonly string[];
  /** The e-mail to the customer about the same, which the app may send in our place. */
  message?: string;
}
