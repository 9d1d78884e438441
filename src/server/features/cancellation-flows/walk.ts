// Going through the cancellation flow: begin, accept or decline what is shown, cancel at its end. Each answer is kept for the save rates.
// The team does so by calls, customers on their own page.
import { sql } from 'kysely';
import type { ActionKey } from '../../../generated/actions.ts';
import { invalid, invalidState, type Refusal } from '../../platform/context.ts';
import { emit } from '../../platform/events/emit.ts';
import { type Aggregate, type EngineContext, type KeptAction, runAction, status, type UnitOfWork } from '../../engine/index.ts';
import { needOpen, noteVariant, writeAnswer, type Answered, type Attempt } from './attempts.ts';
import { flowOf, flowWith, subjectOf, triedKey, type Audience, type Flow, type Offer, type Reading, type Reason } from './flow.ts';
import { t } from '../../../domain/text/t.ts';

const RUNNING = ['ACTIVE', 'PAUSED', 'FAILED'];

/** Who goes through it, as the engine needs to know. */
export type Walker = EngineContext & Reading;
export type Begun = Flow & { id: number };

const sourceOf = ({ source }: { source: string }): 'CUSTOMER' | 'MERCHANT' | 'API' =>
  source === 'Customer portal' ? 'CUSTOMER' : source === 'API' ? 'API' : 'MERCHANT';
export const audienceOf = (source: string): Audience => (source === 'MERCHANT' ? 'TEAM' : 'CUSTOMER');

/** Begins an attempt and answers its steps. @throws Refusal 404; 409 for a subscription that has ended */
export async function start(context: Walker, subscriptionId: number): Promise<Begun> {
  const { trx, storeId, now } = context;
  const subject = await subjectOf(context, subscriptionId);
  if (!RUNNING.includes(subject.status)) throw invalidState(t`This subscription has already ended.`);
  const source = sourceOf(context);
  const { flow: shown, tried } = await flowWith(context, subscriptionId, audienceOf(source));
  if (source === 'CUSTOMER' && shown.button.behavior !== 'ALLOW_CANCEL')
    throw invalidState(shown.button.message ?? t`This subscription can't be cancelled here. Write to the store.`);
  const { rows } = await sql<{
    id: number;
  }>`insert into cancellation_attempts (store_id, contract_id, customer_id, source, is_arl, benefit_id,
      order_value, completed_orders, started_at)
    select store_id, id, customer_id, ${source}, ${shown.isArl},
      ${stepShown(shown, 'BENEFIT') ? (shown.benefit?.id ?? null) : null}::bigint,
      total, completed_orders, ${now()}::timestamptz
    from contracts where store_id = ${storeId}::integer and id = ${subscriptionId}::bigint returning id`.execute(trx);
  const id = rows[0]?.id ?? 0;
  if (stepShown(shown, 'BENEFIT') && shown.benefit)
    await noteVariant(context, { id, customer_id: subject.customer_id }, tried.get(triedKey('benefitId', shown.benefit.id)));
  if (shown.isArl && shown.offer) {
    await writeAnswer(context, id, { offer_id: shown.offer.id });
    await noteVariant(context, { id, customer_id: subject.customer_id }, tried.get(triedKey('incentiveId', shown.offer.id)));
  }
  return { id, ...shown };
}
const stepShown = (shown: Flow, step: Flow['steps'][number]): boolean => shown.steps.includes(step);

export interface Answer {
  id: number;
  step: 'BENEFIT' | 'TREATMENT' | 'OFFER';
  accepted: boolean;
  reasonId?: number;
  treatmentId?: string;
}

/**
 * Accepts or declines a step. What is accepted is done at once, all of it or nothing, and the subscription stays.
 * @throws Refusal 404; 409 where the attempt has ended or the subscription does not allow it; 422 for what is not shown to it
 */
export async function answer(context: Walker, input: Answer): Promise<'SAVED' | 'OPEN'> {
  const attempt = await needOpen(context, input.id);
  const { flow: shown, tried } = await flowWith(context, attempt.contract_id, audienceOf(attempt.source));
  const outcome = input.accepted ? ('ACCEPTED' as const) : ('REJECTED' as const);
  const saved = input.accepted ? ({ outcome: 'SAVED' } as const) : {};
  const { answered, does, title } = stepOf(shown, input, outcome);
  if (answered.offer_id) await noteVariant(context, attempt, tried.get(triedKey('incentiveId', answered.offer_id)));
  if (input.accepted) await doAll(context, attempt, does);
  if (answered.reason_id) answered.reason = await titleOf(context, answered.reason_id);
  await writeAnswer(context, attempt.id, { ...answered, ...saved });
  if (input.accepted)
    await emit(context.trx, {
      storeId: context.storeId,
      contractId: attempt.contract_id,
      key: 'cancellation_averted',
      payload: { step: input.step, title, reason: answered.reason ?? attempt.reason, attemptId: attempt.id },
      source: context.source,
      entity: attempt.source === 'CUSTOMER' ? '' : context.userEmail,
      at: context.now(),
    });
  return input.accepted ? 'SAVED' : 'OPEN';
}

