// What is sold as a gift, and what is wrong with a purchase of one.
import type { FieldError } from '../../../contract/types.ts';
import { isEmail } from '../../../contract/validation/patterns.ts';
import type { GiftPlan } from '../../../generated/entities.ts';
import { t } from '../../../domain/text/t.ts';
import type { Address } from '../../../domain/places/address.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { programsOn, type Program, type Reading } from './gift-programs.ts';

/** A gift as it is sold: a plan, with the program that it is of. */
export interface SoldGift {
  program: Program;
  plan: GiftPlan;
}

export interface GiftPurchase {
  customerId: number;
  /** What the cart calls the plan. */
  giftPlanLoopId: string;
  lines: { variantId: number; quantity?: number }[];
  recipientFirstName: string;
  recipientLastName: string;
  recipientEmail: string;
  recipientPhone?: string;
  senderName: string;
  senderMessage?: string;
  /** The day on which the recipient hears of it; today where none is given. */
  startsAt?: Date;
  /** Where its orders go. */
  address: Address;
  currencyCode?: string;
}

const MOST_DAYS_AHEAD = 365;

/** The plan that carts call by `loopId`, of a program that is on; undefined where it is not sold any more. */
export async function giftSold(context: Reading, loopId: string): Promise<SoldGift | undefined> {
  for (const program of await programsOn(context)) {
    const plan = program.plans.find(one => one.loopId === loopId);
    if (plan) return { program, plan };
  }
  return undefined;
}

/** What the checkout refuses, field by field. `giver`: the e-mail address of the buyer; '' where it is not known yet. */
export function giftErrors(
  work: Pick<UnitOfWork, 'settings' | 'at'>,
  given: Omit<GiftPurchase, 'customerId' | 'address'>,
  giver: string,
  program: Pick<Program, 'variantIds'> | undefined,
): FieldError[] {
  const { gift } = work.settings;
  const errors: FieldError[] = [];
  const refuse = (pointer: string, rule: string, message: string): unknown => errors.push({ pointer, rule, message });
  const variants = new Set(program?.variantIds ?? []);
  if (gift.isGiftEnabled !== true) refuse('/giftPlanLoopId', 'GIFTS_OFF', t`This store sells no gifts at the moment.`);
  if (!program) refuse('/giftPlanLoopId', 'reference', t`This gift plan is not offered any more.`);
  for (const [i, { variantId }] of given.lines.entries())
    if (program && !variants.has(variantId))
      refuse(`/lines/${i}/variantId`, 'NOT_IN_PROGRAM', t`This product is not part of the gift program.`);
  if (!given.recipientFirstName.trim()) refuse('/recipientFirstName', 'required', t`Enter the first name of the recipient.`);
  if (!given.recipientLastName.trim()) refuse('/recipientLastName', 'required', t`Enter the last name of the recipient.`);
  if (!given.senderName.trim()) refuse('/senderName', 'required', t`Enter who the gift is from.`);
  if (!isEmail(given.recipientEmail)) refuse('/recipientEmail', 'format', t`Enter a valid e-mail address.`);
  else if (given.recipientEmail.toLowerCase() === giver.toLowerCase())
    refuse('/recipientEmail', 'x-unlike', t`Recipient and buyer e-mail must differ.`);
  if (gift.collectRecipientPhone === 'REQUIRED' && !given.recipientPhone?.trim())
    refuse('/recipientPhone', 'required', t`Enter the phone number of the recipient.`);
  const most = Number(gift.maxMessageLength);
  if ((given.senderMessage ?? '').length > most) refuse('/senderMessage', 'maxLength', t`The message can have ${most} characters at most.`);
  const ahead = ((given.startsAt ?? work.at).getTime() - work.at.getTime()) / 86_400_000;
  if (ahead < -1 || ahead > MOST_DAYS_AHEAD)
    refuse('/startsAt', 'date', t`Choose a day from today on, ${MOST_DAYS_AHEAD} days ahead at most.`);
  return errors;
}
