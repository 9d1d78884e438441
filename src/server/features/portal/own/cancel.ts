// Cancelling by a customer: the steps of the store's cancellation flow, one page each. What was answered is kept with the attempt, so an
// answer that is sent twice counts once, and a customer who comes back within a day goes on where they were.
import { invalid } from '../../../platform/context.ts';
import type { PageAnswer } from '../../../platform/http/public-pages.ts';
import { writeAnswer } from '../../cancellation-flows/attempts.ts';
import { flowOf, type Flow } from '../../cancellation-flows/flow.ts';
import { answer, asksComment, cancel, reasonIn, start, titleOf } from '../../cancellation-flows/walk.ts';
import { act } from '../../../engine/index.ts';
import type { Portal } from '../portal.ts';
import { beginning, STEPS, type Shown } from './cancel-html.ts';
import { attemptOf, reasonOf, stepAt, type Kept } from './cancel-steps.ts';
import { closed, goTo, type Asked, type OwnPage } from './own-page.ts';

const [SAVED, CANCELLED] = [{ told: 'cancellationSaved' }, { told: 'cancellationDone' }];
const wholeOf = (text: string | undefined): number | undefined => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined);
const shownTo = ({ context, subscription }: Portal): Promise<Flow> => flowOf(context, subscription.contract.id, 'CUSTOMER');
const named = ({ query }: Asked): number | undefined => wholeOf(query.attempt);
/** Without steps before the end nothing has to begin: one press cancels. */
const isOneStep = ({ steps }: Flow): boolean => steps.length === 1;

interface Opened {
  kept: Kept | undefined;
  flow: Flow;
}
/** The attempt that an address names, and the flow it goes through; or the page for a customer who can't go on. */
async function open(portal: Portal, asked: Asked): Promise<Opened | { page: PageAnswer }> {
  const kept = named(asked) === undefined ? undefined : await attemptOf(portal, named(asked));
  const page = over(portal, asked, kept) ?? (await closed(portal, 'CANCEL'));
  return page ? { page } : { kept, flow: await shownTo(portal) };
}

async function show(portal: Portal, asked: Asked, refused?: Parameters<OwnPage['show']>[2]): Promise<PageAnswer> {
  const opened = await open(portal, asked);
  if ('page' in opened) return opened.page;
  const { kept, flow } = opened;
  const first = refused?.errors?.[0];
  const shown: Shown = {
    portal,
    flow,
    typed: asked.form,
    ...(kept ? { kept } : {}),
    ...(refused ? { refused: { text: first?.message ?? refused.message, ...(first ? { pointer: first.pointer } : {}) } } : {}),
  };
  if (!kept) return isOneStep(flow) ? STEPS.CONFIRM(shown) : beginning(shown);
  const isChanging = asked.query.step === 'REASONS' && flow.steps.includes('REASONS');
  return STEPS[isChanging || first?.pointer === '/reasonId' ? 'REASONS' : stepAt(flow, kept)](shown);
}

/** What an attempt that has ended led to: an answer that comes twice finds it. */
function over(portal: Portal, asked: Asked, kept: Kept | undefined): PageAnswer | undefined {
  if (!kept && asked.query.a === 'END' && portal.subscription.contract.status === 'CANCELLED') return goTo(portal, CANCELLED);
  if (!kept || kept.outcome === 'OPEN') return undefined;
  return goTo(portal, kept.outcome === 'SAVED' ? SAVED : CANCELLED);
}

async function take(portal: Portal, asked: Asked): Promise<PageAnswer> {
  const { context, subscription } = portal;
  const opened = await open(portal, asked);
  if ('page' in opened) return opened.page;
  const { kept, flow } = opened;
  const onward = (id: number): PageAnswer => goTo(portal, { do: 'CANCEL', attempt: id });
  if (kept) return (await answered(portal, asked, flow, kept)) ?? onward(kept.id);
  if (asked.query.a === 'END' && isOneStep(flow)) {
    await end(portal, (await start(context, subscription.contract.id)).id, null);
    return goTo(portal, CANCELLED);
  }
  const latest = await attemptOf(portal, undefined);
  const benefit = flow.steps.includes('BENEFIT') ? flow.benefit?.id : null;
  const isSame = latest && latest.is_arl === flow.isArl && latest.benefit_id === benefit;
  return onward(isSame ? latest.id : (await start(context, subscription.contract.id)).id);
}

/** Does what an answer says; undefined: on to the next step. */
async function answered(portal: Portal, asked: Asked, flow: Flow, kept: Kept): Promise<PageAnswer | undefined> {
  const { context } = portal;
  const { id } = kept;
  const { query, form } = asked;
  const because = flow.isArl || kept.reason_id === null ? {} : { reasonId: kept.reason_id };
  switch (query.a) {
    case 'STAY':
      await answer(context, { id, step: 'BENEFIT', accepted: true });
      return flow.benefit?.primaryCtaAction === 'OPEN_LINK' && flow.benefit.linkUrl
        ? { redirect: flow.benefit.linkUrl }
        : goTo(portal, SAVED);
    case 'GO':
      await answer(context, { id, step: 'BENEFIT', accepted: false });
      return undefined;
    case 'REASON': {
      const reasonId = wholeOf(form.reason);
      if (reasonId === undefined && !flow.isArl)
        throw invalid([{ pointer: '/reasonId', rule: 'required', message: flow.texts.cancellationReasonMissing ?? '' }]);
      const reason = reasonId === undefined ? null : await titleOf(context, reasonIn(flow, reasonId).id);
      await writeAnswer(context, id, { reason_id: reasonId ?? null, reason, comment: reasonId === undefined ? '' : null });
      return undefined;
    }
    case 'TRY':
      await answer(context, { id, step: 'TREATMENT', accepted: true, ...because, treatmentId: query.treatment ?? '' });
      return goTo(portal, SAVED);
    case 'TELL': {
      const comment = (form.comment ?? '').trim().slice(0, 1000);
      const reason = reasonOf(flow, kept);
      if (!comment && asksComment(flow, reason))
        throw invalid([{ pointer: '/comment', rule: 'required', message: flow.texts.cancellationCommentMissing ?? '' }]);
      if (reason?.treatments.length) await answer(context, { id, step: 'TREATMENT', accepted: false, ...because });
      await writeAnswer(context, id, { comment });
      return undefined;
    }
    case 'ACCEPT':
    case 'DECLINE':
      await answer(context, { id, step: 'OFFER', accepted: query.a === 'ACCEPT', ...because });
      return query.a === 'ACCEPT' ? goTo(portal, SAVED) : undefined;
    case 'KEEP':
      await writeAnswer(context, id, { outcome: 'SAVED' });
      return goTo(portal, SAVED);
    case 'END':
      // What was not answered yet comes first.
      if (stepAt(flow, kept) !== 'CONFIRM') return undefined;
      await end(portal, id, kept.comment);
      return goTo(portal, CANCELLED);
    default:
      return undefined;
  }
}

const end = ({ context }: Portal, id: number, comment: string | null): Promise<void> =>
  cancel(context, { id, comment: comment ?? '' }, (contractId, work) => act(context, contractId, { action: 'cancel' }, work));

export const cancelling: OwnPage = { show, take };
