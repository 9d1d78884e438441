// The steps before a customer cancels, as pages.
import { escapeHtml, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { asksComment } from '../../cancellation-flows/walk.ts';
import type { Flow } from '../../cancellation-flows/flow.ts';
import { at } from '../at.ts';
import { p } from '../elements.ts';
import type { Portal } from '../portal.ts';
import { reasonOf, type Kept, type Step } from './cancel-steps.ts';
import { field, alarm } from '../../../platform/http/form-fields.ts';
import { answer, button, link } from './parts.ts';
import { rich } from '../../../platform/texts/text-verbs.ts';

export interface Shown {
  portal: Portal;
  flow: Flow;
  /** Absent: nothing began yet. */
  kept?: Kept;
  /** What was typed or chosen, and why it was refused. */
  typed: Readonly<Record<string, string>>;
  refused?: { text: string; pointer?: string };
}

/** The address of an answer. */
export const answering = ({ kept }: Pick<Shown, 'kept'>, a: string, more: Readonly<Record<string, string>> = {}): string =>
  at({ do: 'CANCEL', attempt: kept?.id, a, ...more });

const said = ({ flow }: Shown, key: string): string => flow.texts[key] ?? '';
const page = (shown: Shown, title: string, html: string): PageAnswer => {
  const { refused } = shown;
  const isOfField = refused?.pointer === '/comment';
  return answer(shown.portal, title, (isOfField ? '' : alarm(refused?.text)) + html, refused ? 422 : 200);
};
const leave = (shown: Shown): string => link(said(shown, 'cancellationKeep'));

/** Deliveries that were paid and would not come any more. */
const paidDeliveries = ({ subscription, say }: Portal): string =>
  subscription.contract.prepaid_credits > 0 ? alarm(say('portalCancelCredits')) : '';

/** What cancelling means, before anything is kept. */
export const beginning = (shown: Shown): PageAnswer => {
  const { portal } = shown;
  const ask = said(shown, 'cancellationStart');
  return page(
    shown,
    portal.say('cancelTitle'),
    p(portal.say('cancelText')) + paidDeliveries(portal) + button(answering(shown, 'START'), ask) + leave(shown),
  );
};

function benefit(shown: Shown): PageAnswer {
  const { benefit: one } = shown.flow;
  const buttons =
    button(answering(shown, 'STAY'), one?.primaryCtaText ?? '') +
    button(answering(shown, 'GO'), one?.secondaryCtaText ?? '', { quiet: true });
  const made = page(shown, one?.title ?? '', rich(one?.bodyHtml ?? '') + buttons);
  // The button to stay may lead to a page of the store.
  const elsewhere = one?.primaryCtaAction === 'OPEN_LINK' && one.linkUrl ? new URL(one.linkUrl).origin : undefined;
  return elsewhere && 'html' in made ? { ...made, formAction: elsewhere } : made;
}

function reasons(shown: Shown): PageAnswer {
  const { flow, kept, typed } = shown;
  const title = said(shown, 'cancellationReasonsTitle');
  const chosen = typed.reason ?? String(kept?.reason_id ?? '');
  const choices = flow.reasons.map(
    ({ id, title: name }) =>
      `<label class="choice"><input type="radio" name="reason" value="${id}"${String(id) === chosen ? ' checked' : ''}` +
      `${flow.isArl ? '' : ' required'}><span>${escapeHtml(name)}</span></label>`,
  );
  const form =
    `<form method="post" action="${escapeHtml(answering(shown, 'REASON'))}"><fieldset><legend>${escapeHtml(title)}</legend>` +
    `${choices.join('')}</fieldset><button type="submit">${escapeHtml(said(shown, 'cancellationContinue'))}</button></form>`;
  return page(shown, title, p(said(shown, 'cancellationReasonsText')) + form + leave(shown));
}

/** Suggestions for a reason, each behind its button, and below them a comment. */
function aboutReason(shown: Shown): PageAnswer {
  const { flow, kept, typed, refused } = shown;
  const reason = kept && reasonOf(flow, kept);
  const suggestions = (reason?.treatments ?? []).map(
    ({ id, title, description, ctaText }) =>
      `<h2 class="item">${escapeHtml(title)}</h2>${p(description)}` +
      button(answering(shown, 'TRY', { treatment: id }), ctaText, { about: title }),
  );
  const isAsked = asksComment(flow, reason);
  const comment = field({
    name: 'comment',
    label: reason?.commentLabel || said(shown, 'cancellationCommentLabel'),
    value: typed.comment ?? '',
    isLong: true,
    isRequired: isAsked,
    maxLength: 1000,
    ...(refused?.pointer === '/comment' ? { error: refused.text } : {}),
  });
  const look = suggestions.length ? ' class="second"' : '';
  const form =
    `<form method="post" action="${escapeHtml(answering(shown, 'TELL'))}">${comment}` +
    `<button type="submit"${look}>${escapeHtml(said(shown, 'cancellationContinue'))}</button></form>`;
  const title = suggestions.length ? said(shown, 'cancellationSuggestionsTitle') : (reason?.title ?? '');
  const change = link(shown.portal.say('back'), { do: 'CANCEL', attempt: kept?.id ?? 0, step: 'REASONS' });
  return page(shown, title, suggestions.join('') + (suggestions.length ? '<hr>' : '') + form + change + leave(shown));
}

function offer(shown: Shown): PageAnswer {
  const { flow, kept } = shown;
  const one = flow.isArl ? flow.offer : kept && reasonOf(flow, kept)?.offer;
  const buttons =
    button(answering(shown, 'ACCEPT'), one?.acceptCtaText ?? '') +
    button(answering(shown, 'DECLINE'), one?.rejectCtaText ?? '', { quiet: true });
  return page(shown, one?.title ?? '', rich(one?.bodyHtml ?? '') + buttons);
}

const confirming = (shown: Shown): PageAnswer =>
  page(
    shown,
    said(shown, 'cancellationConfirmTitle'),
    p(said(shown, 'cancellationConfirmText')) +
      paidDeliveries(shown.portal) +
      (shown.kept ? button(answering(shown, 'KEEP'), said(shown, 'cancellationKeep')) : '') +
      button(answering(shown, 'END'), said(shown, 'cancellationConfirm'), { quiet: shown.kept !== undefined }) +
      (shown.kept ? '' : leave(shown)),
  );

export const STEPS: Readonly<Record<Step, (shown: Shown) => PageAnswer>> = {
  BENEFIT: benefit,
  REASONS: reasons,
  REASON: aboutReason,
  OFFER: offer,
  CONFIRM: confirming,
};
