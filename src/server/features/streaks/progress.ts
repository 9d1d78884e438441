// How far a subscription is in a streak, in the reader's language.
import { sql } from 'kysely';
import type { Words } from '../../platform/texts/words.ts';
import type { EngineContext } from '../../engine/index.ts';
import type { Enrollment } from './enrollment.ts';
import type { Milestone, Streak } from './streak.ts';

export interface Reader {
  words: Words;
  locale: string | null;
  /** A text that all streaks share, by its key in schemas/texts/streak.json. */
  shared: (key: string) => string;
  /** A day as they write it. */
  day: (at: Date) => string;
}

/** The streak that a subscription is in, else the one that it was in last. */
export async function lastEnrollment(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  contractId: number,
): Promise<(Enrollment & { ended_at: Date | null }) | undefined> {
  const { rows } = await sql<Enrollment & { ended_at: Date | null }>`select * from streak_enrollments
    where store_id = ${storeId}::integer and contract_id = ${contractId}::bigint
    order by (state = 'ACTIVE') desc, enrolled_at desc limit 1`.execute(trx);
  return rows[0];
}

/** A word of a milestone in the reader's language, else as the store wrote it; empty where it wrote none. */
export function milestoneWord(
  { id }: Streak,
  milestone: Milestone,
  key: 'title' | 'quote',
  { words, locale }: Pick<Reader, 'words' | 'locale'>,
): string {
  const translated = words.find(locale, { ownerKind: 'streak', ownerId: String(id), key: `milestones.${milestone.id}.${key}` });
  return translated?.value ?? milestone[key] ?? '';
}

/** What a milestone is called: as the store says it, else by the kind of its reward; empty for an order on the way. */
export function milestoneTitle(streak: Streak, milestone: Milestone, reader: Omit<Reader, 'day'>): string {
  const own = milestoneWord(streak, milestone, 'title', reader);
  if (own || milestone.rewardType === 'NONE') return own;
  return reader.shared(milestone.rewardType === 'GIFT' ? 'streakGiftLabel' : 'streakDiscountLabel');
}

/** What the texts of streaks are filled with. */
export function progressValues(
  { step, length, lapses_at: lapsesAt }: Pick<Enrollment, 'step' | 'length' | 'lapses_at'>,
  streak: Streak,
  reader: Reader,
): Record<string, string> {
  const next = streak.milestones.find(one => one.orderNumber > step && one.rewardType !== 'NONE');
  return {
    completed: String(step),
    total: String(length),
    orders_left: String(Math.max(0, length - step)),
    next_reward: next ? milestoneTitle(streak, next, reader) : '',
    // The streak breaks at midnight: the day before is the last one.
    next_due_date: lapsesAt ? reader.day(new Date(lapsesAt.getTime() - 1)) : '',
  };
}
