// What a customer who wants to pause could do instead (retention.md 3): further buttons, and perhaps a reward for not pausing.
import type { Reward } from '../../engine/index.ts';
import type { Interval } from '../../../domain/calendar/interval.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { LINKS } from '../../../generated/actions.ts';
import { choicesOf, type Asked, type Choice, type Offered } from './kinds.ts';

export interface PauseFlow {
  status?: 'ACTIVE' | 'DRAFT';
  title?: string;
  description?: string;
  alternatives?: ('SKIP_ORDER' | 'DELAY_ORDER')[];
  delayOptions?: Interval[];
  reward?: Reward;
  skipText?: string;
  delayText?: string;
}

/** A pause as it is offered, with the other ways above it. */
export function withAlternatives(
  page: JsonObject,
  offered: Offered,
  asked: Asked,
  choices: Choice[],
): { offered: Offered; choices: Choice[] } {
  const { status, title, description, alternatives = [], delayOptions = [], reward, skipText = '', delayText = '' } = page as PauseFlow;
  if (offered.type !== 'PAUSE_SUBSCRIPTION' || status !== 'ACTIVE' || !asked.nextBillingAt) return { offered, choices };
  const others = alternatives.flatMap(kind => {
    const { successText } = LINKS[kind].default;
    const texts = kind === 'SKIP_ORDER' ? { ctaText: skipText } : { ctaText: delayText, delayOptions };
    return choicesOf({ ...offered, ...texts, type: kind }, asked).map(choice => ({
      ...choice,
      successText,
      ...(reward ? { reward } : {}),
    }));
  });
  if (others.length === 0) return { offered, choices };
  return {
    offered: { ...offered, ...(title ? { title } : {}), ...(description ? { description } : {}) },
    choices: [...others, ...choices],
  };
}
