// The customer's page as HTML.
import { questionForm, alarm } from '../../platform/http/form-fields.ts';
import { escapeHtml, type PageAnswer } from '../../platform/http/public-pages.ts';
import { keyOf, type Action } from './action.ts';
import { at } from './at.ts';
import { link, p } from './elements.ts';
import { button } from './own/parts.ts';
import { unpaidHtml } from './payment.ts';
import type { Portal } from './portal.ts';
import { sectionsOf, type Shown } from './sections.ts';
import { rich } from '../../platform/texts/text-verbs.ts';

const STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'statusActive',
  PAUSED: 'statusPaused',
  CANCELLED: 'statusCancelled',
  EXPIRED: 'statusExpired',
  FAILED: 'portalFailed',
};

/** The page of one subscription: what it is and how it stands, then what the theme shows. */
export function page(portal: Portal, shown: Shown): PageAnswer {
  const { context, subscription, say, speech } = portal;
  const { contract } = subscription;
  const title = say('subscriptionName');
  const status = contract.status === 'PAUSED' && contract.resume_at ? say('pausedUntil') : say(STATUS[contract.status] ?? '');
  const html = [
    p(context.store.name, 'quiet'),
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
export function question({ subscription, say, speech }: Portal, action: Action, notice?: string): PageAnswer {
  const { id, of, refusal, isRich, fields = [], given, choices } = action;
  const needsFields = fields.length > 0 && choices.length === 0;
  // What was filled in and led to no choice is shown with what can be.
  const isWrong = needsFields && !refusal && (action.wrong !== undefined || fields.some(one => one.error));
  const form = needsFields
    ? questionForm(fields, say('portalContinue'), { do: id, of })
    : choices
        .map(one => {
          const { label, about = [], for: what = about[0] ?? '', isQuiet = false } = one;
          const [name = '', ...rest] = about;
          const above = name ? `<h2 class="item">${escapeHtml(name)}</h2>${rest.map(line => p(line)).join('')}` : '';
          return (
            above +
            button(at({ do: id, of, choice: keyOf(action, one), v: subscription.contract.version }), label, {
              about: what,
              quiet: isQuiet,
              ...(given ? { given } : {}),
            })
          );
        })
        .join('');
  return {
    status: notice ? 409 : isWrong ? 422 : 200,
    title: action.title ?? action.label,
    html:
      alarm(notice ?? (isWrong ? action.wrong : undefined)) +
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
