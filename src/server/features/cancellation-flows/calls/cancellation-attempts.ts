// The cancellation flow as the team, and programs, go through it in the name of a customer.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { change, engineOf } from '../../../engine/index.ts';
import { flowOf, type Audience } from '../flow.ts';
import * as walk from '../walk.ts';

const walker = (context: Context): walk.Walker => ({
  ...engineOf(context),
  store: context.store,
  definitions: context.definitions,
  shape: name => context.shape(name),
});

/** The steps as they would be shown now. Nothing is kept. @throws Refusal 404 */
export const flow = async (context: Context, input: { subscriptionId: number; audience?: Audience }): Promise<JsonObject> =>
  (await flowOf(context, input.subscriptionId, input.audience ?? 'CUSTOMER')) as unknown as JsonObject;

export const start = async (context: Context, { subscriptionId }: { subscriptionId: number }): Promise<JsonObject> =>
  (await walk.start(walker(context), subscriptionId)) as unknown as JsonObject;

export const answer = async (context: Context, input: walk.Answer): Promise<JsonObject> => ({
  id: input.id,
  outcome: await walk.answer(walker(context), input),
});

export async function cancel(context: Context, input: walk.Ending): Promise<JsonValue> {
  await walk.cancel(walker(context), input, (id, work) => change(context, 'cancel', { id }, work));
  return { id: input.id, outcome: 'CANCELLED' };
}
