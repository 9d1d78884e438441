// To whom a chart can be sent.
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { refuseMetrics } from '../../../platform/analytics/own-charts.ts';
import { mayLook, readersOf } from '../chart-letter.ts';

/**
 * Who of the team may look at all of these figures, by name: addresses are for people who manage the team, and stand only where two have
 * one name.
 * @throws Refusal 403 for figures that the caller may not look at
 */
export async function people(context: Context, { metrics }: { metrics: string[] }): Promise<JsonValue> {
  refuseMetrics(context, metrics);
  const users = (await readersOf(context)).filter(person => mayLook(person, context.definitions, metrics)).map(({ user }) => user);
  return users.map(({ id, name, email }) => ({
    id,
    title: name,
    ...(users.some(other => other.id !== id && other.name === name) ? { detail: email } : {}),
  }));
}
