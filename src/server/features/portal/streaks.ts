// The streak of a subscription: how far it is, what the next order brings, and for a while how it ended.
import { escapeHtml } from '../../platform/http/public-pages.ts';
import { lastEnrollment, milestoneTitle, milestoneWord, progressValues, type Reader } from '../streaks/progress.ts';
import { streakById, type Streak } from '../streaks/streak.ts';
import { h2, p, pictured } from './elements.ts';
import type { Portal } from './portal.ts';

/** A streak that is over is spoken of for so long. */
const ENDED_DAYS = 30;

const image = (address: string | undefined): string => (address ? `<img src="${escapeHtml(address)}" alt="">` : '');

/** The section's HTML; empty where the subscription is in no streak, or its streak was deleted. */
export async function streakSection(portal: Portal): Promise<string> {
  const { context, subscription, say, speech, words, planHas } = portal;
  const row = planHas('streaks') ? await lastEnrollment(context, subscription.contract.id) : undefined;
  const streak = row && row.state !== 'ENDED' ? await streakById(context, row.streak_id) : undefined;
  if (!row || !streak) return '';
  const reader: Reader = { words, locale: subscription.contract.customer_locale, shared: key => say(key), day: at => speech.day(at) };
  const values = progressValues(row, streak, reader);
  const said = (key: string): string => say(key, values);
  if (row.state !== 'ACTIVE') {
    const ended = context.now().getTime() - (row.ended_at?.getTime() ?? 0);
    return ended > ENDED_DAYS * 86_400_000 ? '' : p(said(row.state === 'COMPLETED' ? 'streakCompleted' : 'streakBroken'));
  }
  return [
    h2(said('streakBannerTitle')),
    image(streak.bannerImageUrl),
    p(said('streakBannerSubtitle')),
    p(said('streakProgress')),
    track(streak, row.step),
    p(values.next_reward ? said('streakNextReward') : ''),
    p(values.next_due_date && subscription.contract.status === 'ACTIVE' ? said('streakDueDate') : '', 'quiet'),
    milestones(streak, row.step, reader, said('streakViewDetails')),
  ].join('');
}

/** A bar of as many parts as there are orders, for those who see it: the words above say the same. */
function track({ milestones: orders, progressBarImageUrl }: Streak, step: number): string {
  const parts = orders.map(({ orderNumber }) => {
    const marker = orderNumber === step ? image(progressBarImageUrl) : '';
    return `<li${orderNumber <= step ? ' class="reached"' : ''}>${marker}</li>`;
  });
  return `<ol class="track" aria-hidden="true">${parts.join('')}</ol>`;
}

/** What each order brings, behind a press. */
function milestones(streak: Streak, step: number, reader: Reader, label: string): string {
  if (streak.milestones.every(one => one.rewardType === 'NONE')) return '';
  const items = streak.milestones.map(one => {
    const isReached = one.orderNumber <= step;
    const title = milestoneTitle(streak, one, reader) || '–';
    const quote = p(milestoneWord(streak, one, 'quote', reader), 'quiet');
    return `<li>${pictured(one.imageUrl ?? null, `${escapeHtml(title)}${isReached ? ' ✓' : ''}${quote}`)}</li>`;
  });
  return `<details><summary>${escapeHtml(label)}</summary><ol>${items.join('')}</ol></details>`;
}
