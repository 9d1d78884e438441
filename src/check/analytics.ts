// Metrics, pages of figures and reports: facts, measures, columns, metrics and fields that they name are there.
import { METRICS, PAGES, REPORTS } from '../contract/analytics.ts';
import { filterSchema } from '../contract/filter-schema.ts';
import { pointer } from '../contract/paths.ts';
import { placeholders } from '../contract/find.ts';
import { compileValidator } from '../contract/validation/compile.ts';
import { validate } from '../contract/validation/validate.ts';
import type { AnalyticsComponent, AnalyticsPage, JsonObject, Metric, MetricTerm, Report } from '../contract/types.ts';
import { componentMistakes, sharedDimensions, type ComponentMistake } from '../domain/analytics/component.ts';
import { FACTS, SUBSCRIPTION_DIMENSIONS } from '../domain/analytics/facts.ts';
import { isObject, known, type CheckContext } from './context.ts';

export function checkAnalytics(context: CheckContext): void {
  const { metrics, analytics, reports } = context.definitions;
  for (const metric of Object.values(metrics)) checkMetric(context, `${METRICS}${metric.key}.json`, metric);
  for (const page of Object.values(analytics)) checkPage(context, `${PAGES}${page.key}.json`, page);
  for (const report of Object.values(reports)) checkReport(context, `${REPORTS}${report.key}.json`, report);
}

function checkMetric(context: CheckContext, file: string, metric: Metric): void {
  if (!context.sound(file)) return;
  for (const part of ['numerator', 'denominator'] as const)
    metric[part].forEach((term, i) => checkTerm(context, file, pointer([part, String(i)]), term));
  if ((metric.unit === 'percent' || metric.unit === 'days') && metric.denominator.length === 0)
    context.report({
      file,
      pointer: '/format',
      message: `A metric in ${metric.unit} is a part of something: say of what in "denominator".`,
    });
  const isMoney = metric.numerator.some(({ fact, measure }) => FACTS[fact]?.measures[measure] === 'money');
  const overMoney = metric.denominator.some(({ fact, measure }) => FACTS[fact]?.measures[measure] === 'money');
  if (isMoney !== (metric.unit === 'money') && !overMoney && !(isMoney && metric.unit === 'percent'))
    context.report({
      file,
      pointer: '/format',
      message: isMoney
        ? 'What is summed up is an amount, so its format is "money".'
        : 'No amount is summed up, so its format is not "money".',
    });
}

function checkTerm(context: CheckContext, file: string, at: string, { fact, measure, when }: MetricTerm): void {
  known(context, file, `${at}/fact`, fact, Object.keys(FACTS), name => `There is no fact "${name}" in src/domain/analytics/facts.ts.`);
  const one = FACTS[fact];
  if (!one) return;
  known(context, file, `${at}/sum`, measure, Object.keys(one.measures), name => `The fact "${fact}" has no measure "${name}".`);
  for (const [column, value] of Object.entries(when))
    [value].flat().forEach((one, i) => {
      const below = pointer(['when', column, ...(Array.isArray(value) ? [String(i)] : [])]);
      if (typeof one === 'string' && one !== '' && context.options.words && !context.options.words.includes(one))
        context.report({
          file,
          pointer: at + below,
          message: `Nothing in the code of the server gives "${column}" of a fact the value "${one}".`,
        });
    });
  // Of plans and products a subscription may have several.
  const ofSubscription = one.ofSubscription ? SUBSCRIPTION_DIMENSIONS.filter(name => name !== 'plan' && name !== 'product') : [];
  for (const column of Object.keys(when))
    known(
      context,
      file,
      at + pointer(['when', column]),
      column,
      [...one.columns, ...ofSubscription],
      name => `The fact "${fact}" has no "${name}" to ask for.`,
    );
}

