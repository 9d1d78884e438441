// The customer's page as HTML.
import { escapeHtml, type PageAnswer } from '../../platform/http/public-pages.ts';
import { keyOf, type Action } from './action.ts';
import { at } from './at.ts';
import { link, p } from './elements.ts';
import { alert, button, rich } from './own/parts.ts';
import { unpaidHtml } from './payment.ts';
import type { Portal } from './portal.ts';
import { sectionsOf, type Shown } from './sections.ts';

const STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'statusActive',
  PAUSED: 'statusPaused',
  CANCELLED: 'statusCancelled',
  EXPIRED: 'statusExpired',
  FAILED: 'portalFailed',
};

/** The page of one subscription: what it is and how it stands, then what the theme shows. */
export function page(portal: Portal, shown: Shown): PageAnswer {
  const { subscription, say, speech } = portal;
  const { contract } = subscription;
  const title = say('subscriptionName');
  const status = contract.status === 'PAUSED' && contract.resume_at ? say('pausedUntil') : say(STATUS[contract.status] ?? '');
  const html = [
    `<h1>${escapeHtml(title)}</h1>`,
    shown.said ? `<p class="said" role="status">${escapeHtml(shown.said)}</p>` : '',
    p(say('greeting')),
    p(`${status} · ${say('deliveredEvery')}`),
    unpaidHtml(portal, shown.actions),
    sectionsOf(portal, shown),
  ];
  return { status: 200, title, html: html.join(''), language: speech.language };
}

/** The question before something is done, or why it can't be. */
export function question({ subscription, say, speech }: Portal, action: Action, to: string | undefined, notice?: string): PageAnswer {
  const { id, of, refusal, isRich, field, choices } = action;
  const needsField = field !== undefined && choices.length === 0;
  // What was filled in and led to no choice is shown with what can be.
  const isWrong = needsField && !refusal && to !== undefined;
  const bound = (at: string | undefined): string => (field?.type === 'date' && at ? speech.day(new Date(`${at}T12:00:00Z`)) : (at ?? ''));
  const wrong = isWrong ? (action.wrong ?? say('portalOutOfRange', { least: bound(field.min), most: bound(field.max) })) : undefined;
  const hidden = Object.entries({ do: id, ...(of === undefined ? {} : { of: String(of) }) })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const form = needsField
    ? `<form method="get">${hidden}<label for="to">${escapeHtml(field.label)}</label>` +
      `<input id="to" name="to" type="${field.type}" value="${field.value}"${wrong ? ' aria-invalid="true"' : ''}` +
      ` min="${field.min}" max="${field.max}" required>` +
      `<button type="submit">${escapeHtml(say('portalContinue'))}</button></form>`
    : choices
        .map(one => {
          const { label, about = [], for: what = about[0] ?? '', isQuiet = false } = one;
          const [name = '', ...rest] = about;
          const above = name ? `<h2 class="item">${escapeHtml(name)}</h2>${rest.map(line => p(line)).join('')}` : '';
          return (
            above +
            button(at({ do: id, of, to, choice: keyOf(action, one), v: subscription.contract.version }), label, {
              about: what,
              quiet: isQuiet,
            })
          );
        })
        .join('');
  return {
    status: notice ? 409 : wrong ? 422 : 200,
    title: action.title ?? action.label,
    html:
      alert(notice ?? wrong) +
      `<h1>${escapeHtml(action.title ?? action.label)}</h1>` +
      (refusal && isRich ? rich(refusal) : p(refusal ?? (action.question === action.label ? '' : action.question))) +
      (refusal ? '' : (action.html ?? '')) +
      (refusal ? '' : form) +
      `<p>${link(at(), action.back ?? (id === 'CANCEL' ? say('cancelKeep') : say('back')))}</p>`,
    language: speech.language,
  };
}

/** A sentence alone, with the way back where the portal is open. */
/** `to`: where the page leads on; left out, back to the overview; null: nowhere. */
export const saying = (
  { say, speech }: Pick<Portal, 'say' | 'speech'>,
  text: string,
  status: number,
  to: { href: string; words: string } | null = { href: at(), words: say('back') },
): PageAnswer => ({
  status,
  title: say('portalTitle'),
  html: `<h1>${escapeHtml(say('portalTitle'))}</h1>${p(text)}${to ? `<p>${link(to.href, to.words)}</p>` : ''}`,
  language: speech.language,
});
