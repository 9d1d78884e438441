// What a customer has at the loyalty app: points, what they can be redeemed for, what was redeemed of late. Nothing without such an app.
// has no such app.
import { counted, count, day } from '../../src/admin/platform/format.ts';
import { ActionButton } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const bare = true;

interface Reward {
  id: string;
  title: string;
  points: number;
  isInReach: boolean;
}
interface Redemption {
  id: number;
  title: string;
  points: number;
  status: 'APPLIED' | 'RETURNING' | 'RETURNED';
  createdAt: string;
}
interface Account {
  app: string | null;
  points: number | null;
  rewards: Reward[];
  redemptions: Redemption[];
  /** No more rewards can wait for the next order. */
  isFull: boolean;
  error: string | null;
}
const POINTS = { one: t`point`, many: t`points` };
function redeemed({ title, createdAt, status }: Redemption): string {
  if (status === 'RETURNING') return t`${title}, ${day(createdAt)}, points on their way back`;
  if (status === 'RETURNED') return t`${title}, ${day(createdAt)}, points returned`;
  return `${title}, ${day(createdAt)}`;
}

export default function Loyalty({ data, section, actionsOfRow, start }: PanelProps) {
  const account = data as Account | null;
  if (!account?.app) return null;
  return (
    <section className="p-card" aria-label={section.title ?? account.app}>
      <div className="p-card-head">
        <h2>{section.title ?? t`Loyalty`}</h2>
        <span className="p-muted">{account.app}</span>
      </div>
      <div className="p-card-body p-stack-s">
        {account.error ? <p role="alert">{account.error}</p> : <p className="p-strong">{counted(account.points ?? 0, POINTS)}</p>}
        {!account.error && account.rewards.length === 0 && <p className="p-muted">{t`The app offers nothing to redeem.`}</p>}
        {account.isFull && <p className="p-muted">{t`What was redeemed waits for the next order.`}</p>}
        {account.rewards.length > 0 && (
          <ul className="r-rewards">
            {account.rewards.map(reward => {
              const [offer] = reward.isInReach && !account.isFull ? actionsOfRow({ ...reward }) : [];
              return (
                <li key={reward.id} className="p-row">
                  <span className="p-grow">
                    {reward.title} <span className="p-hint">{counted(reward.points, POINTS)}</span>
                  </span>
                  {offer && <ActionButton offer={offer} small onStart={() => start(offer, { ...reward })} />}
                  {!reward.isInReach && <span className="p-hint">{tx`${count(reward.points - (account.points ?? 0))} to go`}</span>}
                </li>
              );
            })}
          </ul>
        )}
        {account.redemptions.length > 0 && (
          <>
            <h3>{t`Redeemed`}</h3>
            <ul className="r-rewards">
              {account.redemptions.map(one => (
                <li key={one.id} className="p-hint">
                  {redeemed(one)}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}
