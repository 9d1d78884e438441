// Rules of experiments: what they can be made of, what may change while they run, and what came of them so far.
import { sql } from 'kysely';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { same } from '../../../contract/paths.ts';
import { saveRate, winnerOf } from '../../../domain/experiments/experiment.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { newPublicId } from '../../platform/records/public-id.ts';
import { rules, type RuleContext, type WriteVerb } from '../../platform/records/rules.ts';
import { cleanText } from '../../platform/texts/text-verbs.ts';
import {
  changesOf,
  contentOf,
  daysOf,
  ENDED,
  ending,
  experimentsIn,
  resultsOf,
  RUNNING,
  type Experiment,
  type Results,
} from './experiments.ts';
import { inFigures, intlLocale, t } from '../../../domain/text/t.ts';
import { actionErrors, filledIn, type KeptAction } from '../../engine/index.ts';

/** How the pages and offers that are tried are called; deleted ones too. */
async function namesOf({ trx, storeId }: RuleContext, experiments: readonly JsonObject[]): Promise<Map<number, string>> {
  const ids = experiments.map(one => Number(one.benefitId ?? one.incentiveId ?? 0));
  const { rows } = await sql<{ id: number; name: string }>`select id, data ->> 'name' as name from records
    where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
  return new Map(rows.map(row => [row.id, row.name]));
}
function termsOf({ variantPercent, controlTag, variantTag, winningCriteriaPercent: criteria }: JsonObject): string {
  const part = Number(variantPercent ?? 50);
  return t`${100 - part}% see A (${String(controlTag ?? '')}), ${part}% see B (${String(variantTag ?? '')}). ${Number(criteria ?? 20)}%
    better wins.`;
}

/** Attempts of each variant before one is said to be ahead. */
const ENOUGH = 30;
/** What may change while it runs; the rest would make what was counted so far worthless. */
const CHANGEABLE = new Set(['name', 'completionValue', 'variant', 'version', 'updatedAt']);

const kindOf = ({ entityType }: JsonObject): { entity: string; field: 'benefitId' | 'incentiveId' } =>
  entityType === 'CANCELLATION_OFFER'
    ? { entity: 'incentive', field: 'incentiveId' }
    : { entity: 'subscription-benefit', field: 'benefitId' };
const variantIn = (record: JsonObject): JsonObject =>
  record.variant !== null && typeof record.variant === 'object' && !Array.isArray(record.variant) ? record.variant : {};

/** The page or offer that an experiment is about; undefined where it is not there. */
async function triedBy({ trx, storeId }: RuleContext, record: JsonObject): Promise<JsonObject | undefined> {
  const { entity, field } = kindOf(record);
  const { rows } = await sql<{ data: JsonObject }>`select data from records where store_id = ${storeId}::integer and entity = ${entity}
    and deleted_at is null and id = ${Number(record[field] ?? 0)}::bigint for update`.execute(trx);
  return rows[0]?.data;
}

/**
 * Whether an experiment runs with a page or an offer, which then can't be switched off or deleted; nor can one be deleted that the variant
 * of an ended experiment can still be put into.
 */
export async function refuseTried(context: RuleContext, verb: WriteVerb, field: 'benefitId' | 'incentiveId', id: JsonValue | undefined) {
  const [running] = (await experimentsIn(context, RUNNING)).filter(one => one[field] === id);
  if (running) return new Refusal(409, 'INVALID_STATE', t`Stop the experiment first.`);
  if (verb !== 'delete') return undefined;
  const open = (await experimentsIn(context, ENDED)).filter(
    one => one[field] === id && !one.liveVariant && one.chooseUntil !== undefined && new Date(one.chooseUntil) > context.now(),
  );
  if (open.length === 0) return undefined;
  const names = new Intl.ListFormat(intlLocale(), { type: 'conjunction' }).format(open.map(({ name }) => `“${name}”`));
  return new Refusal(
    409,
    'IN_USE',
    t`The variant of an experiment can still be shown here: ${names}. Choose what is shown from now on first.`,
  );
}

async function beginErrors(context: Context, record: JsonObject): Promise<FieldError[]> {
  const { field } = kindOf(record);
  const wrong = (pointer: string, rule: string, message: string): FieldError[] => [{ pointer, rule, message }];
  if (record[field] === undefined) return [];
  const tried = await triedBy(context, record);
  if (!tried) return wrong(`/${field}`, 'reference', t`Choose one that is there.`);
  if (tried.status !== 'ACTIVE') return wrong(`/${field}`, 'state', t`Turn it on first: only what is shown can be tried.`);
  const running = await experimentsIn(context, RUNNING);
  if (running.some(one => one[field] === record[field])) return wrong(`/${field}`, 'state', t`An experiment is already running here.`);
  const changes = changesOf(record as Experiment);
  return Object.entries(changes).every(([name, value]) => same(value, tried[name] ?? null))
    ? wrong('/variant', 'same', t`Variant B is identical to the control.`)
    : [];
}

async function changeErrors(context: Context, before: JsonObject, record: JsonObject): Promise<FieldError[]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(record)])];
  const differing = names.filter(name => !same(record[name] ?? null, before[name] ?? null));
  if (before.state !== 'EXPERIMENT_IN_PROGRESS')
    return differing.some(name => name !== 'name')
      ? [{ pointer: '', rule: 'state', message: t`This experiment has ended; only its name can change.` }]
      : [];
  const errors = differing
    .filter(name => !CHANGEABLE.has(name))
    .map(name => ({
      pointer: `/${name}`,
      rule: 'readOnly',
      message: t`This can't be changed while the experiment runs.`,
    }));
  const isOther = !same(record.completionValue, before.completionValue);
  if (isOther && Number(record.completionValue) < (await reachedBy(context, before as Experiment)))
    errors.push({ pointer: '/completionValue', rule: 'minimum', message: t`Completion value was already reached.` });
  return errors;
}
async function reachedBy(context: RuleContext, experiment: Experiment): Promise<number> {
  if (experiment.completionType === 'DAYS') return daysOf(experiment, context.now());
  const came = (await resultsOf(context, [experiment.id], context.now())).get(experiment.id) as Results;
  return came.A.attempts + came.B.attempts;
}

