// Signing in at the sign-in service of a store: leaving for it, and coming back with what it answered. The tab that left keeps the state
// and takes no other, so that a link from elsewhere signs no person in.
import { type ReactElement } from 'react';
import { KeyRound, Store } from 'lucide-react';
import { at } from '../../../contract/paths.ts';
import { t } from '../../../domain/text/t.ts';
import { runCall } from '../../platform/transport/calls.ts';

const STATE = 'perennial.sso';

/** A store to sign in to. */
export interface SsoStore {
  storeId: number;
  name: string;
}

/** The store that the address of a team's own link names. */
export function storeInAddress(): number | undefined {
  const named = Number(new URLSearchParams(location.search).get('store'));
  return Number.isInteger(named) && named > 0 ? named : undefined;
}

/** Leaves for the service, or gives the stores to choose from. @throws CallError in words for the person */
export async function leaveForService(input: { email?: string; store?: number }): Promise<SsoStore[] | undefined> {
  const { data } = await runCall('sign-in.beginSso', input);
  const stores = at(data, 'stores');
  if (Array.isArray(stores)) return stores as unknown as SsoStore[];
  const [url, state] = [String(at(data, 'url')), String(at(data, 'state'))];
  if (!/^https?:\/\//.test(url)) throw new Error(t`The server gave no address. Try again.`);
  sessionStorage.setItem(STATE, state);
  location.assign(url);
  return undefined;
}

/** What a service answered, out of the address at once; undefined where the address holds no answer. */
export function takeAnswer(): Record<string, string> | undefined {
  const url = new URL(location.href);
  const found = Object.fromEntries(
    ['state', 'code', 'iss', 'error'].flatMap(name => {
      const value = url.searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  if (found.state === undefined || (found.code === undefined && found.error === undefined)) return undefined;
  history.replaceState(null, '', url.pathname);
  return found;
}

/** Hands the answer to the server, if this tab began the sign-in. @throws Error in words for the person */
export async function finishSignIn(answer: Record<string, string>): Promise<unknown> {
  const own = sessionStorage.getItem(STATE);
  sessionStorage.removeItem(STATE);
  if (own === null || own !== answer.state) throw new Error(t`This sign-in was not begun in this tab. Begin again here.`);
  const { state, code, iss, error } = answer;
  return (await runCall('sign-in.finishSso', { state, ...(code ? { code } : {}), ...(iss ? { iss } : {}), ...(error ? { error } : {}) }))
    .data;
}

/** The way to the service, below the form for a link. */
export function SsoButton({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }): ReactElement {
  return (
    <button type="button" className="p-btn p-btn-l" aria-busy={isBusy} onClick={onPress}>
      <KeyRound aria-hidden="true" />
      {t`Sign in with single sign-on`}
    </button>
  );
}

/** One address may belong to several stores. */
export function ChooseStore({
  stores,
  error,
  onChoose,
  onBack,
}: {
  stores: readonly SsoStore[];
  error: string | undefined;
  onChoose: (store: SsoStore) => void;
  onBack: () => void;
}): ReactElement {
  return (
    <div className="p-bare-form">
      <h1>{t`Choose the store`}</h1>
      {error && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
      <ul className="p-demo-users">
        {stores.map(store => (
          <li key={store.storeId}>
            <button type="button" className="p-demo-user" onClick={() => onChoose(store)}>
              <span className="p-avatar" aria-hidden="true">
                <Store size={16} />
              </span>
              <span className="p-grow p-cut p-strong">{store.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="p-btn" onClick={onBack}>
        {t`Use another address`}
      </button>
    </div>
  );
}
