// Signing in: an e-mail address, to which a link goes that works once; in demo mode also the demo users. Stands without the frame.
import { ArrowRight, MailCheck, Sprout, Store } from 'lucide-react';
import { type FormEvent, lazy, type ReactElement, Suspense, useEffect, useId, useRef, useState } from 'react';
import { isEmail } from '../../../contract/validation/patterns.ts';
import { at } from '../../../contract/paths.ts';
import { returnPath, saidAtLogin } from '../../platform/session/auth-provider.ts';
import { runCall, useAsk } from '../../platform/transport/calls.ts';
import { CallError } from '../../platform/transport/transport.ts';
import { initials } from '../../platform/format.ts';
import { Notices } from '../../ui/notices/notices.tsx';
import { ConnectionBanner } from '../../ui/connection.tsx';
import { Mark } from '../../ui/logo.tsx';
import { saveToken, whenSignedInElsewhere } from '../../platform/session/token.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';
import { Languages } from './languages.tsx';
import { ChooseStore, finishSignIn, leaveForService, SsoButton, type SsoStore, storeInAddress, takeAnswer } from './single-sign-on.tsx';

/** Few need it, and it brings lists of countries and currencies. */
const SignUpForm = lazy(() => import('./sign-up.tsx'));

interface DemoUser {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  loopUserType: string;
  storeName: string;
  canWrite: boolean;
}
const ROLES: Record<string, string> = { OWNER: t`Owner`, ADMIN: t`Admin`, MEMBER: t`Member`, LOOP_USER: t`Loop user` };
const roleOf = (user: DemoUser): string =>
  user.loopUserType === 'MEMBER' && !user.canWrite ? t`Read only` : (ROLES[user.loopUserType] ?? user.loopUserType);

/** Stores the token and loads the admin with it. */
function enter(data: unknown): void {
  const token = at(data, 'token');
  if (typeof token !== 'string') throw new Error(t`The server gave no token. Try again.`);
  saveToken(token);
  location.assign(returnPath());
}

