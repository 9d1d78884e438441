// What of the set-up is done, asked of the store's data in one statement.
import { sql, type RawBuilder } from 'kysely';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { Done, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { FACTS } from './store-facts.ts';

type Asked = Pick<Context, 'trx' | 'store' | 'storeId' | 'session' | 'definitions'>;

/** The keys of what is completed now. @throws Error when a definition names a fact that is not there (a test sees to it that none does) */
export async function completedOf(context: Asked, wanted: readonly { key: string; done: Done }[]): Promise<Set<string>> {
  const completed = new Set<string>();
  const questions = new Map<string, RawBuilder<boolean>>();
  const settings: { key: string; name: string; done: Done }[] = [];
  for (const { key, done } of wanted) {
    if (done.setting !== undefined) {
      settings.push({ key, name: done.setting, done });
      continue;
    }
    const answer = done.count !== undefined ? countOf(context.storeId, done) : factOf(context, done.fact ?? '');
    if (answer === true) completed.add(key);
    else if (answer !== false) questions.set(key, answer);
  }
  if (questions.size) {
    const parts = [...questions].map(([key, question]) => sql`${question} as ${sql.ref(key)}`);
    const { rows } = await sql<Record<string, boolean>>`select ${sql.join(parts)}`.execute(context.trx);
    for (const [key, isDone] of Object.entries(rows[0] ?? {})) if (isDone) completed.add(key);
  }
  if (settings.length) {
    const names = [...new Set(settings.map(one => one.name))];
    const saved = await context.trx
      .selectFrom('settings')
      .select(['name', 'data'])
      .where('store_id', '=', context.storeId)
      .where('name', 'in', names)
      .where('version', '>', 0)
      .execute();
    for (const { key, name, done } of settings) {
      const row = saved.find(one => one.name === name);
      if (!row) continue;
      const schema = context.definitions.settings[name];
      const data = schema ? withDefaults<JsonObject>(schema, row.data as JsonObject) : (row.data as JsonObject);
      if (holds(done.when, { siblings: data, root: data })) completed.add(key);
    }
  }
  return completed;
}

function factOf(context: Asked, name: string): RawBuilder<boolean> | boolean {
  const fact = Object.hasOwn(FACTS, name) ? FACTS[name] : undefined;
  if (!fact)
    throw new Error(`src/server/features/onboarding/store-facts.ts has no fact "${name}", which schemas/common/set-up.json names.`);
  return fact(context);
}

/** Whether there are that many documents of an entity with these values; reading stops at the number that is enough. */
function countOf(storeId: number, { count = '', where = {}, least = 1 }: Done): RawBuilder<boolean> {
  const has = (field: string, value: JsonValue) => sql`data @> ${JSON.stringify({ [field]: value })}::jsonb`;
  const tests = Object.entries(where).map(([field, value]) =>
    Array.isArray(value)
      ? sql`(${sql.join(
          value.map(one => has(field, one)),
          sql` or `,
        )})`
      : has(field, value),
  );
  const rows = sql`select 1 from records where store_id = ${storeId} and entity = ${count}
      and deleted_at is null${tests.length ? sql` and ${sql.join(tests, sql` and `)}` : sql``}`;
  return least === 1 ? sql<boolean>`exists (${rows})` : sql<boolean>`(select count(*) from (${rows} limit ${least}) as enough) >= ${least}`;
}
