// How far a store is set up: the tasks of the set-up score with what is done and what is new, and the stages of onboarding.
import { sql } from 'kysely';
import { factsOf } from '../../../../navigation/facts.ts';
import {
  assessStages,
  categoriesOf,
  feasible,
  NEW_DAYS,
  nextStage,
  percentOf,
  tasksOfStore,
  tasksOfUser,
  type AssessedStage,
} from '../../../../navigation/set-up.ts';
import type { JsonValue, SetUp, SetUpStage, SetUpWay } from '../../../../contract/types.ts';
import { invalid, invalidState, notFound, ownTransactions, type Context } from '../../../platform/context.ts';
import { storefrontOf } from '../../../platform/storefront-url.ts';
import { completedOf } from '../completed-tasks.ts';
import { sessionNow } from '../../../platform/auth/session-now.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';
import { inTheirWords } from '../../../platform/records/documents.ts';

/** What of the set-up can be done in this store: the score, the next step and skipping know of nothing else. */
const setUpOf = ({ definitions, session }: Pick<Context, 'definitions' | 'session'>): SetUp =>
  feasible(definitions.setUp, definitions, factsOf(session, definitions.facts)['store.widgetVersion'] as number);

/**
 * S261, S262: the tabs of the set-up score with the tasks that this person sees. Only the first look after a task came to the store writes
 * anything: when that was. The tasks of the very first look are no news.
 */
export const storeInsights = ownTransactions(async (context: Context): Promise<JsonValue> => {
  const setUp = setUpOf(context);
  const { all, completed, known } = await context.db.inStore(
    context.storeId,
    async trx => {
      const { store, storeId, definitions, config, session } = context;
      const now = await sessionNow({
        trx,
        store,
        storeId,
        definitions,
        config,
        session,
        now: context.now,
        report: report => context.report(report),
      });
      const tasks = tasksOfStore(setUp, now, factsOf(now, context.definitions.facts));
      return {
        all: tasks,
        completed: await completedOf(
          { trx, store, storeId, session: now, definitions },
          tasks.map(one => one.task),
        ),
        known: await trx.selectFrom('set_up_tasks').select(['task_key', 'introduced_at']).where('store_id', '=', context.storeId).execute(),
      };
    },
    { readOnly: true },
  );
  const since = new Map(known.map(row => [row.task_key, row.introduced_at]));
  const at = context.now();
  const arrived = all.map(one => one.task.key).filter(key => !since.has(key));
  if (arrived.length) {
    const introduced = known.length ? at : null;
    await context.db.inStore(context.storeId, trx =>
      trx
        .insertInto('set_up_tasks')
        .values(arrived.map(key => ({ store_id: context.storeId, task_key: key, introduced_at: introduced })))
        .onConflict(conflict => conflict.columns(['store_id', 'task_key']).doNothing())
        .execute(),
    );
    for (const key of arrived) since.set(key, introduced);
  }
  const fresh = new Set(
    [...since]
      .filter(([, introduced]) => introduced !== null && at.getTime() - introduced.getTime() < NEW_DAYS * 86_400_000)
      .map(([key]) => key),
  );
  return { goalCategories: categoriesOf(setUp, tasksOfUser(all, context.session), completed, fresh) } as unknown as JsonValue;
});

interface Assessment {
  stages: AssessedStage[];
  completedAt: Map<string, Date>;
}

/** Asks the store's data how far it is, and notes since when each completed stage has been so. */
async function assessment(context: Context): Promise<Assessment> {
  const setUp = setUpOf(context);
  const { completed, rows } = await context.db.inStore(
    context.storeId,
    async trx => ({
      completed: await completedOf(
        { trx, store: context.store, storeId: context.storeId, session: context.session, definitions: context.definitions },
        setUp.stages,
      ),
      rows: await trx
        .selectFrom('onboarding_stages')
        .select(['stage_key', 'completed_at', 'skipped_at'])
        .where('store_id', '=', context.storeId)
        .execute(),
    }),
    { readOnly: true },
  );
  const completedAt = new Map(
    rows.flatMap(row => (row.completed_at && completed.has(row.stage_key) ? [[row.stage_key, row.completed_at] as const] : [])),
  );
  const at = context.now();
  const begun = [...completed].filter(key => !completedAt.has(key));
  const ended = rows.filter(row => row.completed_at && !completed.has(row.stage_key)).map(row => row.stage_key);
  if (begun.length || ended.length) {
    await context.db.inStore(context.storeId, async trx => {
      if (begun.length) {
        await trx
          .insertInto('onboarding_stages')
          .values(begun.map(key => ({ store_id: context.storeId, stage_key: key, completed_at: at })))
          .onConflict(conflict =>
            conflict
              .columns(['store_id', 'stage_key'])
              .doUpdateSet({ completed_at: sql`coalesce(onboarding_stages.completed_at, excluded.completed_at)` }),
          )
          .execute();
      }
      if (ended.length)
        await trx
          .updateTable('onboarding_stages')
          .set({ completed_at: null })
          .where('store_id', '=', context.storeId)
          .where('stage_key', 'in', ended)
          .execute();
    });
    for (const key of begun) completedAt.set(key, at);
  }
  const skipped = new Set(rows.filter(row => row.skipped_at).map(row => row.stage_key));
  return { stages: assessStages(setUp, completed, skipped), completedAt };
}

