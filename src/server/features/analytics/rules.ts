// Files of reports: the right to delete them is the right to stop them, and there is nothing else to change.
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import { Refusal } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { translated } from '../../../domain/text/t.ts';

export const reportExport = rules({
  validate: (_verb, _written, { session, definitions }) =>
    accessOf(session).can('exportReports', 'READ')
      ? []
      : new Refusal(403, 'FORBIDDEN', mayNotSee(translated(definitions.permissions.exportReports?.label ?? 'exportReports'))),
});