export function LoginPage(): ReactElement {
  const [sentTo, setSentTo] = useState<string>();
  const [isOpening, setOpening] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const { data: demo } = useAsk<{
    isDemo: boolean;
    users: DemoUser[];
    /** Why a demo offers none at this address. */
    refusal?: string;
    /** This server lets people open stores of their own. */
    canSignUp: boolean;
    /** A store of it has a sign-in service. */
    hasSso: boolean;
  }>('sign-in.demoUsers', {});
  // A merchant's link to refer others: it goes along to the store that is opened.
  const [ref] = useState(() => new URLSearchParams(location.search).get('ref') ?? '');
  const [isOfOld, setOfOld] = useState(false);
  const beginning = { ...(ref ? { ref } : {}), ...(isOfOld ? { widgetVersion: 1 } : {}) };
  const [message] = useState(saidAtLogin);
  useEffect(() => {
    document.title = t`Sign in - Perennial`;
  }, []);

  const run = async (what: string, work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(undefined);
    }
  };
  const [link, setLink] = useState(takeLink);
  // Signed in by a link in another tab: this one goes on where the person was, with what they had typed.
  useEffect(() => whenSignedInElsewhere(() => location.assign(returnPath())), []);
  const [stores, setStores] = useState<SsoStore[]>();
  const [ownStore] = useState(storeInAddress);
  const leave = (input: { email?: string; store?: number }): void =>
    void run('sso', async () => {
      const several = await leaveForService(input);
      if (!several) return;
      setStores(several);
      setBusy(undefined);
    });
  const [answer] = useState(takeAnswer);
  const begun = useRef(false);
  useEffect(() => {
    if (answer === undefined || begun.current) return;
    begun.current = true;
    void run('link', async () => enter(await finishSignIn(answer)));
  }, [answer]);
  const redeem = (token: string): void =>
    void run('link', async () => {
      try {
        const { data } = await runCall('sign-in.redeemLink', { token });
        history.replaceState(null, '');
        enter(data);
      } catch (failure) {
        // What the server refused is worth nothing any more; without an answer the button can be pressed again.
        if (failure instanceof CallError && failure.status >= 400 && failure.status < 500) {
          history.replaceState(null, '');
          setLink(undefined);
        }
        throw failure;
      }
    });

  return (
    <>
      <main className="p-bare" id="main">
        <div className="p-bare-brand">
          <Mark size={32} />
          Perennial
        </div>
        <div className="p-card p-bare-card">
          {busy === 'link' ? (
            <div className="p-empty" role="status">
              <span className="p-spinner" />
              <h1>{t`Signing you in`}</h1>
              <p>{t`This takes a moment.`}</p>
            </div>
          ) : link !== undefined ? (
            <ByLink error={error} onSignIn={() => redeem(link)} />
          ) : sentTo ? (
            <Sent email={sentTo} isOwn={isOpening} onBack={() => setSentTo(undefined)} />
          ) : isOpening && demo?.canSignUp ? (
            <Suspense fallback={<div className="p-empty" role="status" aria-label={t`Loading`} />}>
              <SignUpForm refCode={ref} onSent={setSentTo} onBack={() => setOpening(false)} />
            </Suspense>
          ) : stores ? (
            <ChooseStore
              stores={stores}
              error={error}
              onChoose={({ storeId }) => leave({ store: storeId })}
              onBack={() => setStores(undefined)}
            />
          ) : (
            <EmailForm
              onSso={demo?.hasSso ? email => leave(ownStore === undefined ? { email } : { store: ownStore }) : undefined}
              ownStore={ownStore !== undefined}
              busySso={busy === 'sso'}
              message={message}
              error={error}
              busy={busy === 'email'}
              onSend={email =>
                void run('email', async () => {
                  await runCall('sign-in.requestLink', { email });
                  setBusy(undefined);
                  setSentTo(email);
                })
              }
              onEdit={() => setError(undefined)}
            />
          )}
        </div>
        {demo?.canSignUp && !isOpening && !sentTo && link === undefined && busy !== 'link' && (
          <p className="p-bare-card p-bare-more">
            {t`No store here yet?`}{' '}
            <button type="button" className="p-link" onClick={() => setOpening(true)}>
              {t`Open a store`}
            </button>
          </p>
        )}
        {demo?.refusal && busy !== 'link' && (
          <p className="p-bare-said p-bare-card" role="status">
            {demo.refusal}
          </p>
        )}
        {demo?.isDemo && busy !== 'link' && (
          <section className="p-card p-bare-card" aria-labelledby="demo-title">
            <div className="p-demo-head">
              <h2 id="demo-title">{t`Look around the demo store`}</h2>
              <p className="p-muted">
                {tx`${[...new Set(demo.users.map(user => user.storeName))].join(', ')}, with everything working. Choose who you want to
                  be.`}
              </p>
            </div>
            <ul className="p-demo-users">
              {demo.users.map(user => (
                <li key={user.userId}>
                  <button
                    type="button"
                    className="p-demo-user"
                    disabled={busy !== undefined}
                    aria-busy={busy === `user ${user.userId}`}
                    onClick={() =>
                      void run(`user ${user.userId}`, async () =>
                        enter((await runCall('sign-in.demoSignIn', { userId: user.userId })).data),
                      )
                    }
                  >
                    <span className="p-avatar" aria-hidden="true">
                      {initials(`${user.firstName} ${user.lastName}`)}
                    </span>
                    <span className="p-grow">
                      <span className="p-cut p-strong">
                        {user.firstName} {user.lastName}
                      </span>
                      <span className="p-cut p-hint">{user.email}</span>
                    </span>
                    <span className="p-tag">{roleOf(user)}</span>
                    <ArrowRight size={16} aria-hidden="true" />
                  </button>
                </li>
              ))}
              <li>
                <button
                  type="button"
                  className="p-demo-user"
                  disabled={busy !== undefined}
                  aria-busy={busy === 'second'}
                  onClick={() => void run('second', async () => enter((await runCall('sign-in.demoStore', { widgetVersion: 1 })).data))}
                >
                  <span className="p-avatar" aria-hidden="true">
                    <Store size={16} />
                  </span>
                  <span className="p-grow">
                    <span className="p-cut p-strong">{t`The second store`}</span>
                    <span className="p-cut p-hint">{t`Small, with version 1 of the widget`}</span>
                  </span>
                  <span className="p-tag">{t`Owner`}</span>
                  <ArrowRight size={16} aria-hidden="true" />
                </button>
              </li>
            </ul>
          </section>
        )}
        {demo?.isDemo && busy !== 'link' && (
          <section className="p-card p-bare-card" aria-labelledby="new-title">
            <div className="p-demo-head">
              <h2 id="new-title">{t`Begin with a new store`}</h2>
              <p className="p-muted">{t`A store on its first day: its products are there, everything else is yours to set up.`}</p>
            </div>
            <div className="p-demo-foot">
              <label className="p-row">
                <input className="p-check" type="checkbox" checked={isOfOld} onChange={event => setOfOld(event.target.checked)} />
                <span>{t`With version 1 of the widget, which is put into the code of the theme`}</span>
              </label>
              <button
                type="button"
                className="p-btn"
                aria-busy={busy === 'new'}
                disabled={busy !== undefined && busy !== 'new'}
                onClick={() => void run('new', async () => enter((await runCall('sign-in.demoNewStore', beginning)).data))}
              >
                <Sprout aria-hidden="true" />
                {t`Open a new store`}
              </button>
            </div>
          </section>
        )}
        <Languages />
      </main>
      <div className="p-bare-banner">
        <ConnectionBanner />
      </div>
      <Notices />
    </>
  );
}