export const experimentRules = rules({
  async fill(verb, { record, input }, context): Promise<JsonObject> {
    const given = record ?? input;
    const variant = variantIn(given);
    const { entityType } = given as Experiment;
    const written: JsonObject = {
      variant: {
        ...variant,
        ...(typeof variant.bodyHtml === 'string' ? { bodyHtml: cleanText({ component: 'RICH_TEXT' }, variant.bodyHtml) } : {}),
        ...(Array.isArray(variant.incentives)
          ? { incentives: filledIn(context, 'incentive', variant.incentives as KeptAction[]) as JsonValue }
          : {}),
      },
    };
    if (verb === 'update') return written;
    const tried = await triedBy(context, given);
    const own = newPublicId('hex32').slice(0, 6);
    const percent = typeof given.variantPercent === 'number' ? given.variantPercent : 50;
    return {
      ...written,
      state: 'EXPERIMENT_IN_PROGRESS',
      startedAt: context.now().toISOString(),
      completedAt: null,
      chooseUntil: null,
      winner: null,
      liveVariant: null,
      controlPercent: 100 - percent,
      controlTag: String(given.controlTag || `exp-${own}-A`),
      variantTag: String(given.variantTag || `exp-${own}-B`),
      ...(tried ? { control: contentOf(entityType, tried) } : {}),
    };
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'delete')
      return before?.state === 'EXPERIMENT_IN_PROGRESS' ? new Refusal(409, 'INVALID_STATE', t`Stop the experiment first.`) : undefined;
    if (!record || verb === 'move') return undefined;
    const kept = variantIn(record).incentives;
    const actions = (Array.isArray(kept) ? kept : []) as KeptAction[];
    const wrong = actions.flatMap((action, i) =>
      actionErrors(context, 'incentive', action).map(error => ({ ...error, pointer: `/variant/incentives/${i}${error.pointer}` })),
    );
    return [...(before ? await changeErrors(context, before, record) : await beginErrors(context, record)), ...wrong];
  },
  async after(verb, { record }, context) {
    if (verb !== 'move' || !record) return;
    const { trx, storeId, now } = context;
    const experiment = record as Experiment;
    const came = (await resultsOf(context, [experiment.id], now())).get(experiment.id) as Results;
    await sql`update records set data = data || ${JSON.stringify(ending(experiment, came, now()))}::jsonb
      where store_id = ${storeId}::integer and entity = 'experiment' and id = ${experiment.id}::bigint`.execute(trx);
  },
  derive: {
    needs: [
      'id',
      'state',
      'startedAt',
      'completionType',
      'completionValue',
      'winningCriteriaPercent',
      'benefitId',
      'incentiveId',
      'variantPercent',
      'controlTag',
      'variantTag',
    ],
    members: ['triedName', 'terms', 'progress', 'controlSaveRate', 'variantSaveRate', 'leading', 'metrics'],
    async of(experiments, context) {
      const ids = experiments.map(({ id }) => Number(id));
      const found = await resultsOf(context, ids, context.now());
      const names = await namesOf(context, experiments);
      return experiments.map(one => {
        const { A, B } = found.get(Number(one.id)) as Results;
        const isRunning = one.state === 'EXPERIMENT_IN_PROGRESS';
        const isEnough = A.attempts >= ENOUGH && B.attempts >= ENOUGH;
        const whole = inFigures(Number(one.completionValue));
        const attempts = inFigures(A.attempts + B.attempts);
        const days = inFigures(daysOf(one as Experiment, context.now()));
        return {
          triedName: names.get(Number(one.benefitId ?? one.incentiveId)) ?? null,
          terms: termsOf(one),
          progress: !isRunning ? null : one.completionType === 'DAYS' ? t`${days} of ${whole} days` : t`${attempts} of ${whole} attempts`,
          controlSaveRate: saveRate(A),
          variantSaveRate: saveRate(B),
          leading: isRunning && isEnough ? winnerOf(A, B, Number(one.winningCriteriaPercent)) : null,
          metrics: { A: { ...A, saveRate: saveRate(A) }, B: { ...B, saveRate: saveRate(B) } },
        };
      });
    },
  },
});