function checkPage(context: CheckContext, file: string, page: AnalyticsPage): void {
  const raw = context.documents[file];
  if (!context.sound(file) || !isObject(raw)) return;
  known(context, file, '/permission', page.permission, Object.keys(context.definitions.permissions), name => `There is no area "${name}".`);
  if ((raw.tabs === undefined) === (raw.sections === undefined))
    context.report({ file, pointer: '', message: 'A page of figures has either "tabs" or "sections".' });
  const keys = new Set<string>();
  for (const tab of page.tabs)
    tab.sections.forEach((section, i) => {
      for (const component of section.components) {
        const at = pointer([...(raw.tabs ? ['tabs', tab.key] : []), 'sections', String(i), 'components', component.key]);
        if (keys.has(component.key))
          context.report({ file, pointer: at, on: 'key', message: `The key "${component.key}" stands on this page already.` });
        keys.add(component.key);
        checkComponent(context, file, at, component);
      }
    });
}

/** What a mistake of a component is called here. */
const WORDS: Readonly<Record<ComponentMistake['is'], (name: string) => string>> = {
  NOT_SHARED: name => `Not all facts of these metrics can be split by "${name}".`,
  NEEDS_SPLIT: name => `A component of the type "${name}" says in "by" what it is split by.`,
  TAKES_NO_SPLIT: name => `A component of the type "${name}" is not split by anything.`,
  SPLIT_TWICE: () => 'Only bars that are stacked are split twice.',
  SPLIT_OF_SEVERAL: () => 'Only one metric can be split.',
  ONLY_NOW: name => `"${name}" is a figure of now and has no past.`,
};

function checkComponent(context: CheckContext, file: string, at: string, component: AnalyticsComponent): void {
  const { metrics: all } = context.definitions;
  const say = (below: string, message: string): void => context.report({ file, pointer: at + below, message });
  component.metrics.forEach((name, i) =>
    known(context, file, `${at}/metrics/${i}`, name, Object.keys(all), wrong => `There is no metric "${wrong}" in schemas/metrics.`),
  );
  if (component.source !== undefined) {
    if (component.metrics.length) say('/source', 'A component has either "metrics" or a "source".');
    return;
  }
  if (component.metrics.length === 0) say('', 'Name the "metrics" that it shows.');
  const metrics = component.metrics.map(name => all[name]);
  for (const { pointer: below, is, name } of componentMistakes(component, metrics)) {
    if (is === 'NOT_SHARED')
      known(context, file, at + below, name, [...(below === '/by' ? ['time'] : []), ...sharedDimensions(metrics)], WORDS[is]);
    else say(below, WORDS[is](name));
  }
  if (component.type === 'cohort' && component.columns === undefined) say('', 'Say in "columns" whether a cohort counts months or orders.');
}

function checkReport(context: CheckContext, file: string, report: Report): void {
  if (!context.sound(file)) return;
  const { definitions } = context;
  known(context, file, '/of', report.of, Object.keys(definitions.entities), name => `There is no entity "${name}" in schemas/entities.`);
  known(context, file, '/permission', report.permission, Object.keys(definitions.permissions), name => `There is no area "${name}".`);
  const entity = definitions.entities[report.of];
  if (!entity) return;
  const hints = entity['x-record'];
  const fields = Object.keys(entity.properties ?? {});
  for (const part of ['columns', 'more'] as const)
    report[part].forEach((name, i) =>
      known(context, file, `/${part}/${i}`, name, fields, wrong => `"${report.of}" has no field "${wrong}".`),
    );
  const filters = hints?.filter ?? [];
  const filter = (name: string): string => `"${report.of}" can't be narrowed by "${name}": its "x-record.filter" does not have it.`;
  report.filters.forEach((name, i) => known(context, file, `/filters/${i}`, name, filters, filter));
  for (const name of Object.keys(report.where as JsonObject)) known(context, file, pointer(['where', name]), name, filters, filter);
  const schema = filterSchema(entity);
  for (const wrong of validate(schema, compileValidator(schema), report.where as JsonObject))
    if (wrong.rule !== 'additionalProperties') context.report({ file, pointer: `/where${wrong.pointer}`, message: wrong.message });
  for (const name of placeholders(report.to ?? ''))
    known(context, file, '/to', name, fields, wrong => `"${report.of}" has no field "${wrong}".`);
  known(context, file, '/sort/field', report.sort.field, hints?.sort ?? [], name => `"${report.of}" can't be sorted by "${name}".`);
}
