// How long rows are kept: what has done its duty is deleted, or loses the words that only its duty needed. Features add theirs in
// retention.ts.
import { ATTACHED_DAYS } from '../mail/attachments.ts';
import { KEPT_HOURS } from '../http/idempotency.ts';
import { SEEN_DAYS } from './sightings.ts';

/** Rows of a table that have done their duty. */
export interface Retention {
  table: string;
  /** Which of its rows, in SQL; a row is called `r`. Real time, not a store's clock, but for moments that a store's clock wrote. */
  over: string;
  /** What is emptied in rows that stay, as SQL of `set`; without it they are deleted. `over` leaves out what is empty. */
  empty?: string;
}

/** The platform's own. */
export const OWN: readonly Retention[] = [
  { table: 'idempotency_keys', over: `r.created_at < now() - interval '${KEPT_HOURS} hours'` },
  { table: 'login_attempts', over: "r.at < now() - interval '1 hour'" },
  { table: 'login_links', over: "r.expires_at < now() - interval '1 day'" },
  { table: 'sessions', over: "r.expires_at < now() - interval '30 days' or r.revoked_at < now() - interval '30 days'" },
  // The account log is kept for twelve months.
  { table: 'account_log', over: "r.created_at < now() - interval '12 months'" },
  {
    table: 'report_export_pieces',
    over: `exists (select from report_exports e where e.store_id = r.store_id and e.id = r.export_id
      and (e.kept_until < now() or (e.kept_until is null and e.status <> 'IN_PROGRESS')
        or (e.status = 'IN_PROGRESS' and e.updated_at < now() - interval '1 day')))`,
  },
  // Pictures and files of letters; their words stay longer.
  { table: 'mail_attachments', over: `r.created_at < now() - interval '${ATTACHED_DAYS} days'` },
  { table: 'outbox', over: "r.created_at < now() - interval '12 months' and r.text <> ''", empty: "text = '', html = ''" },
  // What visitors of shops saw, which is counted over thirty days.
  { table: 'seen_on_pages', over: `r.day < current_date - ${SEEN_DAYS}` },
  // Requests and answers of deliveries, with what they tell.
  { table: 'deliveries', over: 'r.keep_until < now()' },
  { table: 'incoming_events', over: "r.status <> 'WAITING' and r.created_at < now() - interval '60 days'" },
];