function EmailForm({
  message: why,
  error,
  busy,
  onSend,
  onEdit,
  onSso,
  ownStore,
  busySso,
}: {
  /** Leaves for the sign-in service that the address leads to, or for that of the store that the page's address names (`ownStore`). */
  onSso: ((email: string) => void) | undefined;
  ownStore: boolean;
  busySso: boolean;
  message: string | undefined;
  error: string | undefined;
  busy: boolean;
  onSend: (email: string) => void;
  onEdit: () => void;
}): ReactElement {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string>();
  const id = useId();
  const withAddress = (go: (address: string) => void): void => {
    const address = email.trim();
    if (busy || busySso) return;
    if (isEmail(address)) return go(address);
    setWrong(address ? t`Enter a full e-mail address, such as name@example.com.` : t`Enter your e-mail address.`);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    withAddress(onSend);
  };
  const refusal = wrong ?? error;
  return (
    <form className="p-bare-form" onSubmit={submit} noValidate>
      <h1>{t`Sign in`}</h1>
      <p className="p-muted">{t`Enter your e-mail address. We send you a link that signs you in, without a password.`}</p>
      {why && (
        <p className="p-bare-said" role="status">
          {why}
        </p>
      )}
      <label className="p-field">
        <span className="p-label">{t`E-mail`}</span>
        <input
          className="p-input"
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          value={email}
          maxLength={254}
          aria-invalid={wrong !== undefined}
          aria-describedby={refusal ? id : undefined}
          onChange={event => {
            setEmail(event.target.value);
            setWrong(undefined);
            onEdit();
          }}
        />
        {refusal && (
          <span className="p-error" id={id} role="alert">
            {refusal}
          </span>
        )}
      </label>
      <button type="submit" className="p-btn p-btn-primary p-btn-l" aria-busy={busy}>
        {t`Send sign-in link`}
      </button>
      {onSso && <SsoButton isBusy={busySso} onPress={() => (ownStore ? onSso('') : withAddress(onSso))} />}
    </form>
  );
}

/**
 * Programs that check mail open its links, and some run the page's scripts: a link that works once is used when a person presses the
 * button, not before.
 */
function ByLink({ error, onSignIn }: { error: string | undefined; onSignIn: () => void }): ReactElement {
  return (
    <div className="p-empty">
      <MailCheck aria-hidden="true" />
      <h1>{t`You are one step away`}</h1>
      <p>{t`Your link is ready. It works once: press the button to sign in here.`}</p>
      {error && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
      <button type="button" className="p-btn p-btn-primary p-btn-l" onClick={onSignIn}>
        {t`Sign in`}
      </button>
    </div>
  );
}

/** The token of a sign-in link, out of the address at once; the entry of the history keeps it, so that a reload loses nothing. */
function takeLink(): string | undefined {
  const url = new URL(location.href);
  const link = url.searchParams.get('link') ?? undefined;
  if (link !== undefined) {
    url.searchParams.delete('link');
    history.replaceState({ link }, '', url.pathname + url.search);
  }
  const found: unknown = link ?? at(history.state, 'link');
  return typeof found === 'string' ? found : undefined;
}

/** `isOwn`: to a person who just opened a store, so there is no doubt that it comes. */
function Sent({ email, isOwn, onBack }: { email: string; isOwn: boolean; onBack: () => void }): ReactElement {
  return (
    <div className="p-empty" role="status">
      <MailCheck aria-hidden="true" />
      <h1>{t`Look into your inbox`}</h1>
      <p>
        {isOwn
          ? tx`Your store is there. We sent ${email} a link that signs you in to it. It works once, within 15 minutes.`
          : tx`If ${email} belongs to a user, a sign-in link is on its way. It works once, within 15 minutes.`}
      </p>
      <button type="button" className="p-btn" onClick={onBack}>
        {t`Use another address`}
      </button>
    </div>
  );
}
