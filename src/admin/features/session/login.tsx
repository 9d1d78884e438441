// Signing in: an e-mail address, to which a link goes that works once; in demo mode also the demo users. Stands without the frame.
import { KeyRound, MailCheck } from 'lucide-react';
import { type FormEvent, lazy, type ReactElement, Suspense, useEffect, useId, useState } from 'react';
import { isEmail } from '../../../contract/validation/patterns.ts';
import { at } from '../../../contract/paths.ts';
import { returnPath, saidAtLogin } from '../../platform/session/auth-provider.ts';
import { runCall, useAsk } from '../../platform/transport/calls.ts';
import { CallError } from '../../platform/transport/transport.ts';
import { Notices } from '../../ui/notices/notices.tsx';
import { ConnectionBanner } from '../../ui/connection.tsx';
import { BarePage } from '../../ui/pages/bare-page.tsx';
import { saveToken, whenSignedInElsewhere } from '../../platform/session/token.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';
import { Demo, type DemoUser } from './demo.tsx';
import { Languages } from './languages.tsx';
import { ChooseStore, goTo, useSingleSignOn } from './single-sign-on.tsx';

/** Few need it, and it brings lists of countries and currencies. */
const SignUpForm = lazy(() => import('./sign-up.tsx'));

/** Stores the token and loads the admin with it. @throws Error in words for the person */
async function enter(data: unknown): Promise<never> {
  const token = at(data, 'token');
  if (typeof token !== 'string') throw new Error(t`The server gave no token. Try again.`);
  saveToken(token);
  return goTo(returnPath());
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
  const [message] = useState(saidAtLogin);
  useEffect(() => {
    document.title = t`Sign in - Perennial`;
  }, []);

  const run = (what: string, work: () => Promise<unknown>): void => {
    setBusy(what);
    setError(undefined);
    work()
      .catch((failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)))
      .finally(() => setBusy(undefined));
  };
  const [link, setLink] = useState(takeLink);
  // Signed in by a link in another tab: this one goes on where the person was, with what they had typed.
  useEffect(() => whenSignedInElsewhere(() => location.assign(returnPath())), []);
  const sso = useSingleSignOn(run, enter);
  const redeem = (token: string): void =>
    run('link', async () => {
      try {
        const { data } = await runCall('sign-in.redeemLink', { token });
        history.replaceState(null, '');
        return await enter(data);
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
      <BarePage>
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
          ) : sso.stores ? (
            <ChooseStore stores={sso.stores} error={error} onChoose={sso.choose} onBack={sso.back} />
          ) : (
            <EmailForm
              message={message}
              error={error}
              busy={busy}
              onSend={email =>
                run('email', async () => {
                  await runCall('sign-in.requestLink', { email });
                  setSentTo(email);
                })
              }
              sso={demo?.hasSso ? sso : undefined}
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
          <Demo users={demo.users} refCode={ref} busy={busy} onEnter={(what, ask) => run(what, async () => enter((await ask()).data))} />
        )}
        <Languages />
      </BarePage>
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
  sso,
  onEdit,
}: {
  message: string | undefined;
  error: string | undefined;
  /** What is under way: "email", "sso". */
  busy: string | undefined;
  onSend: (email: string) => void;
  sso: Pick<ReturnType<typeof useSingleSignOn>, 'needsAddress' | 'begin'> | undefined;
  onEdit: () => void;
}): ReactElement {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState<string>();
  const id = useId();
  const withAddress = (go: (address: string) => void): void => {
    const address = email.trim();
    if (busy !== undefined) return;
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
      <button type="submit" className="p-btn p-btn-primary p-btn-l" aria-busy={busy === 'email'}>
        {t`Send sign-in link`}
      </button>
      {sso && (
        <button
          type="button"
          className="p-btn p-btn-l"
          aria-busy={busy === 'sso'}
          onClick={() => (sso.needsAddress ? withAddress(sso.begin) : sso.begin(''))}
        >
          <KeyRound aria-hidden="true" />
          {t`Sign in with single sign-on`}
        </button>
      )}
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
