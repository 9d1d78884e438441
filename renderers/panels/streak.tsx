// The streak of a subscription: its orders in a row, what each brought or brings, and until when the next one counts. Nothing without one.
import { Check, Gift, Ticket } from 'lucide-react';
import { day } from '../../src/admin/platform/format.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { t } from '../../src/domain/text/t.ts';
import './streak.css';

export const bare = true;

interface Milestone {
  orderNumber: number;
  rewardType: 'NONE' | 'DISCOUNT' | 'GIFT';
  title: string;
  isReached: boolean;
  given: 'DONE' | 'SKIPPED' | null;
  sentence: string | null;
}
interface Streak {
  name: string;
  state: 'ACTIVE' | 'COMPLETED' | 'FAILED' | 'ENDED';
  step: number;
  length: number;
  lapsesAt: string | null;
  milestones: Milestone[];
}

/** The streak breaks at midnight: the day before is the last one that counts. */
const lastDay = (lapsesAt: string): string => day(new Date(Date.parse(lapsesAt) - 1).toISOString());

function standing({ state, step, length, lapsesAt }: Streak): string {
  if (state === 'COMPLETED') return t`Completed: ${length} orders in a row.`;
  if (state === 'FAILED') return t`Broken after ${step} of ${length} orders.`;
  if (state === 'ENDED') return t`Ended after ${step} of ${length} orders.`;
  return lapsesAt ? t`${step} of ${length} orders. The next one counts until ${lastDay(lapsesAt)}.` : t`${step} of ${length} orders.`;
}

function reward({ rewardType, title }: Milestone): string {
  if (title) return title;
  if (rewardType === 'GIFT') return t`Free product`;
  return rewardType === 'DISCOUNT' ? t`Discount` : t`No reward`;
}

function Mark({ isReached, rewardType }: Milestone) {
  if (isReached) return <Check size={14} aria-hidden="true" />;
  if (rewardType === 'GIFT') return <Gift size={14} aria-hidden="true" />;
  return rewardType === 'DISCOUNT' ? <Ticket size={14} aria-hidden="true" /> : null;
}

export default function StreakPanel({ data, section }: PanelProps) {
  const streak = data as Streak | null;
  if (!streak?.state) return null;
  return (
    <section className="p-card" aria-label={section.title ?? t`Streak`}>
      <div className="p-card-head">
        <h2>{section.title ?? t`Streak`}</h2>
        <span className="p-muted">{streak.name}</span>
      </div>
      <div className="p-card-body p-stack-s">
        <p>{standing(streak)}</p>
        <ol className="r-streak">
          {streak.milestones.map(milestone => (
            <li key={milestone.orderNumber} data-reached={milestone.isReached || undefined}>
              <span className="r-streak-mark">
                <Mark {...milestone} />
              </span>
              <span className="p-grow">
                <span className="p-sr">{milestone.isReached ? t`Reached: ` : ''}</span>
                {t`Order ${milestone.orderNumber}`}: {reward(milestone)}
                {milestone.given === 'SKIPPED' && <span className="p-hint">{t`Not given: ${milestone.sentence ?? ''}`}</span>}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