export const experimentReportRules = rules({
  async fill(verb, { input }, { trx, storeId, user }): Promise<JsonObject> {
    if (verb === 'update') return {};
    const { rows } = await sql<{ name: string }>`select data ->> 'name' as name from records where store_id = ${storeId}::integer
      and entity = 'experiment' and deleted_at is null and id = ${Number(input.experiment ?? 0)}::bigint`.execute(trx);
    return { state: 'EXPERIMENT_REPORT_QUEUED', requestedBy: user.email, name: rows[0]?.name ?? '' };
  },
  async validate(verb, { record }, { trx, storeId }) {
    if (verb !== 'create' || !record) return undefined;
    if (record.name === '') return [{ pointer: '/experiment', rule: 'reference', message: t`This experiment does not exist.` }];
    const { rows } = await sql`select 1 from records where store_id = ${storeId}::integer and entity = 'experiment-report'
      and deleted_at is null and data ->> 'experiment' = ${String(record.experiment)}
      and data ->> 'state' in ('EXPERIMENT_REPORT_QUEUED', 'EXPERIMENT_REPORT_IN_PROGRESS') limit 1`.execute(trx);
    return rows.length ? new Refusal(409, 'INVALID_STATE', t`A report is already being prepared.`) : undefined;
  },
  async after(verb, _written, { queue, trx }) {
    if (verb === 'create') await queue.send('experiments', {}, { trx });
  },
});
