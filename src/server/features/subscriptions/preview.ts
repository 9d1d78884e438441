// What a change would do to the next orders, before it is made: the very same action runs in a transaction that is taken back.
import { compileValidator } from '../../../contract/validation/compile.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { allowsCall } from '../../../contract/access.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { fullName } from '../../../contract/find.ts';
import { formatMoney } from '../../../domain/money/money.ts';
import { inputSchema } from '../../../contract/request.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { validate } from '../../../contract/validation/validate.ts';
import { invalid, ownTransactions, Refusal, type Context, type Handler } from '../../platform/context.ts';
import {
  act,
  type Acted,
  type Acting,
  type ActingHandler,
  type Aggregate,
  changeOthers,
  engineOf,
  epoch,
  type LineRow,
  ordersIn,
  rebase,
  scheduleView,
  syncSchedule,
  type UnitOfWork,
} from '../../engine/index.ts';
import { createByHand, type ByHand } from './create.ts';
import { changedLines } from './preview-lines.ts';
import { warningsOf, type Before, type State } from './preview-warnings.ts';
import { intlLocale, t } from '../../../domain/text/t.ts';

/** Orders shown; skipped ones between them come on top. */
const SHOWN = 3;
const CREATE = 'subscription-contract.create';

interface Question {
  id?: number;
  action: string;
  params?: JsonObject;
}

/**
 * The next three orders before and after an action, the products that it changes, and what should be known about it. Needs the action's
 * own permission. That the action would be refused is an answer too: `refusal`, in the action's words and with its fields. Nothing is
 * kept: no log, no e-mail, no charge. Actions that only charge can't be tried.
 */
export const preview: Handler = ownTransactions(async (context: Context, { id, action, params = {} }: Question): Promise<JsonValue> => {
  const call = context.definitions.calls[fullName(action, 'subscription-contract')];
  const isNew = call?.name === CREATE;
  const tried = call && (context.handler(call.name) as ActingHandler | undefined)?.acting;
  if (!call || (!tried && !isNew))
    throw invalid([{ pointer: '/action', rule: 'unknown', message: t`What this action does can't be shown beforehand.` }]);
  if (!isNew && id === undefined) throw invalid([{ pointer: '/id', rule: 'required', message: t`Name the subscription.` }]);
  const allowed = allowsCall(call, context.session);
  if (!allowed.ok) throw new Refusal(403, allowed.code, allowed.message);

  let shown: JsonObject | undefined;
  const takeBack = new Error('This transaction is taken back.');
  try {
    const input = inputOf(context, call, id, params);
    await context.transaction(async inner => {
      shown = tried ? await tryAction(inner, id as number, tried, input) : await tryCreating(inner, input);
      throw takeBack;
    });
  } catch (error) {
    if (error instanceof Refusal && (error.status === 409 || error.status === 422))
      return { refusal: { code: error.code, message: error.message, errors: (error.errors ?? []) as JsonValue } };
    if (error !== takeBack) throw error;
  }
  return shown ?? null;
});

/** The parameters as the action's own call would get them. @throws Refusal 422 */
function inputOf(context: Context, call: Call, id: number | undefined, params: JsonObject): JsonObject {
  const given = {
    ...params,
    ...(id !== undefined && call.in.some(param => param.name === 'id') ? { id } : {}),
    ...(id !== undefined && call.body?.properties?.id ? { id } : {}),
  };
  const schema = inputSchema(call, context.definitions.ambient);
  const facts = factsOf(context.session, context.definitions.facts);
  const errors = validate(schema, compileValidator(schema), given, facts);
  if (errors.length) throw invalid(errors);
  return strip(schema, given, facts);
}

