// Reports as catalogues: which there are for a person, and what each can show and be narrowed by.
import { accessOf } from '../../../contract/access.ts';
import { filterSchema } from '../../../contract/filter-schema.ts';
import { humanise, optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue, Report, Schema } from '../../../contract/types.ts';
import { refuseReport } from '../../platform/analytics/chart-verb.ts';
import { notFound } from '../../platform/context.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

const fieldOf = ({ definitions }: RuleContext, { of }: Report, name: string): Schema => definitions.entities[of]?.properties?.[name] ?? {};

function reportNamed(context: RuleContext, key: JsonValue | undefined): Report {
  const { reports } = context.definitions;
  const report = Object.hasOwn(reports, String(key)) ? reports[String(key)] : undefined;
  if (!report) throw notFound('report');
  refuseReport(context, report.key);
  return report;
}

/** The reports that a person may look at, by their groups. */
export const reportList = ({ definitions, session }: RuleContext): JsonObject[] =>
  Object.values(definitions.reports)
    .filter(({ permission, also = [] }) =>
      [...(permission ? [permission] : []), ...also].every(area => accessOf(session).can(area, 'READ')),
    )
    .map(({ key, title, about, group }) => ({ key, title, description: about, group }));

/** C388: its columns, with those in view at first, its filters and its order. */
export function reportFor(context: RuleContext, key: JsonValue | undefined): JsonObject {
  const report = reportNamed(context, key);
  const { columns, more, sort, title, about, filters } = report;
  const hints = context.definitions.entities[report.of]?.['x-record'];
  return {
    key: report.key,
    title,
    description: about,
    columns: [...columns, ...more].map((name, i) => ({
      key: name,
      title: fieldOf(context, report, name).title ?? humanise(name),
      type: (fieldOf(context, report, name).format ?? fieldOf(context, report, name).type ?? 'string') as JsonValue,
      isDefault: i < columns.length,
      sortable: hints?.sort?.includes(name) ?? false,
    })),
    filters: [...filters],
    defaultSort: { field: sort.field, order: sort.order },
    supportsViews: true,
  };
}

/** C389: each filter with its values, where they are few, and the form that it takes. */
export function filtersFor(context: RuleContext, key: JsonValue | undefined): JsonObject[] {
  const report = reportNamed(context, key);
  const entity = context.definitions.entities[report.of];
  const forms = entity ? (filterSchema(entity).properties ?? {}) : {};
  return report.filters.map(name => {
    const field = fieldOf(context, report, name);
    return {
      key: name,
      title: field.title ?? humanise(name),
      options: optionsOf(field.items ?? field).map(({ value, title }) => ({ value, title })),
      schema: (forms[name] ?? {}) as JsonObject,
    };
  });
}
