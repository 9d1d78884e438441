// What the engine needs to know: a transaction of one store, its clock, its settings, and who acts.
// Requests, jobs, seeds and tests share it.
import type { Kysely } from 'kysely';
import type { Definitions, JsonObject } from '../../contract/types.ts';
import type { Tables } from '../../generated/tables.ts';
import type { Context, Source, Store } from '../platform/context.ts';
import type { Messages } from '../platform/mail/message.ts';
import type { Catalogue } from './edits/known-catalogue.ts';
import type { PortalConfig } from './portal-link.ts';

export interface EngineContext {
  /** A transaction bound to the store. */
  trx: Kysely<Tables>;
  storeId: number;
  store: Pick<
    Store,
    | 'id'
    | 'name'
    | 'email'
    | 'myshopify_domain'
    | 'timezone'
    | 'currency_code'
    | 'country_code'
    | 'details'
    | 'link_secret'
    | 'clock_offset_ms'
    | 'is_demo'
    | 'charges_through'
    | 'feature_switches'
  >;
  config: PortalConfig;
  /** The store's clock. */
  now(): Date;
  /** The settings document `name`, defaults filled in. */
  setting(name: string): Promise<JsonObject>;
  source: Source | 'Flow' | 'Shopify' | 'Gift recipient';
  /** Who acts, for the activity log; empty for the system. */
  userEmail: string;
  /** Written into every line of the activity log, besides what the action says. */
  noteData?: JsonObject;
  /** The files of schemas/messages. */
  messages: Messages;
  /** The files of schemas/texts. */
  texts: Definitions['texts'];
  /** Products and plans that were read before for many contracts at once; nothing else is known then. */
  catalogue?: Catalogue;
  /** When it was prepared, where that was before it is done: an order that was charged since is not followed by a second one. */
  askedAt?: Date;
  /** It is done to a gift as one: actions of subscriptions leave gifts alone. */
  isOfGift?: boolean;
  /** Which e-mails leave: all (when absent), those to customers only, or none. */
  mails?: 'CUSTOMER' | 'NONE';
}

/** Who acts: the person of the store, or the name of the token; "" for the customer and for what happens by itself. */
export const actorOf = ({ source, userEmail }: Pick<EngineContext, 'source' | 'userEmail'>): string =>
  source === 'Admin portal' ? userEmail : source === 'API' ? userEmail || 'API' : '';

/** The engine's view of a request. */
export const engineOf = (context: Context): EngineContext => ({
  trx: context.trx,
  storeId: context.storeId,
  store: context.store,
  config: context.config,
  now: () => context.now(),
  setting: name => context.setting(name),
  source: context.source,
  userEmail: context.user.email,
  messages: context.definitions.messages,
  texts: context.definitions.texts,
});