async function tryAction(
  context: Context,
  id: number,
  { action, work: change, others: otherIds }: Acting,
  input: JsonObject,
): Promise<JsonObject> {
  let before: Before | undefined;
  let lines: LineRow[] = [];
  let others: number[] | undefined;
  let letters: Before['letters'] = [];
  const acted: Acted<unknown> = await act(engineOf(context), id, { action, orderIds: ordersIn(input) }, async (work, subscription) => {
    before = {
      ...stateOf(work, subscription),
      contract: structuredClone(subscription.contract),
      quantities: new Map(subscription.lines.map(line => [line.id, line.quantity])),
      variants: new Map(subscription.lines.map(line => [line.id, line.variant_id])),
      letters: [],
    };
    lines = structuredClone(subscription.lines);
    if (input.alsoOthers === true) others = await otherIds?.(work, subscription);
    await change(work, subscription, input as never, context);
    letters = work.letters.map(letter => ({ ...letter }));
  });
  // What another one would refuse is shown now, not when the change is made.
  await changeOthers(context, action, others ?? [], (w, other) => change(w, other, { ...input, id: other.contract.id } as never, context));
  const { subscription, work } = acted;
  await work.loadVariants([subscription]);
  const after = stateOf(work, subscription);
  return {
    before: wire(before as Before),
    after: wire(after),
    lines: changedLines(lines, subscription.lines, subscription.contract.currency_code),
    currencyCode: subscription.contract.currency_code,
    warnings: warningsOf(work, subscription, {
      before: { ...(before as Before), letters },
      after,
      notes: acted.notes,
      others: others?.length,
      input,
      say: minor => formatMoney(minor, subscription.contract.currency_code, intlLocale()),
    }),
  };
}

async function tryCreating(context: Context, input: JsonObject): Promise<JsonObject> {
  const { subscription, work, letters } = await createByHand(context, input as unknown as ByHand);
  const after = stateOf(work, subscription);
  return {
    before: null,
    after: wire(after),
    currencyCode: subscription.contract.currency_code,
    warnings: letters
      .filter(one => one.recipient === subscription.contract.customer_email)
      .map(one => t`${subscription.contract.customer_name} gets an e-mail: “${one.subject}”.`),
  };
}

const wire = ({ status, resumeDateEpoch, orders }: State): JsonObject => ({ status, resumeDateEpoch, orders });

/** The state of a contract and its next orders; of a pause with an end, the orders after it. */
function stateOf(work: UnitOfWork, subscription: Aggregate): State {
  const now = work.context.now();
  const { status, resume_at: resumeAt } = subscription.contract;
  const orders = scheduleView(
    work,
    status === 'PAUSED' && resumeAt ? resumed(subscription, resumeAt, work.zone) : subscription,
    now,
    SHOWN * 3,
  );
  const planned = orders.filter(order => order.status === 'SCHEDULED');
  const last = planned[SHOWN - 1];
  return {
    status,
    resumeDateEpoch: resumeAt ? epoch(resumeAt) : null,
    orders: (last ? orders.slice(0, orders.indexOf(last) + 1) : orders.slice(0, SHOWN * 2)).map(brief),
  };
}

/** A copy of a paused contract as it will be when its pause ends by itself. */
function resumed(subscription: Aggregate, at: Date, zone: string): Aggregate {
  const copy: Aggregate = {
    ...subscription,
    contract: { ...subscription.contract, status: 'ACTIVE', resume_at: null },
    orders: subscription.orders.map(order => ({ ...order })),
  };
  rebase(copy, at, copy.contract.next_cycle, zone);
  syncSchedule(copy, zone);
  return copy;
}

const SAID = [
  'id',
  'cycle',
  'orderNumberInSubscription',
  'status',
  'billingDateEpoch',
  'deliveryDateEpoch',
  'total',
  'estimatedTotal',
  'isPrepaidDelivery',
  'isRescheduled',
  'isDelayed',
];
function brief(order: JsonObject): JsonObject {
  const lines = (order.lines as JsonObject[]).map(
    ({ lineId, name, quantity, price, discountedPrice, isOneTimeAdded }) =>
      ({ lineId, name, quantity, price, discountedPrice, isOneTimeAdded }) as JsonObject,
  );
  return { ...(Object.fromEntries(SAID.flatMap(name => (order[name] === undefined ? [] : [[name, order[name]]]))) as JsonObject), lines };
}
