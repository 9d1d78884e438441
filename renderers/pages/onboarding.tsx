// The welcome page: the only page of a store until its onboarding form is saved (S016). The form is drawn from
// schemas/entities/onboarding-form.json.
import { CalendarHeart, LogOut, Sprout, TrendingUp } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { logout } from '../../src/admin/platform/session/auth-provider.ts';
import { useCall } from '../../src/admin/platform/transport/calls.ts';
import { SchemaForm, submitForm } from '../../src/admin/form/engine/schema-form.tsx';
import { FormStore } from '../../src/admin/form/engine/store.ts';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import { useValidation } from '../../src/admin/platform/validators.ts';
import { Notices } from '../../src/admin/ui/notices/notices.tsx';
import { completeOnboarding, logFailure } from '../../src/admin/features/onboarding/onboarding-session.ts';
import { setSession, useAllowed, useFacts, useSession } from '../../src/admin/platform/session/session.tsx';
import { ConnectionBanner } from '../../src/admin/ui/connection.tsx';
import { Mark } from '../../src/admin/ui/logo.tsx';
import type { JsonObject, Schema, Session } from '../../src/contract/types.ts';
import type { Validator } from '../../src/contract/validation/validate.ts';
import './onboarding.css';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const SCHEMA = 'entities/onboarding-form';
const SAVE = 'start-up-app.onboardingForm';
const DASHBOARD = '/dashboard';
const empty: JsonObject = {};

export default function Onboarding(): ReactElement {
  const { user, store } = useSession();
  const validation = useValidation(SCHEMA);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = t`Welcome - Perennial`;
  }, []);
  return (
    <div className="p-welcome">
      <div className="p-welcome-main">
        <header className="p-welcome-head">
          <span className="p-welcome-brand">
            <Mark size={24} />
            Perennial
          </span>
          <button type="button" className="p-btn p-btn-plain p-btn-s" onClick={() => void logout()}>
            <LogOut aria-hidden="true" />
            {t`Logout`}
          </button>
        </header>
        <main className="p-welcome-form" id="main" ref={main} tabIndex={-1}>
          <h1>{tx`Welcome${user.firstName ? `, ${user.firstName}` : ''}`}</h1>
          <p className="p-welcome-tag">{t`Acquire, manage & retain subscribers like pro`}</p>
          <p className="p-muted">{tx`A few words about ${store.name}, and your store is ready to be set up.`}</p>
          {validation ? <Answers {...validation} /> : <Blank />}
        </main>
      </div>
      <aside className="p-welcome-side" aria-label={t`What Perennial does for your store`}>
        <Promise3 />
      </aside>
      <div className="p-bare-banner">
        <ConnectionBanner />
      </div>
      <Notices />
    </div>
  );
}

/**
 * The form. It submits only without errors (S195); a save that fails leaves it as it is, ready to be sent again, and is only logged (S299).
 */
function Answers({ schema, validator }: { schema: Schema; validator: Validator }): ReactElement {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const session = useSession();
  const [completed, setCompleted] = useState<Session>();
  const facts = useFacts();
  const services = useFormServices();
  const allowed = useAllowed(SAVE);
  const save = useCall(SAVE);
  const box = useRef<HTMLDivElement>(null);
  const [isBusy, setBusy] = useState(false);
  // One form for as long as the page stands: news about the session must not take what was typed.
  const [store] = useState(() => new FormStore({ schema, validator, value: empty, facts }));
  // The frame is drawn when the address is that of the dashboard, so that the page that was asked for does not show in between (S192).
  useEffect(() => {
    if (completed && pathname === DASHBOARD) setSession(completed);
  }, [completed, pathname]);
  const send = async (value: JsonObject): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await save.run(value);
    } catch (error) {
      logFailure(error, 'saveOnboardingForm');
      setBusy(false);
      return;
    }
    setCompleted(await completeOnboarding(session));
    void navigate(DASHBOARD, { replace: true });
  };
  const submit = (value: JsonObject): void => {
    void send(value);
  };
  return (
    <div ref={box} className="p-welcome-box">
      {!allowed.ok && (
        <p className="p-banner" role="note">
          {t`An admin of your store answers these questions. As soon as they have, you can go on.`}
        </p>
      )}
      <SchemaForm
        plain
        schema={schema}
        value={store.value}
        store={store}
        services={services}
        readOnly={allowed.ok ? false : allowed.message}
        onSubmit={submit}
        label={t`About your store`}
      />
      {allowed.ok && (
        <button
          type="button"
          className="p-btn p-btn-primary p-btn-l p-welcome-go"
          aria-busy={isBusy}
          onClick={() => submitForm(store, box, submit)}
        >
          {t`Get started`}
        </button>
      )}
    </div>
  );
}

const PROMISES = [
  { icon: Sprout, title: t`Acquire`, text: t`Selling plans, bundles and offers that turn shoppers into subscribers.` },
  { icon: CalendarHeart, title: t`Manage`, text: t`Every order, payment and change in one place, for you and for your customers.` },
  { icon: TrendingUp, title: t`Retain`, text: t`Recovered payments, rewards and second thoughts before a cancellation.` },
];
function Promise3(): ReactElement {
  return (
    <>
      <Growth />
      <ul className="p-welcome-promises">
        {PROMISES.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <span className="p-welcome-icon">
              <Icon aria-hidden="true" />
            </span>
            <div>
              <h2>{title}</h2>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A line that keeps growing, with a leaf for every renewal. */
function Growth(): ReactElement {
  const leaves: [number, number][] = [
    [52, 158],
    [116, 134],
    [180, 112],
    [244, 78],
    [308, 40],
  ];
  return (
    <svg className="p-welcome-picture" viewBox="0 0 360 200" aria-hidden="true" focusable="false">
      {[40, 80, 120, 160].map(y => (
        <line key={y} x1="0" x2="360" y1={y} y2={y} className="p-welcome-grid" />
      ))}
      <path className="p-welcome-area" d="M8 176C40 168 64 152 116 134s80-8 128-56 84-46 108-58V200H8Z" />
      <path className="p-welcome-line" d="M8 176C40 168 64 152 116 134s80-8 128-56 84-46 108-58" />
      {leaves.map(([x, y], i) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${0.8 + i * 0.14})`}>
          <path className="p-welcome-leaf" d="M0 0C2-14 12-20 24-20 24-8 16 0 0 0Z" />
          <path className="p-welcome-leaf" d="M0 0C-2-10-9-15-18-15-18-6-12 0 0 0Z" />
        </g>
      ))}
    </svg>
  );
}

function Blank(): ReactElement {
  return (
    <div className="p-stack" role="status" aria-label={t`Loading`}>
      {[3, 5, 4, 6].map((width, i) => (
        <div key={i} className="p-stack-s">
          <span className={`p-skeleton p-sk-${width}`} />
          <span className="p-skeleton p-welcome-blank" />
        </div>
      ))}
    </div>
  );
}
