// Who is signed in, to which store, with which rights and facts: loaded once before the app is drawn, read from anywhere after.
import { useSyncExternalStore } from 'react';
import { type AccessOf, accessOf, type Allowed, allowsCall } from '../../../contract/access.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { fullName } from '../../../contract/find.ts';
import type { JsonObject, JsonValue, Session } from '../../../contract/types.ts';
import { definitions } from '../definitions.ts';
import { setCurrency, setZone } from '../format.ts';
import { setStorageOwner } from './storage-owner.ts';
import { setStoreClock } from '../store-clock.ts';

let session: Session | undefined;
let facts: Record<string, JsonValue> = {};
const watchers = new Set<() => void>();
const watch = (then: () => void): (() => void) => {
  watchers.add(then);
  return () => {
    watchers.delete(then);
  };
};

export function setSession(next: Session): void {
  session = next;
  facts = factsOf(next, definitions.facts);
  setZone(next.store.timezone);
  setCurrency(next.store.currency_code);
  setStorageOwner(next.store.storeId, next.user.userId);
  setStoreClock(next.store.now);
  for (const watcher of watchers) watcher();
}
export const currentSession = (): Session | undefined => session;

/** The session, also above the sign-in: undefined while there is none. */
export const useSessionIfAny = (): Session | undefined => useSyncExternalStore(watch, currentSession);

/** The session. Only drawn below the sign-in, so there always is one. */
export function useSession(): Session {
  const found = useSyncExternalStore(watch, currentSession);
  if (!found) throw new Error('There is no session here: this belongs below the sign-in.');
  return found;
}
/** What the session may see and do: `can(area, 'WRITE')`, `module(key)`, `feature(key)`, `planHas(feature)`. */
export const useAccess = (): AccessOf => accessOf(useSession());
/** Whether the session may use a call, and if not, why in a sentence (for the tooltip of a disabled button). */
export function useAllowed(name: string, table?: string): Allowed {
  const current = useSession();
  const call = definitions.calls[fullName(name, table)];
  return call ? allowsCall(call, current) : { ok: true };
}
/** All facts by name ("store.widgetVersion"), for `holds(when, { facts })`. */
export function useFacts(): Record<string, JsonValue> {
  useSession();
  return facts;
}
export const currentFacts = (): Record<string, JsonValue> => facts;

/** The parameters that every call may carry and the session always fills. */
export function ambient(): JsonObject {
  if (!session) return {};
  const domain = session.store.myshopify_domain;
  return { shop: domain, myshopify_domain: domain, shopifyDomain: domain, shop_domain: domain, domain, storeId: session.store.storeId };
}
