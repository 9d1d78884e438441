// Other apps of a store (schemas/integrations).
import type { JsonObject, Schema } from './schema.ts';

export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the base address; {field} stands for a value of the form. */
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
  connect: 'API_KEY' | 'OAUTH_REDIRECT';
  /** What the form asks for: an object of its fields. */
  form: Schema;
  steps: readonly string[];
  baseUrl: string;
  authorize?: string;
  headers?: Record<string, string>;
  basic?: readonly [string, string];
  /** `names`: fields that the answer names too, and where. */
  check: VendorRequest & { names?: Record<string, string> };
  /** `takes`: names of events, all of them where the file names none. */
  events?: VendorRequest & { takes: readonly string[]; body: JsonObject };
  /** How points of customers are asked for, redeemed and given back. */
  loyalty?: LoyaltyKind;
  /** Asks for the days of deliveries that it has room on. */
  deliveryDays?: VendorRequest & { body?: JsonObject };
}
/** Requests about the points of a customer, and what the vendor calls what it answers. */
export interface LoyaltyKind {
  balance: VendorRequest;
  points?: string;
  rewards: VendorRequest;
  list?: string;
  reward?: Partial<Record<'id' | 'title' | 'points' | 'type' | 'value', string>>;
  redeem: VendorRequest & { body?: JsonObject };
  giveBack: VendorRequest & { body?: JsonObject };
}
/** What is sent to integrations: its names for people, the events it tells of, the customers' e-mail about the same. */
export interface IntegrationEvent {
  name: string;
  title: string;
  of: readonly string[];
  message?: string;
}
