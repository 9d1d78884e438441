// Files of reports: the right to delete them is the right to stop them, and there is nothing else to change. Charts that people put
// together themselves: figures that they may look at, and that can be split and drawn like that.
import { sql } from 'kysely';
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import { closedMetrics, ownChartErrors, refuseMetrics } from '../../platform/analytics/own-charts.ts';
import { Refusal } from '../../platform/context.ts';
import { OWNED, ownedRefusal, type Owned } from '../../platform/records/owned.ts';
import { rules } from '../../platform/records/rules.ts';
import { t, translated } from '../../../domain/text/t.ts';

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

export const customChart = rules({
  ...OWNED,
  // A chart of figures that a person may not look at is not there for them, on Home either.
  scope: context => sql`${OWNED.scope(context)} and not jsonb_exists_any(r.data -> 'metrics', ${closedMetrics(context)}::text[])`,
  async validate(verb, written, context) {
    const refusal = await ownedRefusal(CHARTS, verb, written, context);
    if (refusal || !written.record) return refusal;
    // Who saves a chart may look at its figures, so that a chart that is shared or sent shows nothing that its maker does not see.
    refuseMetrics(context, (written.record.metrics ?? []) as string[]);
    return ownChartErrors(context, written.record);
  },
});
