// Charts that are sent each week: whose letter is due, and how each person gets it once.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { nextMailAt, type WEEKDAYS } from '../../../domain/analytics/chart-mail.ts';
import type { Tables } from '../../../generated/tables.ts';
import { OWN_CHART } from '../../platform/analytics/own-charts.ts';
import { enqueueWithAttachments } from '../../platform/mail/attachments.ts';
import type { Services } from '../../platform/services.ts';
import { STORE_NOW } from '../../platform/queue/stores-now.ts';
import { draftOf, isFor, letterOf, type Reader, readersOf } from './chart-letter.ts';

type Weekday = (typeof WEEKDAYS)[number];

/** The next letter of a chart, as its record keeps it; null where it is not sent. `now`: of the store's clock. */
export const nextMail = (weekday: unknown, timezone: string, now: Date): string | null =>
  typeof weekday === 'string' ? new Date(nextMailAt(weekday as Weekday, timezone, now.getTime())).toISOString() : null;

/** A condition in SQL on stores `s`: a chart of theirs is to be sent. A store whose clock is being moved waits until it stands. */
export const HAS_DUE = `exists (select from records r where r.store_id = s.id and r.entity = '${OWN_CHART}' and r.deleted_at is null
    and r.data ->> 'mailNextAt' is not null and (r.data ->> 'mailNextAt')::timestamptz <= ${STORE_NOW})
  and not exists (select from runs r where r.store_id = s.id and r.kind = 'CLOCK' and r.status in ('QUEUED', 'IN_PROGRESS'))`;

interface DueChart {
  id: number;
  version: number;
  data: JsonObject;
  now: Date;
  timezone: string;
}
/** The charts of a store that are due, with the time of its clock; one by its id, locked. */
async function dueOf(trx: Kysely<Tables>, storeId: number, id?: number): Promise<DueChart[]> {
  const { rows } = await sql<DueChart>`select r.id, r.version, r.data || jsonb_build_object('id', r.id) as data, s.timezone,
      ${sql.raw(STORE_NOW)} as now
    from records r join stores s on s.id = r.store_id
    where r.store_id = ${storeId}::integer and r.entity = ${OWN_CHART} and r.deleted_at is null and r.data ->> 'mailNextAt' is not null
      and (r.data ->> 'mailNextAt')::timestamptz <= ${sql.raw(STORE_NOW)} and ${id === undefined ? sql`true` : sql`r.id = ${id}::bigint`}
    order by r.id ${id === undefined ? sql`` : sql`for update of r`}`.execute(trx);
  return rows;
}

/** Sends the charts of a store that are due: each by itself, so that one that fails keeps no other back; it is tried again in minutes. */
export async function sendCharts(services: Services, storeId: number, signal?: AbortSignal): Promise<void> {
  const due = await services.db.inStore(storeId, trx => dueOf(trx, storeId), { readOnly: true });
  for (const chart of due) {
    signal?.throwIfAborted();
    try {
      await sendChart(services, storeId, chart, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      services.log.error({ err: error, storeId, chart: chart.id }, 'A chart could not be sent; it is tried again in a few minutes.');
    }
  }
  if (due.length) services.mailer.kick();
}

/**
 * The letters of a chart are worked out one by one, each with the rights of its reader, and then written down together with the day of the
 * next one: a process that dies before leaves the chart due, and whichever comes second finds it sent. Who may not look at it now, or is
 * not on the team any more, is left out and gets the next letter if that has changed.
 */
async function sendChart(services: Services, storeId: number, chart: DueChart, signal?: AbortSignal): Promise<void> {
  const { db, definitions } = services;
  const to = ((chart.data.mailTo ?? []) as number[]).map(Number);
  const readers = (await db.inStore(storeId, trx => readersOf({ trx, definitions, storeId }, to), { readOnly: true })).filter(reader =>
    isFor(reader, definitions, chart.data),
  );
  const letters: (Awaited<ReturnType<typeof letterOf>> & { reader: Reader })[] = [];
  for (const reader of readers) {
    signal?.throwIfAborted();
    const draft = await db.inStore(storeId, trx => draftOf(services, trx, chart.data, reader), { readOnly: true });
    letters.push({ reader, ...(await letterOf(services, draft)) });
  }
  await db.inStore(storeId, async trx => {
    const [now] = await dueOf(trx, storeId, chart.id);
    // Sent by another process, or changed meanwhile: then it is still due, and goes as it is now.
    if (!now || now.version !== chart.version || now.data.mailNextAt !== chart.data.mailNextAt) return;
    const day = String(chart.data.mailNextAt).slice(0, 10);
    for (const { reader, message, attachments } of letters) {
      const dedupeKey = `CHART:${chart.id}:${day}:${reader.user.id}`;
      await enqueueWithAttachments(trx, storeId, { ...message, dedupeKey }, attachments, now.now);
    }
    const next = {
      mailNextAt: nextMail(now.data.mailDay, now.timezone, now.now),
      ...(letters.length ? { mailedAt: now.now.toISOString() } : {}),
    };
    await sql`update records set data = data || ${JSON.stringify(next)}::jsonb
      where store_id = ${storeId}::integer and entity = ${OWN_CHART} and id = ${chart.id}::bigint`.execute(trx);
  });
}

/**
 * Takes a person off the list of a chart; the last one ends its letters. It stays as it is for a person who is not on it.
 * @returns its name; undefined where there is no such chart any more
 */
export async function endFor(trx: Kysely<Tables>, storeId: number, chart: number, userId: number, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ data: JsonObject }>`select data from records where store_id = ${storeId}::integer
    and entity = ${OWN_CHART} and id = ${chart}::bigint and deleted_at is null for update`.execute(trx);
  const data = rows[0]?.data;
  if (!data) return undefined;
  const before = ((data.mailTo ?? []) as number[]).map(Number);
  const left = before.filter(id => id !== userId);
  if (left.length < before.length) {
    const changed = left.length ? { mailTo: left } : { mailTo: null, mailDay: null, mailNextAt: null };
    await sql`update records set data = jsonb_strip_nulls(data || ${JSON.stringify(changed)}::jsonb), version = version + 1,
        updated_at = ${now}::timestamptz
      where store_id = ${storeId}::integer and entity = ${OWN_CHART} and id = ${chart}::bigint`.execute(trx);
  }
  return String(data.name);
}