/** C525: every stage with its status, which one is next (COMPLETED after the last), and how much is done. */
export const assess = ownTransactions(async (context: Context): Promise<JsonValue> => {
  const { stages, completedAt } = await assessment(context);
  const done = stages.filter(({ status }) => status === 'COMPLETED' || status === 'SKIPPED').length;
  return {
    stages: stages.map(({ stage, status }) => ({
      stageKey: stage.key,
      title: translated(stage.title),
      status,
      completedAt: completedAt.get(stage.key)?.toISOString() ?? null,
    })),
    currentStage: nextStage(stages)?.key ?? 'COMPLETED',
    percent: percentOf(done, stages.length),
  };
});

/** Where a product that is sold by subscription is bought; undefined where the store has no shop, or sells none. */
async function soldInShop({ db, config, store, storeId }: Context): Promise<string | undefined> {
  const storefront = storefrontOf(config, store);
  if (storefront === undefined) return undefined;
  const { rows } = await db.inStore(
    storeId,
    trx =>
      sql<{ handle: string }>`select o.handle from plan_products p
        join records g on g.store_id = p.store_id and g.id = p.group_id and g.entity = 'selling-plan-group' and g.deleted_at is null
          and g.data ->> 'status' = 'ACTIVE'
        join products o on o.store_id = p.store_id and o.id = p.product_id and o.status = 'ACTIVE' and o.deleted_at is null
        where p.store_id = ${storeId}::integer order by p.created_at, p.product_id limit 1`.execute(trx),
    { readOnly: true },
  );
  return rows[0] && `${storefront}/products/${encodeURIComponent(rows[0].handle)}`;
}

/** C526: the stage to work on next; null when all are done. */
export const nextEligibleOnboardingStage = ownTransactions(async (context: Context): Promise<JsonValue> => {
  const stage = nextStage((await assessment(context)).stages);
  const next = stage && inTheirWords({ ...stage, ...(await wayOf(context, stage)) });
  const inShop = next?.inShop === undefined ? undefined : await soldInShop(context);
  return next
    ? {
        stageKey: next.key,
        title: next.title,
        description: next.description,
        ctaText: inShop === undefined ? next.button : (next.inShop ?? next.button),
        redirectUrl: inShop ?? next.to,
        canSkip: next.canSkip,
      }
    : null;
});

/** What a stage says in this store alone: where it is done, and how. */
async function wayOf(context: Context, { ways = [] }: SetUpStage): Promise<Pick<SetUpWay, 'description' | 'button' | 'to'> | undefined> {
  if (ways.length === 0) return undefined;
  const holding = await context.db.inStore(
    context.storeId,
    trx =>
      completedOf(
        { trx, store: context.store, storeId: context.storeId, session: context.session, definitions: context.definitions },
        ways.map(({ fact }) => ({ key: fact, done: { fact } })),
      ),
    { readOnly: true },
  );
  const way = ways.find(({ fact }) => holding.has(fact));
  return way && { description: way.description, button: way.button, to: way.to };
}

/** Leaves a stage out. @throws Refusal 404 for an unknown stage, 409 for one that is not open, 422 for one that can't be skipped */
export async function skipStage(context: Context, { stageKey }: { stageKey: string }): Promise<JsonValue> {
  const setUp = setUpOf(context);
  const stage = setUp.stages.find(one => one.key === stageKey);
  if (!stage) throw notFound(later`stage`);
  if (!stage.canSkip)
    throw invalid([
      { pointer: '/stageKey', rule: 'enum', message: t`"${translated(stage.title)}" can't be skipped: the steps after it need it.` },
    ]);
  const rows = await context.trx
    .selectFrom('onboarding_stages')
    .select(['stage_key', 'skipped_at'])
    .where('store_id', '=', context.storeId)
    .forUpdate()
    .execute();
  const skipped = new Set(rows.filter(row => row.skipped_at).map(row => row.stage_key));
  const found = assessStages(setUp, await completedOf(context, setUp.stages), skipped).find(one => one.stage === stage);
  if (found?.status !== 'ELIGIBLE')
    throw invalidState(
      found?.status === 'NOT_STARTED'
        ? t`"${translated(stage.title)}" is not open yet: first comes what it needs.`
        : t`"${translated(stage.title)}" is done already.`,
    );
  await context.trx
    .insertInto('onboarding_stages')
    .values({ store_id: context.storeId, stage_key: stage.key, skipped_at: context.now() })
    .onConflict(conflict => conflict.columns(['store_id', 'stage_key']).doUpdateSet({ skipped_at: context.now() }))
    .execute();
  await context.log({
    action: 'onboarding.stageSkipped',
    category: 'Onboarding',
    description: `Onboarding step skipped: ${stage.title}`,
    entity: 'store',
    entityId: context.storeId,
    after: { stageKey },
  });
  return { stageKey, status: 'SKIPPED' };
}
