// Deletes what has done its duty: idempotency keys after a day, sign-in links, attempts and sessions that
// ended, rows of bulk actions after a month. Empties what is kept for less long than its row: the words of e-mails.
import { KEPT_DAYS } from '../../bulk-actions/bulk-record.ts';
import { ANSWERED_HOURS } from '../../storefront/publish.ts';
import { KEPT_DAYS as IMPORTS_KEPT_DAYS } from '../../migration/import/import-record.ts';
import { SEEN_DAYS } from '../../../platform/records/sightings.ts';
import { CART_DAYS } from '../../shop/cart.ts';
import { KEPT_HOURS } from '../../../platform/http/idempotency.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { ATTACHED_DAYS } from '../../../platform/mail/attachments.ts';
import { BatchSize } from '../../../platform/queue/batch-size.ts';

/** Imports that have been over, or waited to be started, for so long that their file and rows are no longer needed. */
const importOver = (i: string): string => `${i}.status not in ('CHECKING', 'IN_PROGRESS', 'UNDOING')
  and coalesce(${i}.finished_at, ${i}.updated_at) < now() - interval '${IMPORTS_KEPT_DAYS} days'`;

/** Of which table which rows (`r`). */
const OVER: [table: string, where: string][] = [
  ['idempotency_keys', `r.created_at < now() - interval '${KEPT_HOURS} hours'`],
  ['login_attempts', "r.at < now() - interval '1 hour'"],
  ['login_links', "r.expires_at < now() - interval '1 day'"],
  ['sessions', "r.expires_at < now() - interval '30 days' or r.revoked_at < now() - interval '30 days'"],
  // The account log is kept for twelve months.
  ['account_log', "r.created_at < now() - interval '12 months'"],
  // Result files of bulk actions, and drafts that were not started.
  [
    'bulk_action_rows',
    `exists (select from bulk_actions b where b.store_id = r.store_id and b.id = r.bulk_action_id
        and (b.finished_at < now() - interval '${KEPT_DAYS} days' or (b.status = 'DRAFT'
          and b.updated_at < now() - interval '${KEPT_DAYS} days')))`,
  ],
  [
    'subscription_import_rows',
    `exists (select from subscription_imports i where i.store_id = r.store_id and i.id = r.import_id and ${importOver('i')})`,
  ],
  [
    'report_export_pieces',
    `exists (select from report_exports e where e.store_id = r.store_id and e.id = r.export_id
      and (e.kept_until < now() or (e.kept_until is null and e.status <> 'IN_PROGRESS')
        or (e.status = 'IN_PROGRESS' and e.updated_at < now() - interval '1 day')))`,
  ],
  // Pictures and files of letters; their words stay longer.
  ['mail_attachments', `r.created_at < now() - interval '${ATTACHED_DAYS} days'`],
  // Files of shops that pages which were loaded before may still ask for.
  ['storefront_files', `r.replaced_at < now() - interval '${ANSWERED_HOURS} hours'`],
  // What visitors of shops saw, which is counted over thirty days.
  ['seen_on_pages', `r.day < current_date - ${SEEN_DAYS}`],
  // Requests and answers of deliveries, with what they tell.
  ['deliveries', 'r.keep_until < now()'],
  // A purchase is read from the page that thanks, which needs its cart.
  ['shop_purchases', `r.status <> 'CHARGING' and r.made_at < now() - interval '${CART_DAYS} days'`],
  ['incoming_events', "r.status <> 'WAITING' and r.created_at < now() - interval '60 days'"],
  ['card_setups', "r.status <> 'OPEN' and r.created_at < now() - interval '400 days'"],
  ['shop_carts', `r.updated_at < now() - interval '${CART_DAYS} days'`],
  ['bulk_actions', `r.status = 'DRAFT' and r.updated_at < now() - interval '${KEPT_DAYS} days'`],
];
/** Of which table which rows (`r`) are kept without what stands in some columns: e-mails lose their words after twelve months. */
const EMPTIED: [table: string, set: string, where: string][] = [
  ['outbox', "text = '', html = ''", "r.created_at < now() - interval '12 months' and r.text <> ''"],
  ['subscription_imports', 'content = null', `r.content is not null and ${importOver('r')}`],
];
/** Rows deleted by one statement: a bulk action may have a quarter of a million. */
const ROWS = { min: 200, most: 5000 };

export const tidy: JobModule = {
  name: 'tidy',
  cron: '17 * * * *',
  async run({ db }, _data, job) {
    const work = [
      ...OVER.map(([table, where]) => ({ start: `delete from ${table}`, table, where })),
      ...EMPTIED.map(([table, set, where]) => ({ start: `update ${table} set ${set}`, table, where })),
    ];
    for (const { start, table, where } of work) {
      const batchSize = new BatchSize(db, ROWS.most, { min: ROWS.min });
      for (let isMore = true; isMore;) {
        job.signal.throwIfAborted();
        const size = batchSize.next();
        const { affected } = await batchSize.timed(() =>
          db.ownerQuery(`${start} where ctid = any(array(select r.ctid from ${table} r where ${where} limit ${size}))`),
        );
        isMore = affected >= size;
      }
    }
  },
};
