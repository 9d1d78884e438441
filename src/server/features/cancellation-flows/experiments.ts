// Experiments as they are kept: which run, who sees which variant, what came of them, and when they end.
import { sql, type Kysely } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { variantOf, winnerOf, type Tally, type Variant } from '../../../domain/experiments/experiment.ts';
import type { Tables } from '../../../generated/tables.ts';
import { STAYED } from './attempts.ts';
import { nameKey } from '../../../domain/text/names.ts';

/** Days in which the merchant chooses the variant that stays; after them it is the first. */
export const CHOOSE_DAYS = 7;
const DAY_MS = 86_400_000;

export type Experiment = {
  id: number;
  experimentId: string;
  name: string;
  state: string;
  entityType: 'CANCELLATION_FLOW_BENEFIT' | 'CANCELLATION_OFFER';
  benefitId?: number;
  incentiveId?: number;
  variantPercent: number;
  audienceTags?: string[];
  controlTag: string;
  variantTag: string;
  completionType: 'DAYS' | 'ATTEMPTS';
  completionValue: number;
  winningCriteriaPercent: number;
  control?: JsonObject;
  variant: JsonObject;
  startedAt: string;
  completedAt?: string;
  chooseUntil?: string;
  liveVariant?: 'CONTROL' | 'VARIANT';
};
interface Scope {
  trx: Kysely<Tables>;
  storeId: number;
}

/** Experiments of a store in one of these states. */
export async function experimentsIn({ trx, storeId }: Scope, states: readonly string[]): Promise<Experiment[]> {
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'experiment' and deleted_at is null and data ->> 'state' = any(${[...states]}::text[]) order by id`.execute(trx);
  return rows.map(({ id, data }) => ({ ...data, id }) as Experiment);
}
export const RUNNING = ['EXPERIMENT_IN_PROGRESS'];
export const ENDED = ['EXPERIMENT_COMPLETED', 'EXPERIMENT_TERMINATED_BY_MERCHANT'];

/** The running experiment with a page or offer in which a customer with these tags takes part, and their variant. */
export function takingPart(
  running: readonly Experiment[],
  kind: 'benefitId' | 'incentiveId',
  id: number,
  customer: { id: number; tags: readonly string[] },
): { experiment: Experiment; variant: Variant } | undefined {
  const experiment = running.find(one => one[kind] === id);
  if (!experiment) return undefined;
  const wanted = experiment.audienceTags ?? [];
  const theirs = new Set(customer.tags.map(nameKey));
  if (wanted.length && !wanted.some(tag => theirs.has(nameKey(tag)))) return undefined;
  return { experiment, variant: variantOf(experiment.experimentId, customer.id, experiment.variantPercent) };
}

/** How the members of a variant are called on what is tried. */
const MEMBERS = {
  CANCELLATION_FLOW_BENEFIT: { title: 'title', bodyHtml: 'bodyHtml', stayCtaText: 'primaryCtaText', goCtaText: 'secondaryCtaText' },
  CANCELLATION_OFFER: {
    title: 'title',
    bodyHtml: 'bodyHtml',
    stayCtaText: 'acceptCtaText',
    goCtaText: 'rejectCtaText',
    incentives: 'incentives',
  },
} as const;

/** What variant B says otherwise than variant A, by the names of the page or offer. What is empty stays as it is. */
export const changesOf = ({ entityType, variant }: Pick<Experiment, 'entityType' | 'variant'>): JsonObject =>
  Object.fromEntries(
    Object.entries(MEMBERS[entityType]).flatMap(([from, to]) => {
      const value = variant[from];
      return value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[to, value]];
    }),
  );
/** What of a page or offer an experiment is about. */
export const contentOf = (entityType: Experiment['entityType'], record: JsonObject): JsonObject =>
  Object.fromEntries(Object.values(MEMBERS[entityType]).flatMap(name => (record[name] === undefined ? [] : [[name, record[name]]])));

export interface Results {
  A: Tally;
  B: Tally;
}
/** Attempts and saves of each variant, by experiment. */
export async function resultsOf({ trx, storeId }: Scope, ids: readonly number[], now: Date): Promise<Map<number, Results>> {
  const found = new Map(ids.map(id => [id, { A: { attempts: 0, saves: 0 }, B: { attempts: 0, saves: 0 } }]));
  const { rows } = await sql<{
    id: number;
    variant: Variant;
    attempts: number;
    saves: number;
  }>`select v.key::bigint as id, v.value as variant,
      count(*)::integer as attempts, count(*) filter (where ${STAYED(now)})::integer as saves
    from cancellation_attempts a cross join lateral jsonb_each_text(a.variants) v
    where a.store_id = ${storeId}::integer and a.variants ?| ${ids.map(String)}::text[] and v.key = any(${ids.map(String)}::text[])
    group by 1, 2`.execute(trx);
  for (const { id, variant, attempts, saves } of rows) {
    const one = found.get(id);
    if (one) one[variant] = { attempts, saves };
  }
  return found;
}

/** When an experiment that ends at `at` gives its choice up, and what came of it. */
export const ending = (experiment: Experiment, results: Results, at: Date): JsonObject => ({
  completedAt: at.toISOString(),
  chooseUntil: new Date(at.getTime() + CHOOSE_DAYS * DAY_MS).toISOString(),
  winner: winnerOf(results.A, results.B, experiment.winningCriteriaPercent),
});

const write = ({ trx, storeId }: Scope, id: number, data: JsonObject, at: Date): Promise<unknown> =>
  sql`update records set data = data || ${JSON.stringify(data)}::jsonb, version = version + 1, updated_at = ${at}::timestamptz
    where store_id = ${storeId}::integer and entity = 'experiment' and id = ${id}::bigint`.execute(trx);

/** Ends what has run its days or attempts, and settles on variant A where none was chosen in time. Safe to repeat. */
export async function endDue(scope: Scope, now: Date): Promise<void> {
  const running = await experimentsIn(scope, RUNNING);
  const results = await resultsOf(
    scope,
    running.map(one => one.id),
    now,
  );
  for (const one of running) {
    const came = results.get(one.id) as Results;
    const done = one.completionType === 'DAYS' ? daysOf(one, now) : came.A.attempts + came.B.attempts;
    if (done >= one.completionValue) await write(scope, one.id, { state: 'EXPERIMENT_COMPLETED', ...ending(one, came, now) }, now);
  }
  for (const one of await experimentsIn(scope, ENDED))
    if (!one.liveVariant && one.chooseUntil && new Date(one.chooseUntil) <= now)
      await write(scope, one.id, { liveVariant: 'CONTROL' }, now);
}
export const daysOf = ({ startedAt }: Pick<Experiment, 'startedAt'>, now: Date): number =>
  Math.floor((now.getTime() - new Date(startedAt).getTime()) / DAY_MS);