interface Taken {
  answered: Answered;
  does: readonly KeptAction[];
  title: string;
}
const missing = (pointer: string, message: string): Refusal => invalid([{ pointer, rule: 'reference', message }]);

function stepOf(shown: Flow, { step, reasonId, treatmentId }: Answer, outcome: 'ACCEPTED' | 'REJECTED'): Taken {
  if (step === 'BENEFIT') {
    if (!shown.benefit) throw missing('/step', t`No benefits page is shown to this subscription.`);
    return { answered: { benefit_outcome: outcome }, does: PRIMARY[shown.benefit.primaryCtaAction] ?? [], title: shown.benefit.title };
  }
  const reason = reasonId === undefined ? undefined : reasonIn(shown, reasonId);
  const because = reason ? { reason_id: reason.id, reason: reason.title } : {};
  if (step === 'TREATMENT') {
    const treatment = reason?.treatments.find(one => one.id === treatmentId);
    if (!treatment && outcome === 'ACCEPTED') throw missing('/treatmentId', t`This suggestion is not shown for the reason.`);
    const named = treatment ? { treatment: treatment.title } : {};
    return {
      answered: { ...because, ...named, treatment_outcome: outcome },
      does: treatment?.actions ?? [],
      title: treatment?.title ?? '',
    };
  }
  const offer: Offer | null | undefined = shown.isArl ? shown.offer : reason?.offer;
  if (!offer) throw missing(shown.isArl ? '/step' : '/reasonId', t`There is no offer for this subscription and reason.`);
  return { answered: { ...because, offer_id: offer.id, offer_outcome: outcome }, does: offer.incentives, title: offer.title };
}
export const reasonIn = (shown: Flow, id: number): Reason => {
  const reason = shown.reasons.find(one => one.id === id);
  if (!reason) throw missing('/reasonId', t`Choose one of the reasons that are shown.`);
  return reason;
};

/** What the button to stay of a benefits page does besides. */
const PRIMARY: Record<string, readonly KeptAction[]> = {
  SKIP_ORDER: [{ action: 'SKIP_ORDER', input: { count: 1, notify: false } }],
  PAUSE: [{ action: 'PAUSE_SUBSCRIPTION', input: { until: 'DURATION', intervalCount: 1, intervalType: 'MONTH', notify: false } }],
};

async function doAll(context: Walker, { id, contract_id: contractId }: Attempt, kept: readonly KeptAction[]): Promise<void> {
  for (const { action, input = {} } of kept) {
    const done = await runAction(context, action as ActionKey, contractId, input, {
      source: context.source,
      noteData: { cancellationAttemptId: id },
    });
    if (done.status === 'SKIPPED') throw invalidState(done.sentence);
  }
}

/**
 * Cancels the subscription at the end of its attempt. A reason is needed where reasons are asked for, not where automatic renewal laws
 * hold.
 * @throws Refusal 404, 409, 422
 */
export async function cancel(
  context: Walker,
  { id, reasonId, comment = '', notifyCustomer = true }: Ending,
  doIt: (contractId: number, work: (work: UnitOfWork, subscription: Aggregate) => void) => Promise<unknown>,
): Promise<void> {
  const attempt = await needOpen(context, id);
  const shown = await flowOf(context, attempt.contract_id, audienceOf(attempt.source));
  const wanted = reasonId ?? attempt.reason_id ?? undefined;
  const found = wanted === undefined ? undefined : reasonIn(shown, wanted);
  if (!found && !shown.isArl && shown.reasons.length)
    throw invalid([{ pointer: '/reasonId', rule: 'required', message: t`Choose a reason.` }]);
  if (!comment.trim() && attempt.source === 'CUSTOMER' && asksComment(shown, found))
    throw invalid([{ pointer: '/comment', rule: 'required', message: t`Write a comment.` }]);
  const reason = found ? await titleOf(context, found.id) : null;
  const source = attempt.source as 'CUSTOMER' | 'MERCHANT' | 'API';
  await doIt(attempt.contract_id, (work, subscription) =>
    status.cancel(work, subscription, { reason, comment: comment.trim() || null, source, notifyCustomer }),
  );
  await writeAnswer(context, id, {
    outcome: 'CANCELLED',
    comment: comment.trim(),
    ...(found ? { reason_id: found.id, reason } : {}),
  });
}
export interface Ending {
  id: number;
  reasonId?: number;
  comment?: string;
  notifyCustomer?: boolean;
}

/** Whether customers have to write something on the page of the reasons; not where automatic renewal laws hold. */
export const asksComment = (shown: Flow, reason: Reason | undefined): boolean =>
  !shown.isArl && shown.reasons.length > 0 && (shown.commentRequired || reason?.commentRequired === true);

/** A reason as the store calls it: customers may have read it in another language. */
export async function titleOf({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, id: number): Promise<string> {
  const { rows } = await sql<{ title: string }>`select data ->> 'title' as title from records
    where store_id = ${storeId}::integer and entity = 'cancellation-reason' and id = ${id}::bigint`.execute(trx);
  return rows[0]?.title ?? '';
}
