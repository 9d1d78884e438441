// Signing in at the sign-in service of a store: leaving for it, and coming back with what it answered. The tab that left keeps the state
// and takes no other, so that a link from elsewhere signs no person in.
import { Store } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { at } from '../../../contract/paths.ts';
import { t } from '../../../domain/text/t.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { Entries, Entry } from './entries.tsx';

const STATE = 'perennial.sso';

/** A store to sign in to. */
interface SsoStore {
  storeId: number;
  name: string;
}
/** What the sign-in begins with: an address of the team, or the store. */
type Begin = { email: string } | { store: number };

/** Leaves for another page: it is never over here, and what is busy stays so. */
export function goTo(address: string): Promise<never> {
  location.assign(address);
  return new Promise(() => undefined);
}

/**
 * Signing in at a service, and coming back from it.
 * @param run does what may fail, and says so on the page; `what` is busy meanwhile
 * @param enter signs in with what the server answers
 */
export function useSingleSignOn(run: (what: string, work: () => Promise<unknown>) => void, enter: (data: unknown) => Promise<never>) {
  const [stores, setStores] = useState<SsoStore[]>();
  const [ownStore] = useState(storeInAddress);
  const [answer] = useState(takeAnswer);
  useEffect(() => {
    if (answer !== undefined) run('link', async () => enter(await finishSignIn(answer)));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the page comes back from the service once
  }, [answer]);
  const leave = (begin: Begin): void => run('sso', async () => setStores(await leaveForService(begin)));
  return {
    /** To choose from, where an address belongs to several. */
    stores,
    /** The address of the page names no store. */
    needsAddress: ownStore === undefined,
    begin: (email: string) => leave(ownStore === undefined ? { email } : { store: ownStore }),
    choose: (store: number) => leave({ store }),
    back: () => setStores(undefined),
  };
}

/** The store that the address of a team's own link names. */
function storeInAddress(): number | undefined {
  const named = Number(new URLSearchParams(location.search).get('store'));
  return Number.isInteger(named) && named > 0 ? named : undefined;
}

/** Leaves for the service, or gives the stores to choose from. @throws Error in words for the person */
async function leaveForService(begin: Begin): Promise<SsoStore[]> {
  const { data } = await runCall('sign-in.beginSso', begin);
  const stores = at(data, 'stores');
  if (Array.isArray(stores)) return stores as unknown as SsoStore[];
  const [url, state] = [String(at(data, 'url')), String(at(data, 'state'))];
  if (!/^https?:\/\//.test(url)) throw new Error(t`The server gave no address. Try again.`);
  sessionStorage.setItem(STATE, state);
  return goTo(url);
}

/** What a service answered, out of the address at once; undefined where the address holds no answer. */
function takeAnswer(): Record<string, string> | undefined {
  const url = new URL(location.href);
  const found = Object.fromEntries(
    ['state', 'code', 'iss', 'error'].flatMap(name => {
      const value = url.searchParams.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  if (found.state === undefined || (found.code === undefined && found.error === undefined)) return undefined;
  history.replaceState(null, '', url.pathname);
  return found;
}

/** Hands the answer to the server, if this tab began the sign-in. @throws Error in words for the person */
async function finishSignIn(answer: Record<string, string>): Promise<unknown> {
  const own = sessionStorage.getItem(STATE);
  sessionStorage.removeItem(STATE);
  if (own === null || own !== answer.state) throw new Error(t`This sign-in was not begun in this tab. Begin again here.`);
  return (await runCall('sign-in.finishSso', answer)).data;
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
  onChoose: (storeId: number) => void;
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
      <Entries>
        {stores.map(({ storeId, name }) => (
          <Entry key={storeId} picture={<Store size={16} />} title={name} onPress={() => onChoose(storeId)} />
        ))}
      </Entries>
      <button type="button" className="p-btn" onClick={onBack}>
        {t`Use another address`}
      </button>
    </div>
  );
}
