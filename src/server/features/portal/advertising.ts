// Whether the customer gets the store's advertising by e-mail: the same choice that the link in the foot of such a letter leads to.
import { blocksOf } from '../../platform/mail/blocks.ts';
import type { Action } from './action.ts';
import type { Portal } from './portal.ts';

/** Always offered, whatever the store's preferences say: no customer has to look for an old letter to end it. */
export async function advertisingAction({ context, subscription, speech, say: words }: Portal): Promise<Action> {
  // They are those of e-mails, which the product has in its own languages too.
  const say = (key: string): string => speech.phrase(key) ?? words(key);
  const blocks = await blocksOf(context, [subscription.contract.customer_email]);
  const isEnded = blocks.some(({ reason }) => reason === 'UNSUBSCRIBED');
  return {
    id: 'ADVERTISING',
    label: say(isEnded ? 'mailSubscribeAgainButton' : 'mailUnsubscribe'),
    title: say(isEnded ? 'mailUnsubscribedTitle' : 'mailUnsubscribeTitle'),
    question: say(isEnded ? 'mailUnsubscribedText' : 'mailUnsubscribeText'),
    choices: [{ label: say(isEnded ? 'mailSubscribeAgainButton' : 'mailUnsubscribeButton'), does: { getsAdvertising: isEnded } }],
    done: isEnded ? 'mailSubscribedText' : 'mailUnsubscribedText',
  };
}
