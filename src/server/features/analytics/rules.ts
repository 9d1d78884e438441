// Files of reports: the right to delete them is the right to stop them, and there is nothing else to change. Charts that people put
// together themselves: figures that they may look at, and that can be split and drawn like that.
import { sql } from 'kysely';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import { closedMetrics, ownChartErrors, refuseMetrics } from '../../platform/analytics/own-charts.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { OWNED, ownedRefusal, type Owned } from '../../platform/records/owned.ts';
import { rules } from '../../platform/records/rules.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { mayLook, readersOf } from './chart-letter.ts';
import { nextMail } from './mailed-charts.ts';

export const reportExport = rules({
  validate: (_verb, _written, { session, definitions }) =>
    accessOf(session).can('exportReports', 'READ')
      ? []
      : new Refusal(403, 'FORBIDDEN', mayNotSee(translated(definitions.permissions.exportReports?.label ?? 'exportReports'))),
});

const MAX_CHARTS = 100;
const CHARTS: Owned = {
  entity: 'custom-chart',
  most: MAX_CHARTS,
  tooMany: () => t`You have ${MAX_CHARTS} charts. Delete one before you make another.`,
  notYours: maker => t`Only ${maker} or an admin can change this chart. Duplicate it and change the copy.`,
};

/** Charts of a store that are sent each week. */
const MAX_MAILED = 50;

/** To whom a chart is sent: people who may look at it, and others than its maker where it is shared. */
async function mailErrors(context: Context, chart: JsonObject, before: JsonObject | undefined): Promise<FieldError[]> {
  const to = ((chart.mailTo ?? []) as number[]).map(Number);
  if (typeof chart.mailDay !== 'string' || to.length === 0) return [];
  const error = (message: string, pointer = '/mailTo'): FieldError[] => [{ pointer, rule: 'people', message }];
  if (chart.isShared !== true && to.some(id => id !== chart.ownerId)) return error(t`Share the chart with the team to send it to others.`);
  const readers = await readersOf(context, to);
  const blind = readers.find(reader => !mayLook(reader, context.definitions, chart.metrics as string[]));
  if (blind) return error(t`${blind.user.name} may not look at these figures.`);
  // Who was chosen before and has left since gets nothing, and does not keep others from changing the chart.
  const chosen = ((before?.mailTo ?? []) as number[]).map(Number);
  if (to.some(id => !chosen.includes(id) && !readers.some(({ user }) => Number(user.id) === id)))
    return error(t`Choose people who have joined the team.`);
  if (typeof before?.mailDay === 'string') return [];
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from records where store_id = ${context.storeId}::integer
    and entity = 'custom-chart' and deleted_at is null and data ->> 'mailNextAt' is not null`.execute(context.trx);
  return (rows[0]?.n ?? 0) < MAX_MAILED
    ? []
    : error(t`${MAX_MAILED} charts are sent each week already. Stop one of them first.`, '/mailDay');
}

export const customChart = rules({
  ...OWNED,
  fill(verb, written, context) {
    const { record = written.input, before } = written;
    const isNew = record.mailDay !== before?.mailDay || typeof before?.mailNextAt !== 'string';
    const next = isNew ? nextMail(record.mailDay, context.store.timezone, context.now()) : (before?.mailNextAt ?? null);
    return { ...OWNED.fill(verb, written, context), ...(next === null && before?.mailNextAt === undefined ? {} : { mailNextAt: next }) };
  },
  // A chart of figures that a person may not look at is not there for them, on Home either.
  scope: context => sql`${OWNED.scope(context)} and not jsonb_exists_any(r.data -> 'metrics', ${closedMetrics(context)}::text[])`,
  async validate(verb, written, context) {
    const refusal = await ownedRefusal(CHARTS, verb, written, context);
    if (refusal || !written.record) return refusal;
    // Who saves a chart may look at its figures, so that a chart that is shared or sent shows nothing that its maker does not see.
    refuseMetrics(context, (written.record.metrics ?? []) as string[]);
    return [...ownChartErrors(context, written.record), ...(await mailErrors(context, written.record, written.before))];
  },
});
