// The ways into a demo: its users, a second store, and a new one.
import { ArrowRight, Sprout, Store } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { t } from '../../../domain/text/t.ts';
import { initials } from '../../platform/format.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { tx } from '../../ui/tx.ts';
import { Entries, Entry } from './entries.tsx';

export interface DemoUser {
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
const endOf = (role: string): ReactElement => (
  <>
    <span className="p-tag">{role}</span>
    <ArrowRight size={16} aria-hidden="true" />
  </>
);

/** `onEnter` signs in by what a call answers, as what is `busy` then. `refCode`: of the merchant whose link led here; empty: none. */
export function Demo({
  users,
  refCode,
  busy,
  onEnter,
}: {
  users: readonly DemoUser[];
  refCode: string;
  busy: string | undefined;
  onEnter: (what: string, ask: () => ReturnType<typeof runCall>) => void;
}): ReactElement {
  const [isOfOld, setOfOld] = useState(false);
  const beginning = { ...(refCode ? { ref: refCode } : {}), ...(isOfOld ? { widgetVersion: 1 } : {}) };
  const state = (what: string): { disabled: boolean; isBusy: boolean } => ({ disabled: busy !== undefined, isBusy: busy === what });
  return (
    <>
      <section className="p-card p-bare-card" aria-labelledby="demo-title">
        <div className="p-demo-head">
          <h2 id="demo-title">{t`Look around the demo store`}</h2>
          <p className="p-muted">
            {tx`${[...new Set(users.map(user => user.storeName))].join(', ')}, with everything working. Choose who you want to
                  be.`}
          </p>
        </div>
        <Entries>
          {users.map(user => (
            <Entry
              key={user.userId}
              picture={initials(`${user.firstName} ${user.lastName}`)}
              title={`${user.firstName} ${user.lastName}`}
              detail={user.email}
              more={endOf(roleOf(user))}
              {...state(`user ${user.userId}`)}
              onPress={() => onEnter(`user ${user.userId}`, () => runCall('sign-in.demoSignIn', { userId: user.userId }))}
            />
          ))}
          <Entry
            picture={<Store size={16} />}
            title={t`The second store`}
            detail={t`Small, with version 1 of the widget`}
            more={endOf(t`Owner`)}
            {...state('second')}
            onPress={() => onEnter('second', () => runCall('sign-in.demoStore', { widgetVersion: 1 }))}
          />
        </Entries>
      </section>
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
            onClick={() => onEnter('new', () => runCall('sign-in.demoNewStore', beginning))}
          >
            <Sprout aria-hidden="true" />
            {t`Open a new store`}
          </button>
        </div>
      </section>
    </>
  );
}
