// Goes through the tables of a store for people who are erased: a page of rows in each transaction, safe to repeat, going on after a kill
// where it had come to. One run does it for all who are erased meanwhile.
import { sql, type Kysely } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { Refusal, type Context } from '../../../platform/context.ts';
import { inSteps } from '../../../platform/queue/in-steps.ts';
import type { Job } from '../../../platform/queue/queue.ts';
import { lockRun, noteRun, startRun, type RunData, type RunRow } from '../../../platform/queue/system-run.ts';
import type { Services } from '../../../platform/services.ts';
import { ERASE, STEPS, type Erased, type Step } from './erase-steps.ts';

export const ERASE_JOB = 'erase-customers';

/** How far a run is: for whom, at which table, for which subscription, after which row. */
type Place = {
  person: number;
  step: number;
  contract: number;
  after?: string[];
};
const START: Place = { person: 0, step: 0, contract: 0 };

/** Erases what is left of a person after the transaction, in a run that is under way or a new one. @returns the run's id */
export async function eraseInSteps(context: Context, person: Erased): Promise<number> {
  for (;;) {
    try {
      const input = { people: [person] } as JsonObject;
      return (await startRun(context, { kind: ERASE, queue: ERASE_JOB, input, total: STEPS.length })).id;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'INVALID_STATE') throw error;
      const { rows } = await sql<{ id: number }>`update runs set total = total + ${STEPS.length}::integer,
          input = jsonb_set(input, '{people}', input -> 'people' || ${JSON.stringify([person])}::jsonb)
        where store_id = ${context.storeId}::integer and kind = ${ERASE} and status in ('QUEUED', 'IN_PROGRESS')
        returning id`.execute(context.trx);
      // Where it ended at this moment, a new one begins.
      if (rows[0]) return rows[0].id;
    }
  }
}

/** One page of a step. @returns where it goes on; undefined when the step is done for this person */
async function page(
  trx: Kysely<Tables>,
  storeId: number,
  step: Step,
  person: Erased,
  { contract, after }: Place,
  most: number,
): Promise<Pick<Place, 'contract' | 'after'> | undefined> {
  if (step.ofContracts && contract >= person.contracts.length) return undefined;
  const columns = Object.entries(step.key);
  const key = sql.join(columns.map(([name]) => sql`r.${sql.ref(name)}`));
  const keyAsTexts = sql.join(columns.map(([name]) => sql`r.${sql.ref(name)}::text`));
  const reached = after && sql.join(columns.map(([, type], i) => sql`${after[i]}::${sql.raw(type)}`));
  const { rows } = await sql<{ at: string[]; meant: boolean; named: JsonObject }>`
    select array[${keyAsTexts}] as at, coalesce(${step.meant(person)}, false) as meant,
      jsonb_build_object(${sql.join(columns.map(([name]) => sql`${sql.lit(name)}, r.${sql.ref(name)}`))}) as named
    from ${sql.table(step.table)} r where r.store_id = ${storeId}::integer
      ${step.ofContracts ? sql`and r.contract_id = ${person.contracts[contract]}::bigint` : sql``}
      ${reached ? sql`and (${key}) > (${reached})` : sql``}
    order by ${key} limit ${most}`.execute(trx);
  const meant = rows.filter(row => row.meant).map(row => row.named);
  if (meant.length) {
    const named = JSON.stringify(meant);
    const typed = sql.join(columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
    const rowsMeant = sql`r.store_id = ${storeId}::integer and (${key}) in (select ${sql.join(columns.map(([name]) => sql.ref(name)))}
      from jsonb_to_recordset(${named}::jsonb) as named (${typed}))`;
    if (step.change === 'TRAIL')
      await sql`select erase_rows_from_trail(${person.customerId}::bigint, ${step.table}, ${named}::jsonb,
        ${JSON.stringify(person.personal)}::jsonb, ${JSON.stringify(person.everywhere)}::jsonb,
        ${JSON.stringify(person.own)}::jsonb)`.execute(trx);
    else if (step.change === 'DELETE') await sql`delete from ${sql.table(step.table)} r where ${rowsMeant}`.execute(trx);
    else await sql`update ${sql.table(step.table)} r set ${step.change(person)} where ${rowsMeant}`.execute(trx);
  }
  const last = rows.at(-1);
  if (last && rows.length === most) return { contract, after: last.at };
  return step.ofContracts && contract + 1 < person.contracts.length ? { contract: contract + 1 } : undefined;
}

/** One transaction of a run. @returns false when it is over */
async function goOn(trx: Kysely<Tables>, data: RunData, run: RunRow, most: number): Promise<boolean> {
  const { people } = run.input as { people: Erased[] };
  const place = (run.cursor ?? START) as Place;
  const [person, step] = [people[place.person], STEPS[place.step]];
  const begun = run.started_at ? {} : { status: 'IN_PROGRESS' as const, started_at: new Date() };
  if (!person) {
    // Nothing is left to look for, so the words go too.
    await sql`update runs set input = '{}' where store_id = ${data.storeId}::integer and id = ${data.runId}::bigint`.execute(trx);
    const done = { processed: run.total, succeeded: people.length, result: { customers: people.length } };
    await noteRun(trx, data, { ...done, status: 'COMPLETED', cursor: null, finished_at: new Date() });
    return false;
  }
  const next = step && (await page(trx, data.storeId, step, person, place, most));
  const cursor: Place = next
    ? { person: place.person, step: place.step, ...next }
    : step
      ? { person: place.person, step: place.step + 1, contract: 0 }
      : { ...START, person: place.person + 1 };
  const processed = place.person * STEPS.length + Math.min(cursor.step, STEPS.length);
  await noteRun(trx, data, { ...begun, cursor: cursor as JsonValue, processed });
  return true;
}

/** Goes on with a run until it is over or the process stops. */
export const runErase = ({ db }: Pick<Services, 'db'>, data: RunData, job: Pick<Job, 'signal' | 'progressed'>): Promise<void> =>
  inSteps(db, data.storeId, job, async (trx, most, begun) => {
    const run = await lockRun(trx, data);
    begun();
    return run !== undefined && (await goOn(trx, data, run, most));
  });
